import { randomBytes } from 'node:crypto';
import { type Assembly, AssemblyError } from '../assembly/index.ts';
import type { Credentials } from '../storage/signature.ts';
import type { Access, AccessRules } from './access.ts';

/** What the stacks say of who may do what, with keys for each role. */

/** Keys of roles: made up once for a service, so that addresses that were signed stay good when the stacks change. */
export class RoleKeys {
  readonly #keys = new Map<string, Credentials>();

  /** @param role its ARN; null stands for what has no role, and may do nothing */
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

/** What Lambda does with a queue in the name of the function that gets its messages. */
const QUEUE_ACTIONS = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

/**
 * Whether functions may receive the messages that they are to be called with: a deployment asks that too.
 *
 * @throws AssemblyError for one that may not
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
