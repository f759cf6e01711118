import type { Credentials } from '../storage/signature.ts';
import { type Needed, readPolicy, refusal, type Statement } from './policy.ts';

/** Who may do what: the roles of the stacks with their policies, each with keys of its own, and the owner of all. */

/** A role with the keys that sign as it. As plain data: it is handed from process to process. */
export interface RoleRules {
  arn: string;
  credentials: Credentials;
  /** Policy documents, references worked out. */
  policies: readonly unknown[];
}

/** What the stacks say. */
export interface AccessRules {
  roles: readonly RoleRules[];
  /** Policy documents of buckets and queues. */
  resourcePolicies: readonly unknown[];
  /** Name of the partition key, by table. */
  partitionKeys: Readonly<Record<string, string>>;
}

/** Before anything is deployed. */
export const NOBODY: AccessRules = { roles: [], resourcePolicies: [], partitionKeys: {} };

interface Role {
  arn: string;
  credentials: Credentials;
  statements: readonly Statement[];
}

export class Access {
  readonly #owner: Credentials;
  #roles = new Map<string, Role>();
  #resources: readonly Statement[] = [];
  #partitionKeys: AccessRules['partitionKeys'] = {};

  /** @param owner the service itself, which may do everything */
  constructor(owner: Credentials) {
    this.#owner = owner;
  }

  /** Goes by these from now on. @throws AssemblyError for a policy that is not understood */
  deploy({ roles, resourcePolicies, partitionKeys }: AccessRules): void {
    const read = roles.map(({ arn, credentials, policies }): [string, Role] => [
      credentials.accessKeyId,
      { arn, credentials, statements: policies.flatMap((policy) => readPolicy(policy, arn)) },
    ]);
    this.#resources = resourcePolicies.flatMap((policy) => readPolicy(policy, 'the policy of a resource'));
    this.#roles = new Map(read);
    this.#partitionKeys = partitionKeys;
  }

  /** The keys that an access key id stands for; undefined for nobody's. */
  keys(accessKeyId: string): Credentials | undefined {
    return accessKeyId === this.#owner.accessKeyId ? this.#owner : this.#roles.get(accessKeyId)?.credentials;
  }

  /**
   * Whether who signed with these keys may do all that a request needs.
   *
   * @param needed null for a request of which is not known what it needs: the owner's alone
   * @returns null when it may; else why not
   */
  refusal(accessKeyId: string, needed: readonly Needed[] | null): string | null {
    if (accessKeyId === this.#owner.accessKeyId) return null;
    const role = this.#roles.get(accessKeyId);
    return role ? this.#refusal(role, needed) : 'The access key is not known.';
  }

  /** The same for a role, by its ARN. @param arn null for what has none, and may do nothing */
  refusalOfRole(arn: string | null, needed: readonly Needed[]): string | null {
    const role = [...this.#roles.values()].find((one) => one.arn === arn);
    return role ? this.#refusal(role, needed) : `There is no role ${arn}.`;
  }

  #refusal(role: Role, needed: readonly Needed[] | null): string | null {
    if (needed === null) return `User: ${role.arn} is not authorized to perform this operation`;
    for (const one of needed) {
      const why = refusal(role.arn, role.statements, this.#resources, one);
      if (why !== null) return why;
    }
    return null;
  }

  partitionKey(table: string): string | undefined {
    return this.#partitionKeys[table];
  }
}
