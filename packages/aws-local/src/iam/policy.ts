import { AssemblyError } from '../assembly/index.ts';
import { actionPattern, glob, isElsewhere, PolicyError } from './actions.ts';
import { type Condition, conditions, type Context } from './conditions.ts';

/** Policies, and what they say of a request. */

/** What a request needs the right to. */
export interface Needed {
  /** `s3:GetObject` */
  action: string;
  /** Its ARN. */
  resource: string;
  /** What conditions look at, besides who asks and how. */
  context?: Context | undefined;
}

export interface Statement {
  allow: boolean;
  /** Of a resource's policy: whether it is about this principal. */
  isAbout: (principal: string) => boolean;
  covers: (needed: Needed) => boolean;
  conditions: readonly Condition[];
}

interface StatementJson {
  Effect?: unknown;
  Principal?: unknown;
  Action?: unknown;
  NotAction?: unknown;
  Resource?: unknown;
  NotResource?: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

/** What statements may have. */
const MEMBERS = new Set([
  'Sid',
  'Effect',
  'Principal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
]);

/**
 * Reads a policy document in which references have been worked out.
 *
 * @param of whose it is, for the message
 * @throws AssemblyError for what is not known here
 */
export function readPolicy(document: unknown, of: string): Statement[] {
  const statements = [(document as { Statement?: unknown } | null)?.Statement ?? []].flat();
  return statements.flatMap((statement: StatementJson) => {
    try {
      return readStatement(statement);
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      throw new AssemblyError(
        `The policies of ${of} cannot be gone by here: ${error.message} (packages/aws-local/src/iam).`,
        {
          cause: error,
        },
      );
    }
  });
}

/** None for a statement of services that nobody can call here. */
function readStatement(statement: StatementJson): Statement[] {
  const unknown = Object.keys(statement).find((member) => !MEMBERS.has(member));
  if (unknown !== undefined) throw new PolicyError(`${unknown} is not known here`);
  const { Effect, Action, NotAction, Resource, NotResource } = statement;
  if (Effect !== 'Allow' && Effect !== 'Deny') throw new PolicyError(`${String(Effect)} is no effect`);
  const actions = texts(Action ?? NotAction);
  const isAction = oneOf(actions.map(actionPattern));
  if (Action !== undefined && actions.every(isElsewhere)) return [];
  const patterns = texts(Resource ?? NotResource).map(glob);
  const isResource = oneOf(patterns.map((pattern) => (arn: string) => pattern.test(arn)));
  const covers = ({ action, resource }: Needed): boolean =>
    isAction(action) === (Action !== undefined) && isResource(resource) === (Resource !== undefined);
  return [
    {
      allow: Effect === 'Allow',
      isAbout: principals(statement.Principal),
      covers,
      conditions: conditions(statement.Condition ?? {}),
    },
  ];
}

function texts(value: unknown): string[] {
  const list = [value].flat();
  if (list.length === 0 || list.some((item) => typeof item !== 'string')) {
    throw new PolicyError('a statement has no actions, or no resources');
  }
  return list as string[];
}

function oneOf(tests: readonly ((text: string) => boolean)[]): (text: string) => boolean {
  return (text) => tests.some((test) => test(text));
}

/** Roles alone call here: what is said of services and of federated users is said of nobody. */
function principals(principal: unknown): (arn: string) => boolean {
  if (principal === undefined || principal === '*') return () => true;
  if (typeof principal !== 'object' || principal === null) {
    throw new PolicyError(`${JSON.stringify(principal)} is no principal`);
  }
  const named = 'AWS' in principal ? texts(principal.AWS) : [];
  return (arn) => named.some((name) => name === '*' || name === arn || name === arn.split(':')[4]);
}

/**
 * Whether a principal may do what it needs to: one of its own policies, or one of the resource's, has to allow it, and
 * none may deny it.
 *
 * @returns null when it may; else why not, as AWS words it
 */
export function refusal(
  principal: string,
  own: readonly Statement[],
  ofResources: readonly Statement[],
  needed: Needed,
): string | null {
  const context: Context = {
    ...needed.context,
    'aws:principalarn': [principal],
    'aws:principalaccount': [principal.split(':')[4] ?? ''],
    'aws:resourceaccount': [principal.split(':')[4] ?? ''],
    // Nobody but this machine hears what is said on it, which is what TLS is for.
    'aws:securetransport': ['true'],
    's3:tlsversion': ['1.3'],
  };
  const all = [...own, ...ofResources.filter(({ isAbout }) => isAbout(principal))];
  const meant = all.filter(
    (statement) => statement.covers(needed) && statement.conditions.every((condition) => condition(context)),
  );
  const { action, resource } = needed;
  const begin = `User: ${principal} is not authorized to perform: ${action} on resource: ${resource}`;
  if (meant.some(({ allow }) => !allow)) return `${begin} with an explicit deny`;
  return meant.length > 0 ? null : `${begin} because no policy allows the ${action} action`;
}
