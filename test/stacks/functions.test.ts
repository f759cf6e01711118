import { describe, expect, test } from 'vitest';
import { readConfig as readConvertConfig } from '../../functions/convert/config.ts';
import { readConfig as readPdfConfig } from '../../functions/pdf/config.ts';
import { readConfig as readRenderConfig } from '../../functions/render/config.ts';
import { LOG_LEVELS } from '../../functions/shared/log.ts';
import { FUNCTION_NAMES, type FunctionName, FUNCTIONS } from '../../lib/functions.ts';
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
  const [, callee] = /"(convert|render)Function/.exec(text) ?? [];
  if (callee !== undefined) return callee;
  if (text.includes('stateMachine:platen-jobs')) return 'job machine';
  if (text.includes('execution:platen-jobs:*')) return 'jobs under way';
  if (/"WebhooksQueue[0-9A-F]{8}","Arn"/.test(text)) return 'webhooks';
  if (/ExportsOutputRefSealing[0-9A-F]{8}/.test(text)) return 'sealing';
  const table = /ExportsOutputFnGetAtt(Templates|Tokens|Jobs|Files)[0-9A-F]{8}Arn/
    .exec(text)?.[1]
    ?.toLowerCase();
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
      expect(statement.Effect).toMatch(/^(Allow|Deny)$/);
      const denied = statement.Effect === 'Deny' ? 'never ' : '';
      const condition = statement.Condition === undefined ? '' : ` if ${JSON.stringify(statement.Condition)}`;
      return [statement.Action]
        .flat()
        .flatMap((action) =>
          [statement.Resource]
            .flat()
            .map((resource) => `${denied}${action} on ${place(resource)}${condition}`),
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
const LIST_ALL = 's3:ListBucket on files if {"StringLike":{"s3:prefix":"tenants/*"}}';
/** Enough to learn that an object is gone, and of use only to who knows tenant and template. */
/** The same for partials and fonts, by whoever fills and prints. */
const LIST_TENANT = ['templates', 'partials', 'fonts'].map(
  (kind) => `s3:ListBucket on files if {"StringLike":{"s3:prefix":"tenants/*/${kind}/*/*"}}`,
);
const LIST_KNOWN = 's3:ListBucket on files if {"StringLike":{"s3:prefix":"tenants/*/templates/*/*"}}';
/** Uploads of a tenant whose name and id are known. */
const READ_UPLOADS = [
  's3:GetObject on files/uploads/*',
  's3:ListBucket on files if {"StringLike":{"s3:prefix":"uploads/*/*/*"}}',
];
/** Makes jobs, and does what they are for. */
const WORK_ON_JOBS = [
  ...['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map(
    (action) => `dynamodb:${action} on jobs`,
  ),
  ...['GetObject', 'PutObject', 'AbortMultipartUpload'].flatMap((action) => [
    `s3:${action} on files/jobs/*`,
    `s3:${action} on files/answers/*`,
  ]),
  's3:DeleteObject on files/jobs/*',
  's3:ListBucket on files if {"StringLike":{"s3:prefix":"jobs/*/*/*"}}',
  's3:ListBucket on files if {"StringLike":{"s3:prefix":"answers/*/*"}}',
  'states:StartExecution on job machine',
  'secretsmanager:GetSecretValue on sealing',
];
/** Documents on their way to another function and back. */
const TRANSFERS = ['GetObject', 'PutObject', 'DeleteObject'].map(
  (action) => `s3:${action} on files/transfers/*`,
);
const NETWORK_INTERFACES = [
  'AssignPrivateIpAddresses',
  'CreateNetworkInterface',
  'DeleteNetworkInterface',
  'DescribeNetworkInterfaces',
  'DescribeSubnets',
  'UnassignPrivateIpAddresses',
];
const FROM_THE_FUNCTION = JSON.stringify({
  ArnLike: {
    'lambda:SourceFunctionArn': {
      'Fn::Join': [
        '',
        [
          'arn:',
          { Ref: 'AWS::Partition' },
          ':lambda:',
          { Ref: 'AWS::Region' },
          ':',
          { Ref: 'AWS::AccountId' },
          ':function:*',
        ],
      ],
    },
  },
});
/** It deletes files of templates, never a template. */
const SWEEP_NOTES = ' if {"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["SWEEP"]}}';

/** Keys of tenants, and nothing else of the table. */
const ON_KEYS = ' if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["KEYS#*"]}}';

/** Which fonts a tenant has, and their files, for whoever sets text and does not print. */
const FIND_FONTS =
  'dynamodb:Query on templates if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["TENANT#*"]}}';
const READ_FONTS = [
  FIND_FONTS,
  's3:GetObject on files/tenants/*/fonts/*',
  's3:ListBucket on files if {"StringLike":{"s3:prefix":"tenants/*/fonts/*/*"}}',
];

/** Counters of requests, and no token. */
const COUNT_USE =
  'dynamodb:UpdateItem on tokens if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["USAGE#*"]}}';

const RIGHTS: Record<FunctionName, string[]> = {
  service: [],
  jobs: [
    COUNT_USE,
    // Of what callers send with the forms it signs.
    's3:PutObject on files/uploads/*',
    ...['GetItem', 'Query', 'Scan', 'UpdateItem', 'DeleteItem'].map((action) => `dynamodb:${action} on jobs`),
    's3:GetObject on files/jobs/*',
    's3:DeleteObject on files/jobs/*',
    's3:ListBucket on files if {"StringLike":{"s3:prefix":"jobs/*/*/*"}}',
    'states:StartExecution on job machine',
    'states:StopExecution on jobs under way',
  ],
  webhook: [
    ...['GetItem', 'Query', 'UpdateItem'].map((action) => `dynamodb:${action} on jobs`),
    ...[
      'ReceiveMessage',
      'ChangeMessageVisibility',
      'GetQueueUrl',
      'DeleteMessage',
      'GetQueueAttributes',
    ].map((action) => `sqs:${action} on webhooks`),
  ],
  pdf: [
    COUNT_USE,
    ...['GetItem', 'Query', 'PutItem', 'DeleteItem'].map(
      (action) => `dynamodb:${action} on templates${ON_KEYS}`,
    ),
    ...READ_FONTS,
    ...TRANSFERS,
    // Prints the html of stamps.
    'lambda:InvokeFunction on render',
    ...READ_UPLOADS,
    ...WORK_ON_JOBS,
  ],
  // What its engines read is made by strangers: there is nothing it could take. Lambda itself makes the network
  // interfaces; code that runs as the function must not.
  convert: [
    ...NETWORK_INTERFACES.map((action) => `ec2:${action} on *`),
    ...NETWORK_INTERFACES.map((action) => `never ec2:${action} on * if ${FROM_THE_FUNCTION}`),
  ],
  authorizer: ['dynamodb:GetItem on tokens'],
  // Nobody else may write tokens.
  tokens: ['GetItem', 'Scan', 'PutItem', 'UpdateItem'].map((action) => `dynamodb:${action} on tokens`),
  templates: [
    COUNT_USE,
    ...['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map(
      (action) => `dynamodb:${action} on templates`,
    ),
    ...['GetObject', 'PutObject', 'DeleteObject'].map((action) => `s3:${action} on files/tenants/*`),
    ...LIST_TENANT,
    ...READ_UPLOADS,
  ],
  sweep: [
    ...['GetItem', 'Query', 'DeleteItem'].map((action) => `dynamodb:${action} on templates`),
    `dynamodb:PutItem on templates${SWEEP_NOTES}`,
    `dynamodb:DeleteItem on templates${SWEEP_NOTES}`,
    's3:DeleteObject on files/tenants/*',
    LIST_ALL,
  ],
  render: [
    COUNT_USE,
    'dynamodb:GetItem on templates',
    'dynamodb:BatchGetItem on templates',
    'dynamodb:Query on templates',
    `dynamodb:GetItem on templates${ON_KEYS}`,
    's3:GetObject on files/tenants/*',
    ...TRANSFERS,
    'lambda:InvokeFunction on convert',
    ...LIST_TENANT,
    ...READ_UPLOADS,
    ...WORK_ON_JOBS,
  ],
  images: [
    COUNT_USE,
    ...READ_FONTS,
    'dynamodb:GetItem on templates',
    `dynamodb:GetItem on templates${ON_KEYS}`,
    's3:GetObject on files/tenants/*',
    ...TRANSFERS,
    'lambda:InvokeFunction on convert',
    'lambda:InvokeFunction on render',
    LIST_KNOWN,
    ...READ_UPLOADS,
    ...WORK_ON_JOBS,
  ],
};

describe.each(FUNCTION_NAMES)('the role of %s', (name) => {
  test('allows its own actions on its own resources, and no others', () => {
    expect(rights(name)).toEqual([...EVERYBODY, ...RIGHTS[name]].sort());
  });

  test('belongs to one function, and only Lambda may assume it', () => {
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

const JOBS = ['PLATEN_JOBS_MACHINE', 'PLATEN_JOBS_TABLE', 'PLATEN_JOB_DAYS'];
const JOB_WORK = [...JOBS, 'PLATEN_SEALING_SECRET'];

const VARIABLES: Record<FunctionName, string[]> = {
  service: ['PLATEN_METRICS_NAMESPACE'],
  jobs: ['PLATEN_FILES_BUCKET', 'PLATEN_TOKENS_TABLE', 'PLATEN_METRICS_NAMESPACE', ...JOBS],
  webhook: ['PLATEN_JOBS_TABLE', 'PLATEN_WEBHOOK_QUEUE'],
  pdf: [
    'PLATEN_FILES_BUCKET',
    'PLATEN_RENDER_FUNCTION',
    'PLATEN_TEMPLATES_TABLE',
    'PLATEN_TOKENS_TABLE',
    'PLATEN_METRICS_NAMESPACE',
    ...JOB_WORK,
  ],
  convert: [],
  authorizer: ['PLATEN_TOKENS_TABLE'],
  tokens: ['PLATEN_TOKENS_TABLE', 'PLATEN_METRICS_NAMESPACE'],
  templates: [
    'PLATEN_FILES_BUCKET',
    'PLATEN_TEMPLATES_TABLE',
    'PLATEN_TOKENS_TABLE',
    'PLATEN_METRICS_NAMESPACE',
  ],
  sweep: ['PLATEN_FILES_BUCKET', 'PLATEN_TEMPLATES_TABLE'],
  images: [
    'PLATEN_CONVERT_FUNCTION',
    'PLATEN_FILES_BUCKET',
    'PLATEN_RENDER_FUNCTION',
    'PLATEN_TEMPLATES_TABLE',
    'PLATEN_TOKENS_TABLE',
    'PLATEN_METRICS_NAMESPACE',
    ...JOB_WORK,
  ],
  render: [
    'PLATEN_CHROME_MODE',
    'PLATEN_CONVERT_FUNCTION',
    'PLATEN_FILES_BUCKET',
    'PLATEN_OUTSIDE_RESOURCES',
    'PLATEN_TEMPLATES_TABLE',
    'PLATEN_TOKENS_TABLE',
    'PLATEN_METRICS_NAMESPACE',
    ...JOB_WORK,
  ],
};

describe.each(FUNCTION_NAMES)('%s', (name) => {
  const own = properties(name);

  test('gets the variables it reads and no others', () => {
    expect(Object.keys(own.Environment.Variables).sort()).toEqual(
      ['MALLOC_ARENA_MAX', 'PLATEN_LOG_LEVEL', ...VARIABLES[name]].sort(),
    );
  });

  test('runs on Node 24, traced, on Graviton unless it has machine code', () => {
    const { layers, container } = FUNCTIONS[name];
    const code =
      name === 'convert'
        ? { PackageType: 'Image', ImageConfig: { Command: ['index.handler'] } }
        : { Runtime: 'nodejs24.x', Handler: 'index.handler' };
    expect(own).toMatchObject({
      ...code,
      Architectures: [layers === undefined && container === undefined ? 'arm64' : 'x86_64'],
      TracingConfig: { Mode: 'Active' },
    });
  });

  test('has its own log group with a retention, and no log filter of Lambda', () => {
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
  test('has enough storage to unpack the browser, enough memory, and the longest timeout', () => {
    const render = properties('render');
    expect(render.MemorySize).toBeGreaterThanOrEqual(2048);
    expect(render.EphemeralStorage?.Size).toBe(2048);
    expect(render.Timeout).toBe(900);
  });
});

describe('a deployment without convert', () => {
  const without = lambdas(synthesize({ convert: 'false' }).api);

  test('has no image, and render has no variable for it', () => {
    expect(without.has('convert')).toBe(false);
    expect(properties('render', without).Environment.Variables).not.toHaveProperty('PLATEN_CONVERT_FUNCTION');
    expect(without.size).toBe(functions.size - 1);
  });
});

describe('layers', () => {
  const layers = new Map(resources<{ Description: string }>(api, 'AWS::Lambda::LayerVersion'));
  const carriedBy = (name: FunctionName) =>
    (properties(name).Layers ?? []).map((layer) => layers.get(idIn(layer))?.Properties.Description);

  test.each([
    ['render', ['Platen: chromium', 'Platen: fonts', 'Platen: native']],
    ['images', ['Platen: fonts', 'Platen: native']],
    ['pdf', ['Platen: fonts', 'Platen: native']],
  ] as const)('%s carries %j', (name, expected) => {
    expect(carriedBy(name)).toEqual(expected);
  });

  test('are deployed once each, and only with the functions that need them', () => {
    expect(layers.size).toBe(3);
    expect(FUNCTION_NAMES.filter((name) => carriedBy(name).length > 0).sort()).toEqual([
      'images',
      'pdf',
      'render',
    ]);
  });
});

describe('switches of functions', () => {
  test('arm64=false has all of them run on x86_64', () => {
    const all = [...lambdas(synthesize({ arm64: 'false' }).api).values()];
    expect(new Set(all.flatMap(([, { Architectures }]) => Architectures))).toEqual(new Set(['x86_64']));
  });

  test('convertImage uses an image that was built before, and nothing is built', () => {
    const { api: built } = synthesize({
      convertImage: '111111111111.dkr.ecr.eu-west-1.amazonaws.com/team/platen-convert:1.2.3',
    });
    const code = properties('convert', lambdas(built));
    expect(JSON.stringify(code)).toContain('111111111111.dkr.ecr.eu-west-1.');
    expect(JSON.stringify(code)).toContain('/team/platen-convert:1.2.3');
    const digest = `sha256:${'a'.repeat(64)}`;
    const pinned = synthesize({
      convertImage: `111111111111.dkr.ecr.eu-west-1.amazonaws.com/convert@${digest}`,
    });
    expect(JSON.stringify(pinned.api.toJSON())).toContain(`/convert@${digest}`);
  });

  test('batchConcurrency renders batches by a function of their own, of the same code, and caps it', () => {
    const { api: split } = synthesize({ batchConcurrency: '7' });
    const all = resources<FunctionProperties & { Code: unknown }>(split, 'AWS::Lambda::Function');
    const batch = all.find(([id]) => id.startsWith('renderBatchFunction'));
    const render = all.find(([id]) => id.startsWith('renderFunction'));
    expect(batch?.[1].Properties.ReservedConcurrentExecutions).toBe(7);
    expect(render?.[1].Properties).not.toHaveProperty('ReservedConcurrentExecutions');
    for (const same of [
      'Code',
      'Layers',
      'MemorySize',
      'Timeout',
      'EphemeralStorage',
      'Environment',
    ] as const)
      expect(batch?.[1].Properties[same], same).toEqual(render?.[1].Properties[same]);
    const [[, machine] = ['', undefined]] = resources<{
      DefinitionString: { 'Fn::Join': [string, unknown[]] };
    }>(split, 'AWS::StepFunctions::StateMachine');
    const parts = machine?.Properties.DefinitionString['Fn::Join'][1] ?? [];
    const callee = (state: string): string =>
      idIn(parts[parts.findIndex((part) => typeof part === 'string' && part.includes(`"${state}":{`)) + 3]);
    expect([callee('RunRender'), batch?.[0]]).toEqual([render?.[0], callee('Part')]);
  });

  test('kmsKeys lets the functions that sign use those keys of KMS, to sign', () => {
    const id = '0a1b2c3d-0000-0000-0000-000000000000';
    const { api: signing } = synthesize({ kmsKeys: `alias/platen/{tenant}/*,${id}` });
    const statements = resources<{ PolicyDocument: { Statement: { Action: unknown }[] } }>(
      signing,
      'AWS::IAM::Policy',
    ).flatMap(([name, { Properties }]) =>
      Properties.PolicyDocument.Statement.filter(({ Action }) => Action === 'kms:Sign').map(
        (statement) => [name.replace(/Role.*/, ''), JSON.stringify(statement)] as const,
      ),
    );
    expect(new Set(statements.map(([name]) => name.toLowerCase().replace('function', '')))).toEqual(
      new Set(['images', 'pdf', 'render']),
    );
    const text = statements.map(([, statement]) => statement).join('\n');
    expect(text).toContain('{"StringLike":{"kms:RequestAlias":["alias/platen/*/*"]}}');
    expect(text).toContain(`:key/${id}`);
    expect(JSON.stringify(properties('pdf', lambdas(signing)))).toContain(
      `"PLATEN_KMS_KEYS":"alias/platen/{tenant}/*,${id}"`,
    );
  });

  test('authorizerConcurrency reserves executions for the authorizer, independent of the load', () => {
    const reserved = lambdas(synthesize({ authorizerConcurrency: 5 }).api);
    expect(properties('authorizer', reserved).ReservedConcurrentExecutions).toBe(5);
  });
});

test('no function is limited in number by anything but the account', () => {
  expect(FUNCTION_NAMES.filter((name) => 'ReservedConcurrentExecutions' in properties(name))).toEqual([]);
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
      cacheMb: 0,
      maxVersions: '7',
      deletedDays: '0',
      oidcIssuer: 'https://issuer.example',
      oidcAudience: 'platen, api',
      oidcGroups: { a: { tenant: 'acme' } },
      maxRecords: '5000',
      maxJobRecords: '200000',
      jobDays: '3',
      maxUploadMb: '100',
      fillTimeoutMs: 20_000,
      printTimeoutMs: '60000',
      convertTimeoutMs: '90000',
    }).api,
  );
  const render = properties('render', switched);
  expect(render.Environment.Variables).toMatchObject({
    PLATEN_LOG_LEVEL: 'debug',
    PLATEN_OUTSIDE_RESOURCES: 'fonts.example.org, *.example.com',
    PLATEN_CHROME_MODE: 'single',
    PLATEN_CACHE_MB: '0',
    PLATEN_MAX_RECORDS: '5000',
    PLATEN_MAX_JOB_RECORDS: '200000',
    PLATEN_JOB_DAYS: '3',
    PLATEN_FILL_TIMEOUT_MS: '20000',
    PLATEN_PRINT_TIMEOUT_MS: '60000',
    PLATEN_CONVERT_TIMEOUT_MS: '90000',
  });
  expect(readConvertConfig(asTold(properties('convert', switched)))).toMatchObject({ timeout: 90_000 });
  expect(readRenderConfig(asTold(render))).toMatchObject({ maxRecords: 5000, printTimeout: 60_000 });
  expect(readPdfConfig(asTold(properties('pdf', switched)))).toMatchObject({ maxInput: 100 * 2 ** 20 });
  expect(render).toMatchObject({ MemorySize: 3008, ReservedConcurrentExecutions: 7 });
  expect(properties('templates', switched)).toMatchObject({
    MemorySize: 1024,
    Environment: { Variables: { PLATEN_MAX_VERSIONS: '7', PLATEN_DELETED_DAYS: '0' } },
  });
  for (const name of ['authorizer', 'tokens'] as const) {
    expect(properties(name, switched).Environment.Variables).toMatchObject({
      PLATEN_OIDC_ISSUER: 'https://issuer.example',
      PLATEN_OIDC_AUDIENCE: 'platen, api',
      PLATEN_OIDC_GROUPS: '{"a":{"tenant":"acme"}}',
    });
  }
  expect(properties('sweep', switched)).toMatchObject({
    Environment: { Variables: { PLATEN_DELETED_DAYS: '0' } },
  });
  expect(properties('templates', switched)).not.toHaveProperty('ReservedConcurrentExecutions');
});

/** A function's variables, with a name for what is only known when it is deployed. */
function asTold({ Environment }: FunctionProperties): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Environment.Variables).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : 'some-name',
    ]),
  );
}

test('the levels of logging that can be configured are those of the functions', () => {
  expect(ALLOWED_WORDS.logLevel).toEqual([...LOG_LEVELS]);
});
