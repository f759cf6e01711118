/**
 * Carries out the commands of docs/runbook.md, and those of docs/deploy.md for tokens, with the AWS CLI on the storage
 * stack in moto, an emulator of AWS. Both have to be on the PATH: `pip install -r
 * test/stacks/requirements-runbook.txt`. Nothing leaves the machine. Moto has no tables of earlier moments: the items
 * that a restored table holds are put there here.
 */
import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AttributeValue, BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { dynamoClient } from '../../functions/shared/store/storage/dynamodb.ts';
import { type NewTemplate, TemplateStore } from '../../functions/shared/store/templates.ts';
import { synthesize, temporaryFolder } from './support.ts';
import { freePort } from '../support/free-port.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();
/** Until moto answers. */
const START_MS = 60_000;
/** S3 and DynamoDB note moments to the second. */
const A_MOMENT_MS = 1_500;

/** The blocks of commands below a heading, as they stand; those within a list without their indentation. */
function blocksOf(page: string, heading: string): string[] {
  const text = readFileSync(path.join(root, 'docs', page), 'utf8');
  const [, section = ''] = text.split(`\n${heading}\n`);
  const own = section.split(/\n#{2,3} /)[0] ?? '';
  const blocks = [...own.matchAll(/^( *)```sh\n([^]*?)\n *```/gm)].map(([, indent = '', block = '']) =>
    block.replaceAll(`\n${indent}`, '\n').trimStart(),
  );
  const within = [...own.matchAll(/`(aws [^`…]+)`/g)].map(([, command = '']) => command);
  assert(blocks.length > 0, `${page} has no commands below "${heading}".`);
  return [...blocks, ...within];
}

/** Runs commands as an operator would. @returns what they print @throws when one of them fails */
function operator(...commands: readonly string[]): string {
  const script = ['set -euo pipefail', ...commands].join('\n');
  return execFileSync('bash', ['-c', script], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}

function holds(what: string): void {
  console.log(`ok   ${what}`);
}

/** A stack in moto. It takes a bootstrapped account, as the CDK's stacks do. */
function create(name: string, template: object): void {
  const file = path.join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(template));
  operator(
    'aws ssm put-parameter --overwrite --name /cdk-bootstrap/hnb659fds/version --value 21 --type String',
    `aws cloudformation create-stack --stack-name ${name} --template-body 'file://${file}'`,
    `aws cloudformation wait stack-create-complete --stack-name ${name}`,
  );
}

function createStacks(): void {
  const { storage, api } = synthesize();
  create('platen-storage', storage.toJSON());
  // Of the other stack what the runbook looks for: the schedule of the sweep.
  const rules = Object.entries(api.findResources('AWS::Events::Rule')).map(([id, rule]) => {
    const { Targets: _, ...properties } = rule['Properties'] as Record<string, unknown>;
    return [id, { Type: 'AWS::Events::Rule', Properties: properties }];
  });
  create('platen-api', { Resources: Object.fromEntries(rules) as object });
}

const draft = (name: string): NewTemplate => ({
  name,
  format: 'html',
  description: null,
  templatingEngine: 'jinja2',
  options: {},
  templateFile: file(name, 'text/html; charset=utf-8'),
  headerFile: null,
  footerFile: null,
  styleFiles: [{ ...file(`/* ${name} */`, 'text/css; charset=utf-8'), format: 'css', description: null }],
});

const file = (text: string, contentType: string) => ({
  bytes: Buffer.from(text),
  filename: null,
  contentType,
});

async function itemsOf(table: string): Promise<Record<string, AttributeValue>[]> {
  return (await dynamoClient().send(new ScanCommand({ TableName: table }))).Items ?? [];
}

async function restore(): Promise<void> {
  const [begin = '', stopSweep = '', restoreTable = '', restoreFiles = '', tokens = '', startSweep = ''] =
    blocksOf('runbook.md', '### Restore to one moment');
  const [table, bucket] = ['TABLE', 'BUCKET'].map((name) => operator(begin, `echo "$${name}"`));
  assert(table && bucket);
  // Moto's CloudFormation leaves both out.
  operator(
    begin,
    'aws s3api put-bucket-versioning --bucket "$BUCKET" --versioning-configuration Status=Enabled',
  );
  const store = new TemplateStore({ table, bucket });
  const lost = await store.add('acme', draft('lost'));
  const kept = await store.add('acme', draft('kept'));
  await sleep(A_MOMENT_MS);
  const moment = new Date().toISOString().replace(/\.\d+/, '');
  const items = await itemsOf(table);
  await sleep(A_MOMENT_MS);
  await store.remove('acme', lost.id);
  await assert.rejects(store.loadForRendering('acme', lost.id));
  const start = begin.replace(/^AT=.*$/m, `AT=${moment}`);
  assert(start.includes(moment));

  const states = 'aws events describe-rule --name "$RULE" --query State --output text';
  assert.equal(operator(start, stopSweep, states), 'DISABLED');
  holds('the sweep is stopped');

  operator(start, restoreTable);
  const restored = `${table}-restored`;
  const described = operator(
    `aws dynamodb describe-table --table-name '${restored}' --query Table.DeletionProtectionEnabled`,
    `aws dynamodb describe-continuous-backups --table-name '${restored}' ` +
      '--query ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus',
  );
  assert.equal(described, 'true\n"ENABLED"');
  holds('a table is restored, protected and can be taken back itself');
  const requests = items.map((Item) => ({ PutRequest: { Item } }));
  await dynamoClient().send(new BatchWriteItemCommand({ RequestItems: { [restored]: requests } }));

  const printed = operator(start, restoreFiles);
  // The html and the stylesheet, in the dry run and then in earnest.
  assert.equal(printed.split('\n').length, 4, printed);
  const then = new TemplateStore({ table: restored, bucket });
  for (const { id, name } of [lost, kept]) {
    const template = await then.loadForRendering('acme', id);
    assert.deepEqual(
      [template.file.text, template.styles.map(({ text }) => text)],
      [name, [`/* ${name} */`]],
    );
  }
  holds('both templates are there, with their files');

  assert.equal(operator(start, stopSweep, startSweep, states), 'ENABLED');
  holds('the sweep is started');

  const tokensTable = operator(start, 'stack TokensTable');
  operator(start, restoreTable.replaceAll('$TABLE', tokensTable), tokens);
  const lifetime = `aws dynamodb describe-time-to-live --table-name '${tokensTable}-restored'`;
  assert.match(operator(lifetime), /"ENABLED"[^]*expires_at_epoch/);
  holds('tokens are restored, and expire');
}

function release(): void {
  const [take = ''] = blocksOf('runbook.md', '### Take a release back');
  const [zip, role] = [path.join(folder, 'code.zip'), 'arn:aws:iam::123456789012:role/any'];
  operator(
    `cd '${folder}' && echo 'exports.handler = () => 1' > index.js && python3 -m zipfile -c code.zip index.js`,
    `aws iam create-role --role-name any --assume-role-policy-document '{}'`,
    `aws lambda create-function --function-name render --runtime nodejs24.x --handler index.handler \
      --role ${role} --zip-file 'fileb://${zip}' --publish`,
    `echo 'exports.handler = () => 2' > index.js && python3 -m zipfile -c code.zip index.js`,
    `aws lambda update-function-code --function-name render --zip-file 'fileb://${zip}' --publish`,
    'aws lambda create-alias --function-name render --name live --function-version 2',
  );
  const versions = operator('FUNCTION=render VERSION=1', take);
  assert.match(versions, /"1"[^]*"2"/);
  const alias = 'aws lambda get-alias --function-name render --name live --query FunctionVersion';
  assert.equal(operator(alias), '"1"');
  holds('an alias leads to the version before');
}

function tokens(): void {
  const [block = ''] = blocksOf('deploy.md', '## Tokens');
  const printed = operator(block.replace(/^.*revoke ID$/m, ''));
  const id = /^\w{8,}/m.exec(printed.split('\n').at(-1) ?? '')?.[0];
  assert(id, printed);
  operator(block.replace(/^.* (create|list).*$/gm, '').replace(/\bID$/m, id));
  holds('a token is made, listed and revoked');
}

const port = await freePort();
Object.assign(process.env, {
  AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  AWS_ACCESS_KEY_ID: 'nobody',
  AWS_SECRET_ACCESS_KEY: 'nothing',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  NO_PROXY: '127.0.0.1',
});
const moto = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
const failed = once(moto, 'error').then(([error]) => Promise.reject(error as Error));
try {
  for (const end = Date.now() + START_MS; ; await sleep(200)) {
    const answers = await Promise.race([
      fetch(`http://127.0.0.1:${port}/moto-api/`).catch(() => null),
      failed,
    ]);
    if (answers?.ok === true) break;
    assert(Date.now() < end, 'moto_server does not answer.');
  }
  createStacks();
  await restore();
  release();
  tokens();
} finally {
  moto.kill();
}
