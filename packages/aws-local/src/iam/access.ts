import type { Credentials } from '../storage/signature.ts';
import { type RequiredRight, readPolicy, refusal, type Statement } from './policy.ts';

/**
 * Access control: the roles of the stacks with their policies and their own keys, and the owner of all
 * resources.
 */

/** A role with its signing keys, as plain data that can be sent between processes. */
export interface RoleRules {
  arn: string;
  credentials: Credentials;
  /** Policy documents with references resolved. */
  policies: readonly unknown[];
}

/** The access rules of the stacks. */
export interface AccessRules {
  roles: readonly RoleRules[];
  /** Policy documents of buckets and queues. */
  resourcePolicies: readonly unknown[];
  /** Name of the partition key, by table. */
  partitionKeys: Readonly<Record<string, string>>;
}

/** The rules before any deployment. */
export const NO_ACCESS_RULES: AccessRules = { roles: [], resourcePolicies: [], partitionKeys: {} };

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

  /** @param owner keys of the service itself, which may do everything */
  constructor(owner: Credentials) {
    this.#owner = owner;
  }

  /** Applies these rules from now on. @throws AssemblyError for an unsupported policy */
  deploy({ roles, resourcePolicies, partitionKeys }: AccessRules): void {
    const read = roles.map(({ arn, credentials, policies }): [string, Role] => [
      credentials.accessKeyId,
      { arn, credentials, statements: policies.flatMap((policy) => readPolicy(policy, arn)) },
    ]);
    this.#resources = resourcePolicies.flatMap((policy) => readPolicy(policy, 'the policy of a resource'));
    this.#roles = new Map(read);
    this.#partitionKeys = partitionKeys;
  }

  /** Returns the keys of an access key id; undefined when it does not exist. */
  keys(accessKeyId: string): Credentials | undefined {
    return accessKeyId === this.#owner.accessKeyId ? this.#owner : this.#roles.get(accessKeyId)?.credentials;
  }

  /**
   * Checks whether the owner of these keys has all rights that a request needs.
   *
   * @param needed null for a request whose needs are unknown: only the owner may send it
   * @returns null when it is allowed; otherwise the reason
   */
  refusal(accessKeyId: string, needed: readonly RequiredRight[] | null): string | null {
    if (accessKeyId === this.#owner.accessKeyId) return null;
    const role = this.#roles.get(accessKeyId);
    return role ? this.#refusal(role, needed) : 'The access key is not known.';
  }

  /**
   * Checks the rights of a role by its ARN. @param arn null for a resource without a role, which has no
   * rights
   */
  refusalOfRole(arn: string | null, needed: readonly RequiredRight[]): string | null {
    const role = [...this.#roles.values()].find((one) => one.arn === arn);
    return role ? this.#refusal(role, needed) : `There is no role ${arn}.`;
  }

  #refusal(role: Role, needed: readonly RequiredRight[] | null): string | null {
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
