import { randomBytes } from 'node:crypto';
import { type Assembly, AssemblyError } from '../assembly/index.ts';
import type { Credentials } from '../storage/signature.ts';
import type { Access, AccessRules } from './access.ts';

/** The access rules of the stacks, with keys for each role. */

/** Keys of roles, generated once per service, so that signed URLs stay valid when the stacks change. */
export class RoleKeys {
  readonly #keys = new Map<string, Credentials>();

  /** @param role its ARN; null for a resource without a role, which has no rights */
  of(role: string | null): Credentials {
    const name = role ?? '';
    const known = this.#keys.get(name);
    if (known) return known;
    const made = newCredentials();
    this.#keys.set(name, made);
    return made;
  }
}

export function newCredentials(): Credentials {
  return {
    accessKeyId: `local${randomBytes(8).toString('hex')}`,
    secretAccessKey: randomBytes(24).toString('base64url'),
  };
}

export function rulesOf(
  { roles, resourcePolicies, tables }: Pick<Assembly, 'roles' | 'resourcePolicies' | 'tables'>,
  keys: RoleKeys,
): AccessRules {
  return {
    roles: [
      ...roles.map(({ arn, policies }) => ({ arn, policies, credentials: keys.of(arn) })),
      { arn: 'arn:aws:iam:::role/none', policies: [], credentials: keys.of(null) },
    ],
    resourcePolicies,
    partitionKeys: Object.fromEntries(
      tables.map(({ name, keySchema }) => [
        name,
        keySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '',
      ]),
    ),
  };
}

/** Lambda's calls to a queue on behalf of the function that receives its messages. */
const QUEUE_ACTIONS = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

/**
 * Checks that functions may receive the messages of their queues, as a deployment does.
 *
 * @throws AssemblyError for a function without the right
 */
export function checkEventSources(
  { eventSources, functions }: Pick<Assembly, 'eventSources' | 'functions'>,
  access: Access,
): void {
  for (const { functionName, queueArn } of eventSources) {
    const role = functions.get(functionName)?.role ?? null;
    const needed = QUEUE_ACTIONS.map((action) => ({ action: `sqs:${action}`, resource: queueArn }));
    const refusal = access.refusalOfRole(role, needed);
    if (refusal !== null)
      throw new AssemblyError(`${functionName} cannot be called by its queue. ${refusal}`);
  }
}
