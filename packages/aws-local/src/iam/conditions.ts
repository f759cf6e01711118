import { glob, PolicyError } from './actions.ts';

/** Conditions of policies. */

/** The facts about a request, by condition key in lower case. A missing key was not in the request. */
export type Context = Readonly<Record<string, readonly string[]>>;

/** Returns whether a condition is met. */
export type Condition = (context: Context) => boolean;

/**
 * Keys that requests here contain; a further key also has to be set (s3.ts, dynamodb.ts, and `refusal` in
 * policy.ts).
 */
const KEYS = new Set([
  'aws:principalaccount',
  'aws:principalarn',
  'aws:resourceaccount',
  'aws:securetransport',
  // Set only by services that call on behalf of others, never by roles.
  'aws:sourceaccount',
  'aws:sourcearn',
  'dynamodb:leadingkeys',
  's3:delimiter',
  's3:max-keys',
  's3:prefix',
  's3:tlsversion',
]);

type Test = (value: string, wanted: string) => boolean;

const equals: Test = (value, wanted) => value === wanted;
const like: Test = (value, wanted) => glob(wanted).test(value);
const equalsAnyCase: Test = (value, wanted) => value.toLowerCase() === wanted.toLowerCase();
const numeric =
  (test: (value: number, wanted: number) => boolean): Test =>
  (value, wanted) =>
    test(Number(value), Number(wanted));

/**
 * The comparison of each operator with the policy's values, and whether one of them, or none, has to match.
 */
const OPERATORS: Readonly<Record<string, { test: Test; negated?: true }>> = {
  StringEquals: { test: equals },
  StringNotEquals: { test: equals, negated: true },
  StringEqualsIgnoreCase: { test: equalsAnyCase },
  StringNotEqualsIgnoreCase: { test: equalsAnyCase, negated: true },
  StringLike: { test: like },
  StringNotLike: { test: like, negated: true },
  ArnEquals: { test: like },
  ArnNotEquals: { test: like, negated: true },
  ArnLike: { test: like },
  ArnNotLike: { test: like, negated: true },
  Bool: { test: equalsAnyCase },
  NumericEquals: { test: numeric((value, wanted) => value === wanted) },
  NumericNotEquals: { test: numeric((value, wanted) => value === wanted), negated: true },
  NumericLessThan: { test: numeric((value, wanted) => value < wanted) },
  NumericLessThanEquals: { test: numeric((value, wanted) => value <= wanted) },
  NumericGreaterThan: { test: numeric((value, wanted) => value > wanted) },
  NumericGreaterThanEquals: { test: numeric((value, wanted) => value >= wanted) },
};

/**
 * @throws PolicyError for an unknown operator, key or variable, because ignoring it would change the meaning
 */
export function conditions(block: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Condition[] {
  return Object.entries(block).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => condition(operator, key, [values].flat().map(String))),
  );
}

function condition(operator: string, key: string, wanted: readonly string[]): Condition {
  const name = key.toLowerCase();
  if (!KEYS.has(name)) throw new PolicyError(`the condition key ${key} is not known here`);
  const variable = wanted.find((value) => value.includes('${'));
  if (variable !== undefined) throw new PolicyError(`the variable in ${variable} is not known here`);
  if (operator === 'Null') return (context) => wanted.includes(String(!Object.hasOwn(context, name)));

  const [, quantifier, base = '', ifExists] =
    /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(operator) ?? [];
  const known = Object.hasOwn(OPERATORS, base) ? OPERATORS[base] : undefined;
  if (!known) throw new PolicyError(`the condition operator ${operator} is not known here`);
  const { test, negated = false } = known;
  const fits = (value: string): boolean => wanted.some((one) => test(value, one)) !== negated;
  return (context) => {
    const values = context[name];
    if (quantifier === 'ForAllValues') return (values ?? []).every(fits);
    if (quantifier === 'ForAnyValue') return (values ?? []).some(fits);
    // A missing value does not equal anything.
    if (values === undefined) return ifExists !== undefined || negated;
    return values.some(fits);
  };
}
