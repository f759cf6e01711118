import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { resources, synthesize, type Templates } from './support.ts';

/**
 * What CloudFormation would do with these templates, worked out from their policies and names: a first deployment that
 * fails halfway and is tried again, a service that is removed and deployed again, a release that is taken back.
 */

interface Resource {
  Type: string;
  Properties?: Record<string, unknown>;
  DeletionPolicy?: string;
}

/** Properties that give a resource a name, which nothing else in the account and region may have. */
const NAMES = [
  'TableName',
  'BucketName',
  'FunctionName',
  'RoleName',
  'LogGroupName',
  'StateMachineName',
  'QueueName',
  'AlarmName',
  'DashboardName',
  'TopicName',
  'RuleName',
  'LayerName',
  'PolicyName',
  'ApplicationName',
];
/** Types whose resources such a property names; elsewhere it refers to something. */
const NAMED =
  /^AWS::(DynamoDB::Table|S3::Bucket|Lambda::Function|IAM::Role|Logs::LogGroup|StepFunctions::StateMachine|SQS::Queue|CloudWatch::Alarm|CloudWatch::Dashboard|CodeDeploy::Application)$/;

function all({ api, storage }: Templates): [string, Resource][] {
  const of = (template: Template) =>
    Object.entries(template.toJSON()['Resources'] as Record<string, Resource>);
  return [...of(storage), ...of(api)];
}

/** A name that is the same for every stack of these switches; undefined where each stack has its own. */
function fixedName({ Type, Properties = {} }: Resource): string | undefined {
  if (!NAMED.test(Type)) return undefined;
  const name = NAMES.map((property) => Properties[property]).find((value) => value !== undefined);
  return name === undefined || JSON.stringify(name).includes('AWS::StackId')
    ? undefined
    : JSON.stringify(name);
}

/** What is there still after the creation of the stacks was rolled back. */
const afterRollback = ({ DeletionPolicy }: Resource) => DeletionPolicy === 'Retain';
/** What is there still after the stacks were deleted. */
const afterDestroy = ({ DeletionPolicy = 'Delete' }: Resource) => DeletionPolicy !== 'Delete';

const SWITCHES: Record<string, unknown>[] = [
  {},
  { isolated: true },
  { convert: false },
  { release: 'linear', batchConcurrency: 5 },
  { renderProvisioned: 2 },
];

describe.each(SWITCHES)('with %j', (switches) => {
  const deployed = all(synthesize(switches));

  test('a first deployment that failed halfway leaves nothing that prevents the next one', () => {
    const left = deployed.filter(([, resource]) => afterRollback(resource));
    expect(left.flatMap(([, resource]) => fixedName(resource) ?? [])).toEqual([]);
    // Versions go with their function, and the account's role for logs is the account's.
    const types = new Set(left.map(([, { Type }]) => Type).filter((type) => type !== 'AWS::Lambda::Version'));
    expect(types).toEqual(new Set(['AWS::DynamoDB::Table', 'AWS::IAM::Role', 'AWS::ApiGateway::Account']));
  });

  test('only empty tables, which are protected from deletion, are left by that', () => {
    const tables = deployed.filter(([, { Type }]) => Type === 'AWS::DynamoDB::Table');
    expect(tables).toHaveLength(3);
    for (const [, { Properties, DeletionPolicy }] of tables)
      expect([Properties?.['DeletionProtectionEnabled'], DeletionPolicy]).toEqual([true, 'Retain']);
  });

  test('a service that was removed leaves its data and its logs, and is deployed again beside them', () => {
    const left = deployed.filter(([, resource]) => afterDestroy(resource));
    expect(left.flatMap(([, resource]) => fixedName(resource) ?? [])).toEqual([]);
    const data = left
      .map(([, { Type }]) => Type)
      .filter((type) => !/Lambda::Version|IAM::Role|Account$/.test(type));
    expect(new Set(data)).toEqual(
      new Set([
        'AWS::DynamoDB::Table',
        'AWS::S3::Bucket',
        'AWS::S3::BucketPolicy',
        'AWS::SecretsManager::Secret',
        'AWS::Logs::LogGroup',
      ]),
    );
  });

  test('one name is fixed, and free again after its stack was deleted', () => {
    // Functions are told of the state machine by its name, as it is told of them.
    const fixed = deployed.flatMap(([, resource]) => fixedName(resource) ?? []);
    expect(fixed).toEqual(['"platen-jobs"']);
    const machine = deployed.find(([, { Type }]) => Type === 'AWS::StepFunctions::StateMachine')?.[1];
    expect([machine?.DeletionPolicy ?? 'Delete']).toEqual(['Delete']);
  });
});

test('a deployment with removal destroy leaves only the role of the account for logs', () => {
  const left = all(synthesize({ removal: 'destroy' })).filter(([, resource]) => afterDestroy(resource));
  expect(left.map(([, { Type }]) => Type).sort()).toEqual(['AWS::ApiGateway::Account', 'AWS::IAM::Role']);
});

describe('a service that adopts existing storage', () => {
  const names = {
    templatesTable: 'old-templates',
    tokensTable: 'old-tokens',
    jobsTable: 'old-jobs',
    filesBucket: 'old-files',
    sealingSecretArn: 'arn:aws:secretsmanager:eu-west-1:111111111111:secret:old-AbCdEf',
  };
  const adopting = synthesize(names);

  test('creates none of its own, and a stack that CloudFormation still accepts', () => {
    expect(all(adopting).filter(([, { Type }]) => /DynamoDB|S3::|Secret/.test(Type))).toEqual([]);
    expect(Object.keys(adopting.storage.toJSON()['Resources'] as object)).toHaveLength(1);
  });

  test('refers functions, their roles and operators to the old ones', () => {
    const text = JSON.stringify(adopting.api.toJSON());
    expect(text).not.toContain('Fn::ImportValue');
    for (const part of [
      ':table/old-templates',
      ':table/old-tokens',
      ':table/old-jobs',
      ':s3:::old-files/tenants/*',
    ])
      expect(text).toContain(part);
    expect(text).toContain(names.sealingSecretArn);
    const outputs = adopting.storage.toJSON()['Outputs'] as Record<string, { Value: unknown }>;
    expect(Object.fromEntries(Object.entries(outputs).map(([key, { Value }]) => [key, Value]))).toEqual({
      TemplatesTable: 'old-templates',
      TokensTable: 'old-tokens',
      JobsTable: 'old-jobs',
      FilesBucket: 'old-files',
      SealingSecret: names.sealingSecretArn,
    });
  });

  test('may adopt one table, as after restoring it, and keep the rest', () => {
    const some = synthesize({ templatesTable: 'restored' });
    some.storage.resourceCountIs('AWS::DynamoDB::Table', 2);
    some.storage.resourceCountIs('AWS::S3::Bucket', 1);
  });

  test('lets the API go first: no export that is in use changes', () => {
    // `cdk deploy Api --exclusively` ends the imports, then the storage stack may end the exports.
    const before = synthesize().storage.toJSON()['Outputs'] as Record<string, { Export?: { Name: string } }>;
    const exported = Object.values(before).flatMap(({ Export }) => Export?.Name ?? []);
    expect(exported.length).toBeGreaterThan(5);
    const after = JSON.stringify(adopting.api.toJSON());
    expect(exported.filter((name) => after.includes(name))).toEqual([]);
  });
});

describe('a release by steps', () => {
  const { api } = synthesize({ release: 'linear' });
  const aliases = resources<{ Name: string; FunctionName: { Ref: string }; FunctionVersion: unknown }>(
    api,
    'AWS::Lambda::Alias',
  );
  const text = (type: string) => JSON.stringify(resources(api, type).map(([, { Properties }]) => Properties));

  test('is behind an alias of each function, and callers call only the alias', () => {
    const functions = resources(api, 'AWS::Lambda::Function').map(([id]) => id);
    expect(aliases.map(([, { Properties }]) => Properties.FunctionName.Ref).sort()).toEqual(functions.sort());
    for (const type of [
      'AWS::ApiGateway::RestApi',
      'AWS::StepFunctions::StateMachine',
      'AWS::Lambda::EventSourceMapping',
      'AWS::Events::Rule',
      'AWS::Lambda::Permission',
    ]) {
      for (const id of functions) expect(text(type), type).not.toContain(`"${id}"`);
    }
    // Of the roles' rights, those to call a function are for its alias.
    const calls = resources<{ PolicyDocument: { Statement: { Action: unknown; Resource: unknown }[] } }>(
      api,
      'AWS::IAM::Policy',
    ).flatMap(([, { Properties }]) =>
      Properties.PolicyDocument.Statement.filter(({ Action }) => Action === 'lambda:InvokeFunction'),
    );
    expect(calls.length).toBeGreaterThan(2);
    for (const id of functions) expect(JSON.stringify(calls)).not.toContain(`"${id}"`);
  });

  test('is rolled back by CodeDeploy when one of its alarms fires, and keeps old versions', () => {
    const groups = resources<{
      DeploymentConfigName: string;
      AutoRollbackConfiguration: { Enabled: boolean; Events: string[] };
      AlarmConfiguration: { Alarms: { Name: { Ref: string } }[] };
    }>(api, 'AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(aliases.length);
    for (const [, { Properties }] of groups) {
      expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaLinear10PercentEvery1Minute');
      expect(Properties.AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
      const watched = Properties.AlarmConfiguration.Alarms.map(({ Name }) => Name.Ref);
      expect(watched).toEqual([
        expect.stringMatching(/^Releases\w+release/),
        expect.stringContaining('apirelease'),
      ]);
    }
    expect(JSON.stringify(aliases)).toContain('CodeDeployLambdaAliasUpdate');
    for (const [, { DeletionPolicy }] of resources(api, 'AWS::Lambda::Version'))
      expect(DeletionPolicy).toBe('Retain');
  });

  test('changes the version, and so the alias, when a function changes and not otherwise', () => {
    const version = (switches: Record<string, unknown>, name: string) =>
      resources(synthesize({ release: 'linear', ...switches }).api, 'AWS::Lambda::Version')
        .map(([id]) => id)
        .find((id) => id.startsWith(`${name}Function`));
    expect(version({}, 'render')).toBe(version({}, 'render'));
    expect(version({ renderMemory: 4096 }, 'render')).not.toBe(version({}, 'render'));
    expect(version({ renderMemory: 4096 }, 'pdf')).toBe(version({}, 'pdf'));
  });

  test('is not there unless it is asked for', () => {
    const plain = synthesize().api;
    for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Version', 'AWS::CodeDeploy::Application'])
      plain.resourceCountIs(type, 0);
  });
});

test('provisioned concurrency is render’s alone, behind an alias', () => {
  const aliases = resources<Record<string, unknown>>(
    synthesize({ renderProvisioned: '3' }).api,
    'AWS::Lambda::Alias',
  );
  expect(aliases.map(([, { Properties }]) => Properties)).toEqual([
    expect.objectContaining({ ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 3 } }),
  ]);
});
