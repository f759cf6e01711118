import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import type { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { TokenStore } from '../../functions/authorizer/tokens.ts';
import { TEMPLATE_FILE, writeOneClick } from '../../lib/one-click/index.ts';
import { SCOPES } from '../../packages/contract/src/route.ts';
import { unzip } from '../office/build.ts';
import { placeholders, stacksIn } from './placeholders.ts';
import { temporaryFolder } from './support.ts';

/** The template that deploys a release without a checkout, and the function in it. */

const ADDRESS = 'https://example.org/releases/download/v0.1.0';

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}
interface Code {
  S3Key?: string;
  ZipFile?: string;
}
let text: string;
let template: { Parameters: object; Resources: Record<string, Resource>; Outputs: Record<string, unknown> };
let out: string;
let written: string[];

beforeAll(async () => {
  const assembly = temporaryFolder();
  stacksIn(assembly, { convert: false }, placeholders(temporaryFolder())).app.synth();
  out = temporaryFolder();
  written = await writeOneClick(assembly, ADDRESS, out);
  text = readFileSync(path.join(out, TEMPLATE_FILE), 'utf8');
  template = JSON.parse(text) as typeof template;
});

function resourceOf(name: string): Resource {
  return template.Resources[name] ?? expect.unreachable(name);
}
const inlineCode = (): string => (resourceOf('ReleaseFunction').Properties['Code'] as Code).ZipFile ?? '';

/** Every object in the template. */
function objects(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objects);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(objects)];
}

describe('the template of a release', () => {
  it('names exactly the files that are written, by their SHA-256', () => {
    const { Files, Address } = resourceOf('ReleaseFiles').Properties;
    expect(Address).toEqual({ Ref: 'Address' });
    expect(template.Parameters).toMatchObject({ Address: { Default: ADDRESS } });
    const named = (Files as { Name: string; Sha256: string }[]).map(({ Name, Sha256 }) => {
      expect(
        createHash('sha256')
          .update(readFileSync(path.join(out, Name)))
          .digest('hex'),
      ).toBe(Sha256);
      return Name;
    });
    expect([TEMPLATE_FILE, ...named].toSorted()).toEqual(readdirSync(out).toSorted());
    expect(written.toSorted()).toEqual(readdirSync(out).toSorted());
    const used = objects(template).flatMap(({ S3Key, S3Bucket }) => {
      if (S3Key === undefined) return [];
      expect(S3Bucket).toEqual({ 'Fn::GetAtt': ['ReleaseFiles', 'Bucket'] });
      return [S3Key as string];
    });
    expect([...new Set(used)].toSorted()).toEqual(named.toSorted());
  });

  it('has all functions but the converters, and their code', async () => {
    const functions = Object.values(template.Resources).filter(
      ({ Type }) => Type === 'AWS::Lambda::Function',
    );
    expect(functions.filter(({ Properties }) => Properties['PackageType'] === 'Image')).toEqual([]);
    expect(functions.length).toBeGreaterThan(9);
    for (const { Properties } of functions) {
      const { S3Key: key } = Properties['Code'] as Code;
      if (key !== undefined)
        expect([...(await unzip(readFileSync(path.join(out, key)))).keys()]).toContain('index.mjs');
    }
  });

  it('refers to nothing but itself', () => {
    for (const foreign of [
      'cdk-hnb659fds',
      'Fn::ImportValue',
      'BootstrapVersion',
      'aws:cdk:path',
      '"Export"',
    ])
      expect(text).not.toContain(foreign);
    const known = new Set([...Object.keys(template.Resources), ...Object.keys(template.Parameters)]);
    const referred = objects(template).flatMap(({ Ref, 'Fn::GetAtt': attribute, DependsOn }) => [
      ...(typeof Ref === 'string' && !Ref.startsWith('AWS::') ? [Ref] : []),
      ...(Array.isArray(attribute) ? [attribute[0] as string] : []),
      ...[DependsOn ?? []].flat().map(String),
    ]);
    expect(referred.length).toBeGreaterThan(100);
    expect(referred.filter((name) => !known.has(name))).toEqual([]);
  });

  it('keeps the limits of CloudFormation', () => {
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
    expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(500);
    expect(inlineCode().length).toBeLessThanOrEqual(4096);
    expect(Object.keys(template.Outputs)).toEqual(
      expect.arrayContaining(['BaseUrl', 'FirstToken', 'TokensTable']),
    );
  });
});

/** Stands in for the SDK of Lambda's Python: notes what it is asked for as lines of JSON. */
const BOTO3 = `
import json, shutil, sys, os
def note(**what): print(json.dumps(what), flush=True)
class Objects:
    def all(self): return self
    def delete(self): note(emptied=True)
class Bucket:
    objects = Objects()
    def __init__(self, name): self.name = name
    def upload_file(self, place, key): note(bucket=self.name, key=key, content=open(place).read())
class Table:
    def __init__(self, name): self.name = name
    def put_item(self, Item): note(table=self.name, item=Item)
class Service:
    Bucket, Table = Bucket, Table
    def get_secret_value(self, SecretId): return {"SecretString": "secret-of-" + SecretId}
def client(name): return Service()
resource = client
`;

/**
 * Runs the function.
 *
 * @param resource the resource whose event it gets
 * @param changes properties that differ from those of the template
 * @param served files at the address of the release
 * @returns what it did, and what it answered
 */
async function deploy(
  resource: string,
  changes: Record<string, unknown>,
  served: Record<string, string> = {},
  RequestType = 'Create',
): Promise<{ done: Record<string, unknown>[]; answer: Record<string, unknown> }> {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'boto3'));
  writeFileSync(path.join(folder, 'boto3/__init__.py'), BOTO3);
  let answer = '';
  const server = createServer((request, response) => {
    if (request.method !== 'PUT') {
      const file = served[(request.url ?? '').slice(1)];
      response.writeHead(file === undefined ? 404 : 200).end(file);
      return;
    }
    request.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { Type, Properties } = resourceOf(resource);
  const event = {
    RequestType,
    ResponseURL: `${base}/answer`,
    StackId: 's',
    RequestId: 'r',
    LogicalResourceId: resource,
    ResourceType: Type,
    ResourceProperties: { ...Properties, Address: base, ...changes },
  };
  const script = `${inlineCode()}\nimport sys\nhandler(json.loads(sys.argv[1]), None)\n`;
  try {
    const { stdout } = await promisify(execFile)(
      '/usr/bin/python3',
      ['-B', '-c', script, JSON.stringify(event)],
      { env: { PYTHONPATH: folder } },
    );
    const lines = stdout.split('\n').filter((line) => line !== '');
    return {
      done: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
      answer: JSON.parse(answer) as Record<string, unknown>,
    };
  } finally {
    server.close();
  }
}

describe('the function in the template', () => {
  const file = (Name: string, content: string) => ({
    Name,
    Sha256: createHash('sha256').update(content).digest('hex'),
  });

  it('copies each file of the release, and names the bucket', async () => {
    const Files = [file('a.zip', 'one'), file('b.zip', 'two')];
    const served = { 'a.zip': 'one', 'b.zip': 'two' };
    const { done, answer } = await deploy('ReleaseFiles', { Bucket: 'release', Files }, served);
    expect(done).toEqual([
      { bucket: 'release', key: 'a.zip', content: 'one' },
      { bucket: 'release', key: 'b.zip', content: 'two' },
    ]);
    expect(answer).toEqual({
      Status: 'SUCCESS',
      PhysicalResourceId: 'ReleaseFiles',
      Data: { Bucket: 'release' },
      StackId: 's',
      RequestId: 'r',
      LogicalResourceId: 'ReleaseFiles',
    });
  });

  it.each([
    ['that was changed', { 'a.zip': 'other' }, /a\.zip is not the file of this release/],
    ['that is missing', {}, /404/],
  ])('copies no file %s, and says why', async (_, served: Record<string, string>, reason) => {
    const changes = { Bucket: 'release', Files: [file('a.zip', 'one')] };
    const { done, answer } = await deploy('ReleaseFiles', changes, served);
    expect(done).toEqual([]);
    expect(answer['Status']).toBe('FAILED');
    expect(answer['Reason']).toMatch(reason);
  });

  it('empties the bucket before it is deleted', async () => {
    const { done, answer } = await deploy('ReleaseFiles', { Bucket: 'release', Files: [] }, {}, 'Delete');
    expect(done).toEqual([{ emptied: true }]);
    expect(answer['Status']).toBe('SUCCESS');
  });

  it('stores the first token as the service itself does, with all scopes', async () => {
    const changes = { Table: 'tokens', Secret: 'first', Tenant: 'acme' };
    const { done, answer } = await deploy('FirstTokenStored', changes);
    expect(answer['Status']).toBe('SUCCESS');
    let item: Record<string, unknown> = {};
    const client = {
      send: ({ input }: PutItemCommand) => Promise.resolve((item = unmarshall(input.Item ?? {}))),
    } as unknown as DynamoDBClient;
    const minted = { tenant: 'acme', token: 'secret-of-first', name: 'first token', scopes: SCOPES };
    await new TokenStore(client, 'tokens').mint(minted);
    expect(done).toEqual([
      {
        table: 'tokens',
        item: { ...item, created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) as string },
      },
    ]);
    expect((await deploy('FirstTokenStored', changes, {}, 'Update')).done).toEqual([]);
  });
});
