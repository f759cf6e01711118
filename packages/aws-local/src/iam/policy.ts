import { AssemblyError } from '../assembly/index.ts';
import { actionPattern, glob, isUnsupportedService, PolicyError } from './actions.ts';
import { type Condition, conditions, type Context } from './conditions.ts';

/** Evaluates policies for a request. */

/** A right that a request needs. */
export interface RequiredRight {
  /** `s3:GetObject` */
  action: string;
  /** ARN of the resource. */
  resource: string;
  /** Facts for conditions, besides the caller and the connection. */
  context?: Context | undefined;
}

export interface Statement {
  allow: boolean;
  /** For a resource's policy: returns whether it applies to this principal. */
  isAbout: (principal: string) => boolean;
  covers: (needed: RequiredRight) => boolean;
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

/** The supported members of a statement. */
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
 * Reads a policy document with references resolved.
 *
 * @param of owner of the policy, for error messages
 * @throws AssemblyError for unsupported content
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

/** Returns no statement for services that cannot be called here. */
function readStatement(statement: StatementJson): Statement[] {
  const unknown = Object.keys(statement).find((member) => !MEMBERS.has(member));
  if (unknown !== undefined) throw new PolicyError(`${unknown} is not known here`);
  const { Effect, Action, NotAction, Resource, NotResource } = statement;
  if (Effect !== 'Allow' && Effect !== 'Deny') throw new PolicyError(`${String(Effect)} is no effect`);
  const actions = texts(Action ?? NotAction);
  const isAction = oneOf(actions.map(actionPattern));
  if (Action !== undefined && actions.every(isUnsupportedService)) return [];
  const patterns = texts(Resource ?? NotResource).map(glob);
  const isResource = oneOf(patterns.map((pattern) => (arn: string) => pattern.test(arn)));
  const covers = ({ action, resource }: RequiredRight): boolean =>
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

/** Returns a test for principals. Only roles call here, so services and federated users match nothing. */
function principals(principal: unknown): (arn: string) => boolean {
  if (principal === undefined || principal === '*') return () => true;
  if (typeof principal !== 'object' || principal === null) {
    throw new PolicyError(`${JSON.stringify(principal)} is no principal`);
  }
  const named = 'AWS' in principal ? texts(principal.AWS) : [];
  return (arn) => named.some((name) => name === '*' || name === arn || name === arn.split(':')[4]);
}

/**
 * Checks whether a principal has the rights it needs: one of its own policies, or one of the resource's, has
 * to allow each, and none may deny it.
 *
 * @returns null when it is allowed; otherwise the reason in AWS's words
 */
export function refusal(
  principal: string,
  own: readonly Statement[],
  ofResources: readonly Statement[],
  needed: RequiredRight,
): string | null {
  const context: Context = {
    ...needed.context,
    'aws:principalarn': [principal],
    'aws:principalaccount': [principal.split(':')[4] ?? ''],
    'aws:resourceaccount': [principal.split(':')[4] ?? ''],
    // Traffic does not leave this machine, so it counts as protected by TLS.
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
