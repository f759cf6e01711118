import { describe, expect, test } from 'vitest';
import { LOG_LEVELS } from '../../functions/shared/log.ts';
import { FUNCTION_NAMES, type FunctionName } from '../../lib/functions.ts';
import { ALLOWED_WORDS } from '../../lib/settings.ts';
import { type FunctionProperties, idIn, lambdas, resources, synthesize, type Value } from './support.ts';

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: Value | Value[];
  Condition?: unknown;
}

const { api, storage } = synthesize();
const functions = lambdas(api);

function properties(name: FunctionName, among = functions): FunctionProperties {
  const found = among.get(name)?.[1];
  if (found === undefined) throw new Error(`there is no function ${name}`);
  return found;
}

/** `templates`, `tokens`, `files`, `files/tenants/*`, `own log` or what else the statement names. */
function place(resource: Value): string {
  const text = JSON.stringify(resource);
  if (text.includes('Log')) return 'own log';
  const table = /ExportsOutputFnGetAtt(Templates|Tokens|Files)[0-9A-F]{8}Arn/.exec(text)?.[1]?.toLowerCase();
  if (table === undefined) return typeof resource === 'string' ? resource : text;
  const suffix = /"(\/[^"]*)"\]\]/.exec(text)?.[1] ?? '';
  return `${table}${suffix}`;
}

/** Everything a function's role allows, as `action on place`. */
function rights(name: FunctionName, template = api): string[] {
  const role = idIn(properties(name, lambdas(template)).Role);
  const [, { Properties }] = resources<Record<string, unknown>>(template, 'AWS::IAM::Role').find(
    ([id]) => id === role,
  ) ?? ['', { Type: '', Properties: {} }];
  expect(Object.keys(Properties).sort()).toEqual(['AssumeRolePolicyDocument', 'Description']);

  const policies = resources<{ Roles: Value[]; PolicyDocument: { Statement: Statement[] } }>(
    template,
    'AWS::IAM::Policy',
  ).filter(([, policy]) => policy.Properties.Roles.some((attached) => idIn(attached) === role));
  return policies
    .flatMap(([, policy]) => policy.Properties.PolicyDocument.Statement)
    .flatMap((statement) => {
      expect(statement.Effect).toBe('Allow');
      const condition = statement.Condition === undefined ? '' : ` if ${JSON.stringify(statement.Condition)}`;
      return [statement.Action]
        .flat()
        .flatMap((action) =>
          [statement.Resource].flat().map((resource) => `${action} on ${place(resource)}${condition}`),
        );
    })
    .sort();
}

const EVERYBODY = [
  'logs:CreateLogStream on own log',
  'logs:PutLogEvents on own log',
  'xray:PutTelemetryRecords on *',
  'xray:PutTraceSegments on *',
];
const LIST = 's3:ListBucket on files if {"StringLike":{"s3:prefix":"tenants/*"}}';
/** It deletes files of templates, never a template. */
const SWEEP_NOTES = ' if {"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["SWEEP"]}}';

const RIGHTS: Record<FunctionName, string[]> = {
  service: [],
  jobs: [],
  pdf: [],
  authorizer: ['dynamodb:GetItem on tokens'],
  templates: [
    ...['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map(
      (action) => `dynamodb:${action} on templates`,
    ),
    ...['GetObject', 'PutObject', 'DeleteObject'].map((action) => `s3:${action} on files/tenants/*`),
    LIST,
  ],
  sweep: [
    'dynamodb:GetItem on templates',
    `dynamodb:PutItem on templates${SWEEP_NOTES}`,
    `dynamodb:DeleteItem on templates${SWEEP_NOTES}`,
    's3:DeleteObject on files/tenants/*',
    LIST,
  ],
  render: ['dynamodb:GetItem on templates', 's3:GetObject on files/tenants/*'],
  images: ['dynamodb:GetItem on templates', 's3:GetObject on files/tenants/*'],
};

describe.each(FUNCTION_NAMES)('the role of %s', (name) => {
  test('allows its own actions on its own places, and nothing else', () => {
    expect(rights(name)).toEqual([...EVERYBODY, ...RIGHTS[name]].sort());
  });

  test('is nobody else’s, and Lambda’s alone to take', () => {
    const role = idIn(properties(name).Role);
    const sharing = [...functions.values()].filter(([, other]) => idIn(other.Role) === role);
    expect(sharing).toHaveLength(1);
    const [, { Properties }] = resources<{ AssumeRolePolicyDocument: { Statement: unknown[] } }>(
      api,
      'AWS::IAM::Role',
    ).find(([id]) => id === role) ?? [
      '',
      { Type: '', Properties: { AssumeRolePolicyDocument: { Statement: [] } } },
    ];
    expect(Properties.AssumeRolePolicyDocument.Statement).toEqual([
      { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
    ]);
  });
});

const VARIABLES: Record<FunctionName, string[]> = {
  service: [],
  jobs: [],
  pdf: [],
  authorizer: ['PLATEN_TOKENS_TABLE'],
  templates: ['PLATEN_FILES_BUCKET', 'PLATEN_TEMPLATES_TABLE'],
  sweep: ['PLATEN_FILES_BUCKET', 'PLATEN_TEMPLATES_TABLE'],
  images: ['PLATEN_FILES_BUCKET', 'PLATEN_TEMPLATES_TABLE'],
  render: ['PLATEN_CHROME_MODE', 'PLATEN_FILES_BUCKET', 'PLATEN_OUTSIDE_RESOURCES', 'PLATEN_TEMPLATES_TABLE'],
};

describe.each(FUNCTION_NAMES)('%s', (name) => {
  const own = properties(name);

  test('gets the variables it reads and no others', () => {
    expect(Object.keys(own.Environment.Variables).sort()).toEqual(
      ['PLATEN_LOG_LEVEL', ...VARIABLES[name]].sort(),
    );
  });

  test('runs on Node 24, x86_64, traced', () => {
    expect(own).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['x86_64'],
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
    });
  });

  test('has a log group of its own with an end, and loses none of its lines to a filter of Lambda’s', () => {
    const log = idIn(own.LoggingConfig['LogGroup']);
    expect(
      [...functions.values()].filter(([, other]) => idIn(other.LoggingConfig['LogGroup']) === log),
    ).toHaveLength(1);
    const [, { Properties }] = resources<{ RetentionInDays: number }>(api, 'AWS::Logs::LogGroup').find(
      ([id]) => id === log,
    ) ?? ['', { Type: '', Properties: { RetentionInDays: 0 } }];
    expect(Properties.RetentionInDays).toBe(30);
    expect(own.LoggingConfig).toMatchObject({ LogFormat: 'JSON', ApplicationLogLevel: 'TRACE' });
  });

  test('is stopped before the gateway stops waiting', () => {
    expect(own.Timeout).toBeLessThanOrEqual(900);
  });
});

test('the names of tables and bucket come from the storage stack', () => {
  const exports = Object.values(
    storage.toJSON()['Outputs'] as Record<string, { Export?: { Name: string }; Value: Value }>,
  );
  const exported = (variable: Value | undefined) => {
    const name = typeof variable === 'object' ? variable['Fn::ImportValue'] : undefined;
    return idIn(exports.find((output) => output.Export?.Name === name)?.Value);
  };
  const variables = properties('templates').Environment.Variables;
  expect(exported(variables['PLATEN_TEMPLATES_TABLE'])).toMatch(/^Templates/);
  expect(exported(variables['PLATEN_FILES_BUCKET'])).toMatch(/^Files/);
  const tokens = properties('authorizer').Environment.Variables['PLATEN_TOKENS_TABLE'];
  expect(exported(tokens)).toMatch(/^Tokens/);
});

describe('render', () => {
  test('has the browser and the fonts as layers, room to unpack, and memory for it', () => {
    const render = properties('render');
    const layers = (render.Layers ?? []).map((layer) => idIn(layer));
    const found = resources<{ CompatibleRuntimes: string[]; Description: string }>(
      api,
      'AWS::Lambda::LayerVersion',
    );
    expect(layers).toHaveLength(2);
    expect(found.map(([id]) => id).sort()).toEqual([...layers].sort());
    expect(found.map(([, { Properties }]) => Properties.Description).sort()).toEqual([
      'Platen: chromium',
      'Platen: fonts',
    ]);
    expect(render.MemorySize).toBeGreaterThanOrEqual(2048);
    expect(render.EphemeralStorage?.Size).toBe(2048);
    expect(render.Timeout).toBe(900);
  });

  test('is the only one with layers, and is limited by nothing but the account', () => {
    expect(FUNCTION_NAMES.filter((name) => properties(name).Layers !== undefined)).toEqual(['render']);
    expect(FUNCTION_NAMES.filter((name) => 'ReservedConcurrentExecutions' in properties(name))).toEqual([]);
  });
});

test('the switches reach the functions they are for', () => {
  const switched = lambdas(
    synthesize({
      logLevel: 'debug',
      outsideResources: 'fonts.example.org, *.example.com',
      chromeMode: 'single',
      renderMemory: '3008',
      renderConcurrency: '7',
      logRetentionDays: '365',
    }).api,
  );
  const render = properties('render', switched);
  expect(render.Environment.Variables).toMatchObject({
    PLATEN_LOG_LEVEL: 'debug',
    PLATEN_OUTSIDE_RESOURCES: 'fonts.example.org, *.example.com',
    PLATEN_CHROME_MODE: 'single',
  });
  expect(render).toMatchObject({ MemorySize: 3008, ReservedConcurrentExecutions: 7 });
  expect(properties('templates', switched)).toMatchObject({ MemorySize: 1024 });
  expect(properties('templates', switched)).not.toHaveProperty('ReservedConcurrentExecutions');
});

test('the levels of logging that can be switched on are those the functions know', () => {
  expect(ALLOWED_WORDS.logLevel).toEqual([...LOG_LEVELS]);
});
