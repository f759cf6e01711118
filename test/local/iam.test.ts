import { describe, expect, it } from 'vitest';
import { Access } from '../../packages/aws-local/src/iam/access.ts';
import { rightsForDynamo } from '../../packages/aws-local/src/iam/dynamodb.ts';
import { type RequiredRight, readPolicy, refusal } from '../../packages/aws-local/src/iam/policy.ts';
import { rightsForS3 } from '../../packages/aws-local/src/iam/s3.ts';

/** Policies, evaluated as IAM does; and what requests need the right to. */

const ROLE = 'arn:aws:iam::000000000000:role/worker';
const OBJECT = 'arn:aws:s3:::files/tenants/acme/x';
const READ: RequiredRight = { action: 's3:GetObject', resource: OBJECT };
const policy = (...Statement: object[]) => readPolicy({ Version: '2012-10-17', Statement }, 'a test');
const allow = (more: object) => ({ Effect: 'Allow', Action: 's3:GetObject', Resource: '*', ...more });
const may = (own: object[], needed: RequiredRight = READ, ofResources: object[] = []) =>
  refusal(ROLE, policy(...own), policy(...ofResources), needed) === null;

describe('a statement', () => {
  it.each([
    ['its action and resource', {}, true],
    ['wildcards', { Action: 's3:Get*', Resource: 'arn:aws:s3:::files/*/?' }, true],
    ['an action in another case', { Action: 'S3:getobject' }, true],
    ['everything', { Action: '*' }, true],
    ['one of several', { Action: ['s3:PutObject', 's3:GetObject'], Resource: ['a', OBJECT] }, true],
    ['all but others', { Action: undefined, NotAction: 's3:PutObject' }, true],
    ['all but this', { Action: undefined, NotAction: 's3:Get*' }, false],
    ['all resources but this', { Resource: undefined, NotResource: 'arn:aws:s3:::files/*' }, false],
    ['another action', { Action: 's3:PutObject' }, false],
    ['another resource', { Resource: 'arn:aws:s3:::files/uploads/*' }, false],
    ['a prefix that only looks the same', { Resource: 'arn:aws:s3:::files/tenants/acme/' }, false],
  ])('with Allow for %s: %j', (_, more, expected) => {
    expect(may([allow(more)])).toBe(expected);
  });

  it('with Deny takes precedence over all with Allow', () => {
    const deny = { Effect: 'Deny', Action: 's3:*', Resource: 'arn:aws:s3:::files/tenants/*' };
    expect(may([allow({}), deny])).toBe(false);
    expect(refusal(ROLE, policy(allow({}), deny), [], READ)).toContain('explicit deny');
  });

  it('names the missing right if none allows it', () => {
    expect(refusal(ROLE, [], [], READ)).toBe(
      `User: ${ROLE} is not authorized to perform: s3:GetObject on resource: ${OBJECT} because no policy allows the s3:GetObject action`,
    );
  });

  it.each([
    ['an action that there is not', { Action: 's3:GetObjcet' }, 's3:GetObjcet'],
    ['a pattern of none', { Action: 'dynamodb:Fetch*' }, 'dynamodb:Fetch*'],
    ['a service that there is not', { Action: 'dynamoddb:GetItem' }, 'dynamoddb:GetItem'],
    ['no action', { Action: [] }, 'no actions'],
    ['an operator that there is not', { Condition: { StringIs: { 's3:prefix': 'x' } } }, 'StringIs'],
    ['a key that is not known', { Condition: { StringLike: { 's3:perfix': 'x' } } }, 's3:perfix'],
    [
      'a variable',
      { Condition: { StringLike: { 's3:prefix': '${aws:PrincipalTag/tenant}/*' } } },
      'PrincipalTag',
    ],
    ['a member that is not known', { Actions: 's3:GetObject' }, 'Actions'],
    ['another effect', { Effect: 'allow' }, 'allow'],
  ])('with %s is refused when the stacks are read, not passed over', (_, more, named) => {
    expect(() => policy(allow(more))).toThrow(expect.objectContaining({ name: 'AssemblyError' }));
    expect(() => policy(allow(more))).toThrow(named);
  });
});

it('a statement for services that do not exist here may have any condition', () => {
  const Condition = { StringEquals: { 'cloudwatch:namespace': 'Platen' } };
  expect(policy(allow({ Action: 'cloudwatch:PutMetricData', Condition }))).toEqual([]);
  expect(() => policy(allow({ Action: ['cloudwatch:PutMetricData', 's3:GetObject'], Condition }))).toThrow(
    'namespace',
  );
});

describe('a condition', () => {
  const met = (Condition: object, context: Record<string, string[]>) =>
    may([allow({ Condition })], { ...READ, context });
  it.each([
    ['StringEquals', ['a'], ['a'], true],
    ['StringEquals', ['A'], ['a'], false],
    ['StringEqualsIgnoreCase', ['A'], ['a'], true],
    ['StringEquals', [], ['a'], false],
    ['StringEqualsIfExists', [], ['a'], true],
    ['StringEqualsIfExists', ['b'], ['a'], false],
    ['StringNotEquals', ['b'], ['a'], true],
    ['StringNotEquals', [], ['a'], true],
    ['StringNotEquals', ['a'], ['a', 'b'], false],
    ['StringLike', ['tenants/acme/templates/1/2'], ['tenants/*/templates/*/*'], true],
    ['StringLike', ['tenants/acme/'], ['tenants/*/templates/*/*'], false],
    ['StringNotLike', ['tenants/acme/'], ['tenants/*'], false],
    ['ForAllValues:StringLike', ['a1', 'a2'], ['a*'], true],
    ['ForAllValues:StringLike', ['a1', 'b2'], ['a*'], false],
    // As AWS has it, which is why it is to go with a statement that wants the key.
    ['ForAllValues:StringLike', [], ['a*'], true],
    ['ForAnyValue:StringLike', ['b1', 'a2'], ['a*'], true],
    ['ForAnyValue:StringLike', [], ['a*'], false],
    ['NumericLessThanEquals', ['10'], ['10'], true],
    ['NumericLessThan', ['10'], ['10'], false],
    ['Null', [], ['true'], true],
    ['Null', ['x'], ['true'], false],
  ])('%s of %j against %j is %s', (operator, values, wanted, expected) => {
    const context: Record<string, string[]> = values.length > 0 ? { 's3:prefix': values } : {};
    expect(met({ [operator]: { 's3:prefix': wanted } }, context)).toBe(expected);
  });

  it('has to be met with all others of its statement', () => {
    const Condition = { StringEquals: { 's3:prefix': 'a', 's3:delimiter': '/' } };
    expect(met(Condition, { 's3:prefix': ['a'], 's3:delimiter': ['/'] })).toBe(true);
    expect(met(Condition, { 's3:prefix': ['a'] })).toBe(false);
  });
});

describe('the policy of a resource', () => {
  const everybody = { Principal: { AWS: '*' }, Action: 's3:*', Resource: '*' };
  it('does not refuse requests from this machine if it denies requests without TLS', () => {
    const insecure = {
      ...everybody,
      Effect: 'Deny',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    };
    expect(may([allow({})], READ, [insecure])).toBe(true);
    const secure = { ...everybody, Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'true' } } };
    expect(may([allow({})], READ, [secure])).toBe(false);
  });

  it('is about those alone that it names', () => {
    const named = (AWS: string) => [{ ...everybody, Effect: 'Allow', Principal: { AWS } }];
    expect(may([], READ, named(ROLE))).toBe(true);
    expect(may([], READ, named(`${ROLE}-2`))).toBe(false);
    expect(
      may([], READ, [{ ...everybody, Effect: 'Allow', Principal: { Service: 'x.amazonaws.com' } }]),
    ).toBe(false);
  });
});

describe('a request to S3', () => {
  const needs = (method: string, url: string, headers = {}, body = '') =>
    (rightsForS3({ method, url, headers }, Buffer.from(body)) ?? []).map(({ action, resource, context }) => [
      action,
      resource.replace('arn:aws:s3:::', ''),
      ...(context && Object.keys(context).length > 0 ? [context] : []),
    ]);
  it.each([
    ['GET', '/files/a%20b/c?x-id=GetObject', [['s3:GetObject', 'files/a b/c']]],
    ['HEAD', '/files/a', [['s3:GetObject', 'files/a']]],
    ['GET', '/files/a?versionId=1', [['s3:GetObjectVersion', 'files/a']]],
    ['PUT', '/files/a', [['s3:PutObject', 'files/a']]],
    ['PUT', '/files/a?partNumber=1&uploadId=x', [['s3:PutObject', 'files/a']]],
    ['POST', '/files/a?uploads=', [['s3:PutObject', 'files/a']]],
    ['POST', '/files/a?uploadId=x', [['s3:PutObject', 'files/a']]],
    ['DELETE', '/files/a?uploadId=x', [['s3:AbortMultipartUpload', 'files/a']]],
    ['DELETE', '/files/a', [['s3:DeleteObject', 'files/a']]],
    ['GET', '/files?list-type=2&prefix=a%2Fb', [['s3:ListBucket', 'files', { 's3:prefix': ['a/b'] }]]],
    ['GET', '/files/', [['s3:ListBucket', 'files']]],
    ['GET', '/files?policy', []],
    ['PATCH', '/files/a', []],
  ])('%s %s', (method, url, expected) => {
    expect(needs(method, url)).toEqual(expected);
  });

  it('needs the right to each object that it copies or deletes', () => {
    expect(needs('PUT', '/files/a', { 'x-amz-copy-source': '/other/b%2Fc' })).toEqual([
      ['s3:PutObject', 'files/a'],
      ['s3:GetObject', 'other/b/c'],
    ]);
    const body = '<Delete><Object><Key>a&amp;b</Key></Object><Object><Key>c</Key></Object></Delete>';
    expect(needs('POST', '/files?delete', {}, body)).toEqual([
      ['s3:DeleteObject', 'files/a&b'],
      ['s3:DeleteObject', 'files/c'],
    ]);
  });
});

describe('a request to DynamoDB', () => {
  const needs = (operation: string, order: object) =>
    rightsForDynamo(`DynamoDB_20120810.${operation}`, Buffer.from(JSON.stringify(order)), () => 'pk')?.map(
      ({ action, resource, context }) => [
        action.replace('dynamodb:', ''),
        resource.split(':table/')[1],
        context?.['dynamodb:leadingkeys'] ?? null,
      ],
    );
  const item = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
  it.each([
    ['GetItem', { TableName: 't', Key: item('a') }, [['GetItem', 't', ['a']]]],
    ['PutItem', { TableName: 't', Item: item('a') }, [['PutItem', 't', ['a']]]],
    [
      'Query',
      {
        TableName: 't',
        IndexName: 'i',
        KeyConditionExpression: 'begins_with(sk, :sk) AND #p = :pk',
        ExpressionAttributeNames: { '#p': 'pk' },
        ExpressionAttributeValues: { ':pk': { S: 'a' }, ':sk': { S: 'b' } },
      },
      [['Query', 't/index/i', ['a']]],
    ],
    ['Scan', { TableName: 't' }, [['Scan', 't', null]]],
    [
      'BatchWriteItem',
      { RequestItems: { t: [{ PutRequest: { Item: item('a') } }, { DeleteRequest: { Key: item('b') } }] } },
      [['BatchWriteItem', 't', ['a', 'b']]],
    ],
    ['BatchGetItem', { RequestItems: { t: { Keys: [item('a')] } } }, [['BatchGetItem', 't', ['a']]]],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName: 't', Item: item('a') } },
          { ConditionCheck: { TableName: 'u', Key: item('b') } },
        ],
      },
      [
        ['PutItem', 't', ['a']],
        ['ConditionCheckItem', 'u', ['b']],
      ],
    ],
    ['ExecuteStatement', { Statement: 'SELECT * FROM t' }, undefined],
  ])('%s', (operation, order, expected) => {
    expect(needs(operation, order)).toEqual(expected);
  });
});

describe('signers of requests', () => {
  const owner = { accessKeyId: 'owner', secretAccessKey: 'o' };
  const access = new Access(owner);
  access.deploy({
    roles: [
      {
        arn: ROLE,
        credentials: { accessKeyId: 'worker', secretAccessKey: 'w' },
        policies: [{ Statement: [allow({})] }],
      },
    ],
    resourcePolicies: [],
    partitionKeys: {},
  });

  it('as a role are limited by its policies, as the owner by nothing, and are refused if unknown', () => {
    expect(access.refusal('worker', [READ])).toBeNull();
    expect(access.refusal('worker', [READ, { ...READ, action: 's3:PutObject' }])).toContain('s3:PutObject');
    expect(access.refusal('worker', null)).toContain('not authorized');
    expect(access.refusal('owner', null)).toBeNull();
    expect(access.refusal('stranger', [READ])).toContain('not known');
    expect(access.keys('worker')?.secretAccessKey).toBe('w');
    expect(access.keys('stranger')).toBeUndefined();
  });
});
