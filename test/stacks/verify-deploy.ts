/**
 * Deploys every deployment of switches.ts into moto, an emulator of AWS, as far as it goes, and puts parliament on the
 * policies of the roles that are there then. Moto, the AWS CLI and parliament have to be on the PATH: `pip install -r
 * test/stacks/requirements-deploy.txt`. Nothing leaves the machine.
 *
 * `--since REVISION` also compares the templates with those of an earlier revision, as `cdk diff` shows them, and
 * fails if that update would replace or remove data or the address of the service. `--only TEXT` leaves the
 * deployments whose names contain it.
 */
import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { freePort } from '../support/free-port.ts';
import { changesBetween, inRevision } from './verify-update.ts';
import { placeholders, stacksIn } from './placeholders.ts';
import { temporaryFolder } from './support.ts';
import { DEPLOYMENTS } from './switches.ts';

/** Types that moto's CloudFormation does not create. They are left out, and references to them are their names. */
const NOT_IN_MOTO = new Set([
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::BasePathMapping',
  // Moto's stacks import no document: this script imports it, and there is nothing to deploy before.
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::DomainName',
  'AWS::ApiGateway::Stage',
  'AWS::CloudFormation::WaitConditionHandle',
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::Function',
  'AWS::CloudFront::OriginAccessControl',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::CloudWatch::Alarm',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::Lambda::Alias',
  'AWS::Lambda::CapacityProvider',
  'AWS::Logs::QueryDefinition',
  // The zone is not there.
  'AWS::Route53::RecordSet',
  'AWS::S3::BucketPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::SecretsManager::Secret',
  'AWS::WAFv2::WebACLAssociation',
  'AWS::XRay::SamplingRule',
  'Custom::CDKBucketDeployment',
  'Custom::S3AutoDeleteObjects',
]);

/** Findings of parliament that are no faults, and why. */
const PARLIAMENT: readonly (readonly [RegExp, string])[] = [
  [/RESOURCE_MISMATCH.*"logs:/, 'The ARN of a log group in moto lacks the :* of CloudFormation’s.'],
  [/RESOURCE_MISMATCH.*"secretsmanager:/, 'The secret is left out.'],
  [/RESOURCE_MISMATCH.*"states:DescribeExecution"/, 'Parliament knows executions of express machines only.'],
  [
    /RESOURCE_MISMATCH.*"s3:GetObjectAttributes"/,
    'The CDK’s function for the Studio has patterns of actions.',
  ],
  [/RESOURCE_STAR.*"ec2:/, 'Network interfaces that Lambda attaches have no names.'],
  [
    /Unknown condition lambda:SourceFunctionArn/,
    'Lambda’s guide denies these actions to code of functions so.',
  ],
];

const START_MS = 60_000;
const STACKS = ['Storage', 'Api'] as const;

interface Template {
  Resources: Record<
    string,
    { Type: string; Properties?: Record<string, unknown>; DependsOn?: string | string[] }
  >;
  Outputs?: Record<string, unknown>;
}

const { since, only = '' } = parseArgs({
  options: { since: { type: 'string' }, only: { type: 'string' } },
}).values;
const deployments = Object.entries(DEPLOYMENTS).filter(([name]) => name.includes(only));

/** @returns what the command prints @throws when it fails */
function aws(...args: readonly string[]): string {
  return execFileSync('aws', [...args, '--output', 'json'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function read(outdir: string, stack: string): Template {
  return JSON.parse(readFileSync(path.join(outdir, `${stack}.template.json`), 'utf8')) as Template;
}

/** The template without what moto does not create. */
function forMoto({ Resources, ...rest }: Template): Template {
  const left = new Set(
    Object.entries(Resources).flatMap(([id, { Type }]) => (NOT_IN_MOTO.has(Type) ? [id] : [])),
  );
  const named = JSON.parse(
    JSON.stringify({
      ...rest,
      Resources: Object.fromEntries(Object.entries(Resources).filter(([id]) => !left.has(id))),
      // The name of a function with its alias, as the CDK composes it.
    }).replaceAll('":live"', '":$LATEST"'),
    (_key, value: unknown) => {
      const { Ref, 'Fn::GetAtt': attribute } = (value ?? {}) as {
        Ref?: string;
        'Fn::GetAtt'?: [string, string];
      };
      const id = Ref ?? attribute?.[0];
      if (id === undefined || !left.has(id)) return value;
      const { Type = '', Properties = {} } = Resources[id] ?? {};
      if (Type !== 'AWS::Lambda::Alias') return `arn:aws:left-out:us-east-1:123456789012:${id}`;
      // Whoever calls an alias calls the function.
      const { Ref: target } = Properties['FunctionName'] as { Ref: string };
      return { 'Fn::Sub': `\${${target}.Arn}:$LATEST` };
    },
  ) as Template;
  for (const resource of Object.values(named.Resources))
    if (resource.DependsOn !== undefined)
      resource.DependsOn = [resource.DependsOn].flat().filter((id) => !left.has(id));
  return named;
}

/** What `cdk bootstrap` and the upload of assets leave in the account. */
function bootstrap(outdir: string): string {
  const bucket = 'cdk-hnb659fds-assets-123456789012-us-east-1';
  aws(
    'ssm',
    'put-parameter',
    '--name',
    '/cdk-bootstrap/hnb659fds/version',
    '--value',
    '21',
    '--type',
    'String',
  );
  aws('s3api', 'create-bucket', '--bucket', bucket);
  const folder = path.join(outdir, 'uploads');
  mkdirSync(folder);
  for (const stack of STACKS) {
    const { files } = JSON.parse(readFileSync(path.join(outdir, `${stack}.assets.json`), 'utf8')) as {
      files: Record<string, { destinations: Record<string, { objectKey: string }> }>;
    };
    for (const { destinations } of Object.values(files))
      for (const { objectKey } of Object.values(destinations))
        writeFileSync(path.join(folder, objectKey), EMPTY_ZIP);
    writeFileSync(path.join(folder, stack), JSON.stringify(forMoto(read(outdir, stack))));
  }
  execFileSync('aws', ['s3', 'sync', '--quiet', folder, `s3://${bucket}`]);
  return `https://${bucket}.s3.amazonaws.com`;
}

/** The end record of an archive without files. */
const EMPTY_ZIP = Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1');

interface Stack {
  StackStatus: string;
  StackStatusReason?: string;
}

/** The types that moto has said it does not create. */
function unsupported(): string[] {
  const said = readFileSync(log, 'utf8').matchAll(/No Moto CloudFormation support for (\S+)/g);
  return [...new Set(Array.from(said, ([, type = '']) => type))];
}

/** Creates a stack. @returns the number of its resources */
function create(template: Template, stack: string, url: string): number {
  const name = `verify-${stack}`;
  aws(
    ...['cloudformation', 'create-stack', '--stack-name', name, '--template-url', `${url}/${stack}`],
    ...['--capabilities', 'CAPABILITY_NAMED_IAM'],
  );
  const { Stacks } = JSON.parse(aws('cloudformation', 'describe-stacks', '--stack-name', name)) as {
    Stacks: Stack[];
  };
  assert.equal(Stacks[0]?.StackStatus, 'CREATE_COMPLETE', Stacks[0]?.StackStatusReason);
  return Object.keys(template.Resources).length;
}

/**
 * The methods of the API after the import of its document. Moto's stacks leave the document out, so it is imported
 * into a separate API, with a name for what the deployment fills in, and without mocks, which moto cannot import.
 */
function importedMethods(outdir: string): string[] {
  const api = Object.values(read(outdir, 'Api').Resources).find(
    ({ Type }) => Type === 'AWS::ApiGateway::RestApi',
  );
  const file = path.join(outdir, 'document.json');
  const document = JSON.stringify(api?.Properties?.['Body'], (_key, value: unknown) => {
    if (/^(Ref|Fn::\w+)$/.test(Object.keys(value ?? {}).join())) return 'arn:aws:filled:in';
    return (value as { type?: unknown } | null)?.type === 'mock' ? undefined : value;
  });
  writeFileSync(file, document);
  const { id } = JSON.parse(aws('apigateway', 'import-rest-api', '--body', `fileb://${file}`)) as {
    id: string;
  };
  const { items: found } = JSON.parse(
    aws('apigateway', 'get-resources', '--rest-api-id', id, '--limit', '500'),
  ) as { items: { path: string; resourceMethods?: object }[] };
  return found.flatMap(({ path: at, resourceMethods = {} }) =>
    Object.keys(resourceMethods).map((method) => `${method.replace(/^X-AMAZON.*-ANY-METHOD$/, 'ANY')} ${at}`),
  );
}

/** Parliament's findings about the policies of all roles that are in the account, as JSON. */
function findings(outdir: string): string[] {
  const file = path.join(outdir, 'authorization.json');
  writeFileSync(file, aws('iam', 'get-account-authorization-details', '--filter', 'Role'));
  let text: string;
  try {
    text = execFileSync('parliament', ['--auth-details-file', file, '--json'], { encoding: 'utf8' });
  } catch (error) {
    // It ends with 1 if it has found something.
    text = (error as { stdout?: string }).stdout ?? '';
  }
  return text.split('\n').filter((line) => line.startsWith('{'));
}

/** The reasons that were needed. */
const needed = new Set<string>();

function hasReason(finding: string): boolean {
  const [, reason] = PARLIAMENT.find(([pattern]) => pattern.test(finding)) ?? [];
  if (reason !== undefined) needed.add(reason);
  return reason !== undefined;
}

const port = await freePort();
const endpoint = `http://127.0.0.1:${port}`;
Object.assign(process.env, {
  AWS_ENDPOINT_URL: endpoint,
  AWS_ACCESS_KEY_ID: 'verify',
  AWS_SECRET_ACCESS_KEY: 'verify',
  AWS_DEFAULT_REGION: 'us-east-1',
});
const log = path.join(temporaryFolder(), 'moto.log');
// A file, since nothing is read from a pipe while a command of the AWS CLI runs.
const moto = spawn('moto_server', ['-p', String(port)], { stdio: ['ignore', 'ignore', openSync(log, 'w')] });
const started = Date.now();
while (
  !(await fetch(endpoint).then(
    () => true,
    () => false,
  ))
) {
  assert(moto.exitCode === null && Date.now() - started < START_MS, 'moto does not start.');
  await sleep(100);
}
const met = new Set<string>();
let failed = 0;
try {
  for (const [name, switches] of deployments) {
    await fetch(`${endpoint}/moto-api/reset`, { method: 'POST' });
    const outdir = temporaryFolder();
    stacksIn(outdir, switches, placeholders(temporaryFolder())).app.synth();
    try {
      const url = bootstrap(outdir);
      const counts = STACKS.map((stack) => {
        const template = read(outdir, stack);
        for (const { Type } of Object.values(template.Resources)) met.add(Type);
        return `${create(forMoto(template), stack, url)} of ${Object.keys(template.Resources).length}`;
      });
      assert.deepEqual(unsupported(), [], 'types that moto does not create');
      const paths = new Set(ROUTES.map((route) => `ANY ${route.path}`));
      const expected = [...ROUTES.map((route) => `${route.method} ${route.path}`), ...paths];
      assert.deepEqual(importedMethods(outdir).sort(), expected.sort(), 'the methods of the imported API');
      const faults = findings(outdir).filter((finding) => !hasReason(finding));
      assert.deepEqual(faults, [], 'what parliament says of the roles');
      console.log(`ok   a deployment ${name}: ${counts.join(' and ')} resources`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL a deployment ${name}: ${String(error)}`);
    }
  }
} finally {
  moto.kill();
  await once(moto, 'exit');
}
if (only === '') {
  for (const type of [...NOT_IN_MOTO].filter((one) => !met.has(one)))
    console.log(`     ${type} is in no deployment any more.`);
  for (const [, reason] of PARLIAMENT.filter(([, one]) => !needed.has(one)))
    console.log(`     Parliament finds nothing any more for: ${reason}`);
}
if (since !== undefined) {
  const earlier = inRevision(since);
  try {
    for (const [name, switches] of deployments) {
      const { text, forbidden } = changesBetween(earlier, switches);
      console.log(`\n${name}, since ${since}:\n${text}`);
      for (const line of forbidden) console.log(`FAIL ${line}`);
      failed += forbidden.length;
    }
  } finally {
    earlier.remove();
  }
}
process.exitCode = failed === 0 ? 0 : 1;
