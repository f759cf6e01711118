import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Assembly, readAssembly } from '../../packages/aws-local/src/assembly/index.ts';
import { Resolver } from '../../packages/aws-local/src/assembly/resolver.ts';
import type { Template } from '../../packages/aws-local/src/assembly/template.ts';
import { fixtureAssembly } from './fixture/index.ts';

let fixture: Awaited<ReturnType<typeof fixtureAssembly>>;
let assembly: Assembly;

beforeAll(async () => {
  fixture = await fixtureAssembly();
  assembly = await readAssembly(fixture.directory);
});

afterAll(() => fixture.remove());

describe('synthesised stacks', () => {
  it('give functions variables with the resolved exports of other stacks', () => {
    const probe = assembly.functions.get('fixture-api-probe');
    expect(probe).toMatchObject({
      label: 'probe',
      handler: 'index.handler',
      memoryMb: 256,
      timeoutMs: 20_000,
      reservedConcurrency: null,
      concurrency: 1,
      environment: { THINGS_TABLE: 'fixture-storage-Things', FILES_BUCKET: 'fixture-storage-files' },
    });
    expect(probe?.layers).toHaveLength(3);
    expect(assembly.functions.get('fixture-api-single')).toMatchObject({
      reservedConcurrency: 1,
      concurrency: 3,
    });
  });

  it('give routes with their integration and authorizer', () => {
    expect(assembly.api.stage).toBe('live');
    const guarded = assembly.api.routes.find(({ resource }) => resource === '/v1/guarded/{what}');
    expect(guarded).toMatchObject({
      integration: {
        kind: 'function',
        functionName: 'fixture-api-probe',
        stream: false,
        timeoutMs: 29_000,
      },
      authorizer: { functionName: 'fixture-api-authorizer', ttlMs: 300_000, headers: ['Authorization'] },
    });
    const streams = assembly.api.routes.find(({ resource }) => resource === '/v1/streams/{what}');
    expect(streams).toMatchObject({ integration: { stream: true, timeoutMs: 600_000 }, authorizer: null });
    const other = assembly.api.routes.find(({ method }) => method === 'ANY');
    expect(other).toMatchObject({ resource: '/v1/probe/literal', integration: { kind: 'function' } });
  });

  it('contain the texts of the gateway, its throttle, and the expirations that AWS applies', () => {
    expect(assembly.api.responses.get('THROTTLED')).toMatchObject({
      status: 429,
      headers: {
        'content-type': { literal: 'application/problem+json; charset=utf-8' },
        'retry-after': { literal: '1' },
        'x-request-id': { variable: 'requestId' },
      },
    });
    expect(assembly.api.throttle).toEqual({ rate: 5, burst: 20 });
    expect(assembly.api.binaryMediaTypes).toEqual(['*/*']);
    expect(assembly.tables[0]?.ttlAttribute).toBe('until');
    expect(assembly.buckets[0]?.expirations).toEqual([{ prefix: 'uploads/', days: 2 }]);
    expect(assembly.schedules).toEqual([
      {
        name: 'fixture-api-Daily',
        everyMs: 12 * 3_600_000,
        functionName: 'fixture-api-probe',
        input: undefined,
      },
    ]);
  });
});

describe('a folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-assembly-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('without stacks is refused in words', async () => {
    await expect(readAssembly(folder)).rejects.toThrow(
      /manifest\.json cannot be read: the stacks have not been/,
    );
  });

  it('with half a manifest is refused in words', async () => {
    await writeFile(join(folder, 'manifest.json'), '{"artifacts":');
    await expect(readAssembly(folder)).rejects.toThrow(/is not JSON: delete its folder/);
  });
});

describe('intrinsic functions', () => {
  const template: Template = {
    stack: 'stack',
    resources: {
      Files8E6940B8: { Type: 'AWS::S3::Bucket' },
      ThingsAAAAAAAA: { Type: 'AWS::DynamoDB::Table' },
      ThingsBBBBBBBB: { Type: 'AWS::DynamoDB::Table' },
      Named: { Type: 'AWS::Lambda::Function', Properties: { FunctionName: 'by-name' } },
    },
    parameters: { Choice: { Default: 'the default' } },
    outputs: {},
    assets: new Map(),
  };
  const other: Template = {
    ...template,
    stack: 'other',
    resources: {},
    outputs: { Out: { Value: { Ref: 'Choice' }, Export: { Name: 'other:Out' } } },
  };
  const resolver = new Resolver(template, [template, other]);

  it.each([
    ['a bucket', { Ref: 'Files8E6940B8' }, 'stack-files'],
    ['its ARN', { 'Fn::GetAtt': ['Files8E6940B8', 'Arn'] }, 'arn:aws:s3:::stack-files'],
    ['one of two that would have one name', { Ref: 'ThingsAAAAAAAA' }, 'stack-ThingsAAAAAAAA'],
    ['a function with a name', { Ref: 'Named' }, 'by-name'],
    ['a parameter', { Ref: 'Choice' }, 'the default'],
    ['a join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }]] }, 'a-us-east-1'],
    [
      'a substitution',
      { 'Fn::Sub': '${AWS::AccountId}/${Files8E6940B8.Arn}/${!Literal}' },
      '000000000000/arn:aws:s3:::stack-files/${Literal}',
    ],
    ['one with variables', { 'Fn::Sub': ['${x}', { x: { Ref: 'Choice' } }] }, 'the default'],
    ['a part of a split', { 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    ['an import', { 'Fn::ImportValue': 'other:Out' }, 'the default'],
  ])('resolve %s', (_, input, expected) => {
    expect(resolver.text(input)).toBe(expected);
  });

  it.each([
    [{ Ref: 'Nothing' }, 'refers to Nothing, which it does not have'],
    [{ 'Fn::ImportValue': 'nowhere' }, 'imports nowhere, which no stack exports'],
    [{ 'Fn::Cidr': [] }, 'uses Fn::Cidr, which the local service does not know'],
    [{ a: 1 }, 'does not resolve to a text'],
  ])('refuse %j in words', (input, message) => {
    expect(() => resolver.text(input)).toThrow(message);
  });
});
