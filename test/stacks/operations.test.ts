import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { MEASURES } from '../../functions/shared/measures.ts';
import { FUNCTION_NAMES } from '../../lib/functions.ts';
import {
  idIn,
  lambdas,
  type Resource,
  resources,
  synthesize,
  type Templates,
  type Value,
} from './support.ts';

interface StageProperties {
  AccessLogSetting: { DestinationArn: Value; Format: string };
  MethodSettings: Record<string, unknown>[];
  TracingEnabled: boolean;
}

interface AlarmProperties {
  AlarmDescription: string;
  MetricName?: string;
  Metrics?: { MetricStat?: object }[];
  Threshold: number;
  TreatMissingData: string;
  Dimensions?: { Name: string; Value: Value }[];
  AlarmActions?: Value[];
}

const templates = synthesize();

function stage({ api }: Templates): StageProperties {
  const [, { Properties }] = resources<StageProperties>(api, 'AWS::ApiGateway::Stage')[0] as [
    string,
    Resource<StageProperties>,
  ];
  return Properties;
}

describe('the access log', () => {
  const { Format } = stage(templates).AccessLogSetting;

  test('has a line of JSON for each request, with its id, tenant, route, status and times', () => {
    expect(JSON.parse(Format)).toMatchObject({
      request_id: '$context.requestId',
      tenant: '$context.authorizer.tenant',
      method: '$context.httpMethod',
      resource: '$context.resourcePath',
      status: '$context.status',
      ms: '$context.responseLatency',
    });
    expect(Format).not.toContain('\n');
  });

  test('contains no text of the caller: no header, no query, no path', () => {
    expect(Format).not.toMatch(/userAgent|header|querystring|\$context\.path|error\.message/i);
  });

  test('is stored in a log group with a retention', () => {
    const groups = resources<{ RetentionInDays?: number }>(templates.api, 'AWS::Logs::LogGroup');
    expect(JSON.stringify(stage(templates).AccessLogSetting.DestinationArn)).toMatch(/"Ref":"ApiAccessLog/);
    expect(groups.filter(([, { Properties }]) => Properties.RetentionInDays !== 30)).toEqual([]);
  });
});

describe('the stage', () => {
  test('is throttled, traced and measured, and logs no request data', () => {
    expect(stage(templates).TracingEnabled).toBe(true);
    expect(stage(templates).MethodSettings).toEqual([
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: 50,
        ThrottlingBurstLimit: 100,
        // One set for each method is billed as custom metrics: five dollars a month and method.
        MetricsEnabled: false,
        LoggingLevel: 'ERROR',
        DataTraceEnabled: false,
      },
    ]);
  });

  test('has the configured throttling', () => {
    const [settings] = stage(synthesize({ throttleRate: '7', throttleBurst: 9 })).MethodSettings;
    expect(settings).toMatchObject({ ThrottlingRateLimit: 7, ThrottlingBurstLimit: 9 });
  });
});

describe('API Gateway’s account-wide role', () => {
  test('is set by default, and left alone if it is configured so', () => {
    templates.api.hasResource('AWS::ApiGateway::Account', { DeletionPolicy: 'Retain' });
    synthesize({ removal: 'destroy' }).api.hasResource('AWS::ApiGateway::Account', {
      DeletionPolicy: 'Retain',
    });
    synthesize({ gatewayAccount: 'false' }).api.resourceCountIs('AWS::ApiGateway::Account', 0);
  });
});

describe('the sweep', () => {
  test('runs twice a day, so that nothing unused is kept for longer than a day (I-12)', () => {
    const rules = resources<{ ScheduleExpression: string; State: string; Targets: { Arn: Value }[] }>(
      templates.api,
      'AWS::Events::Rule',
    );
    const rule = rules.find(([id]) => id.startsWith('SweepSchedule'))?.[1].Properties;
    expect(rule).toMatchObject({ ScheduleExpression: 'rate(12 hours)', State: 'ENABLED' });
    const sweep = lambdas(templates.api).get('sweep')?.[0];
    expect(rule?.Targets.map((target) => idIn(target.Arn))).toEqual([sweep]);
    templates.api.hasResourceProperties('AWS::Lambda::Permission', { Principal: 'events.amazonaws.com' });
  });
});

test('jobs that were stored and not started are looked for every hour', () => {
  templates.api.hasResourceProperties('AWS::Events::Rule', {
    ScheduleExpression: 'rate(1 hour)',
    State: 'ENABLED',
    Targets: [Match.objectLike({ Input: '{"step":"catch-up"}' })],
  });
});

test('functions that Lambda would deactivate are called every third day', () => {
  const called = (switches: Parameters<typeof synthesize>[0]): string[] => {
    const { api } = synthesize(switches);
    const names = new Map([...lambdas(api)].map(([name, [id]]) => [id, name]));
    return resources<{ ScheduleExpression: string; Targets: { Arn: Value; Input?: string }[] }>(
      api,
      'AWS::Events::Rule',
    )
      .filter(([, { Properties }]) => Properties.ScheduleExpression === 'rate(3 days)')
      .flatMap(([, { Properties }]) => Properties.Targets)
      .map(({ Arn, Input }) => {
        expect(Input).toBe('{"order":"keep-active","Records":[]}');
        return names.get(idIn(Arn)) ?? '';
      })
      .sort();
  };
  expect(called({})).toEqual(['convert']);
  expect(called({ convert: false })).toEqual([]);
  expect(called({ isolated: true })).toEqual(['convert', 'images', 'pdf', 'render']);
  const own = { vpcId: 'vpc-0a1b2c3d', subnetIds: 'subnet-0a1b2c3d,subnet-1a1b2c3d' };
  expect(called(own)).toEqual(['convert', 'images', 'pdf', 'render', 'webhook']);
});

describe('alarms', () => {
  const alarms = resources<AlarmProperties>(templates.api, 'AWS::CloudWatch::Alarm').map(
    ([, { Properties }]) => Properties,
  );

  test('cover answers, time, concurrency, jobs, webhooks, the sweep and every function', () => {
    const ids = resources(templates.api, 'AWS::CloudWatch::Alarm').map(([id]) =>
      id.replace(/^Observability/, '').replace(/[0-9A-F]{8}$/, ''),
    );
    expect(ids.sort()).toEqual(
      [
        ...['servererrors', 'latency', 'concurrency', 'enginethrottles', 'throttles', 'sweepnotstarted'],
        ...['jobsfailed', 'webhookswaiting', 'webhooksdead'],
        ...FUNCTION_NAMES.map((name) => `${name}errors`),
      ].sort(),
    );
  });

  test('on refusals count every function in one of two, each within the ten metrics of an alarm', () => {
    const throttles = alarms.filter(({ AlarmDescription }) => AlarmDescription?.endsWith('#throttles'));
    const counted = throttles.flatMap(({ Metrics = [] }) => {
      expect(Metrics.length).toBeLessThanOrEqual(11);
      return Metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [idIn(MetricStat)]));
    });
    const functions = [...lambdas(templates.api).values()].map(([id]) => id);
    expect(counted.sort()).toEqual(functions.sort());
  });

  test('link to their section in the runbook, which exists', () => {
    const runbook = readFileSync(path.join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
    const headings = Array.from(runbook.matchAll(/^### (.+)$/gm), ([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    const pages = alarms.map(
      ({ AlarmDescription }) => /docs\/runbook\.md#([a-z-]+)$/.exec(AlarmDescription)?.[1],
    );
    expect(pages.filter((page) => page === undefined || !headings.includes(page))).toEqual([]);
    const alarmPages = headings.slice(0, headings.indexOf('restore-to-one-moment'));
    expect(alarmPages.filter((page) => !pages.includes(page))).toEqual([]);
  });

  test('on latency and concurrency have the configured thresholds', () => {
    const { api } = synthesize({ latencyAlarmSeconds: '12', concurrencyAlarm: '8' });
    const all = resources<AlarmProperties>(api, 'AWS::CloudWatch::Alarm').map(
      ([, { Properties }]) => Properties,
    );
    expect(all.find(({ MetricName }) => MetricName === 'Latency')).toMatchObject({ Threshold: 12_000 });
    expect(all.find(({ MetricName }) => MetricName === 'ConcurrentExecutions')).toMatchObject({
      Threshold: 8,
    });
  });

  test('on concurrency follow the quota of the account', () => {
    const alarm = alarms.find(({ AlarmDescription }) => AlarmDescription?.endsWith('#concurrency'));
    expect(alarm).toMatchObject({
      Threshold: 80,
      Metrics: [
        { Expression: '100 * executions / SERVICE_QUOTA(executions)' },
        {
          Id: 'executions',
          ReturnData: false,
          MetricStat: { Metric: { Namespace: 'AWS/Lambda', MetricName: 'ConcurrentExecutions' } },
        },
      ],
    });
  });

  test('on webhooks count the dead letters, and fire at the first', () => {
    const dead = alarms.find(({ MetricName }) => MetricName === 'ApproximateNumberOfMessagesVisible');
    expect(dead).toMatchObject({ Threshold: 1 });
    expect(idIn(dead?.Dimensions?.[0]?.Value)).toMatch(/^WebhooksDeadLetters/);
  });

  test('do not fire while there are no requests', () => {
    expect(alarms.filter((alarm) => alarm.TreatMissingData !== 'notBreaching')).toEqual([]);
  });

  test('send no notification until the operator names a topic, and then notify it', () => {
    expect(alarms.filter((alarm) => alarm.AlarmActions !== undefined)).toEqual([]);
    const arn = 'arn:aws:sns:eu-west-1:111111111111:alarms';
    const told = resources<AlarmProperties>(synthesize({ alarmTopicArn: arn }).api, 'AWS::CloudWatch::Alarm');
    expect(told).toHaveLength(alarms.length);
    expect(told.filter(([, { Properties }]) => Properties.AlarmActions?.[0] !== arn)).toEqual([]);
  });
});

test('there is one dashboard, or none if it is switched off', () => {
  templates.api.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
  synthesize({ dashboard: false }).api.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
});

test('CloudWatch counts documents under the name of the deployment, or not at all', () => {
  const shown = (template: typeof templates): unknown => {
    const [[, { Properties }] = ['', { Properties: { DashboardBody: '' } }]] = resources<{
      DashboardBody: unknown;
    }>(template.api, 'AWS::CloudWatch::Dashboard');
    return JSON.stringify(Properties.DashboardBody);
  };
  const told = (template: typeof templates): unknown[] =>
    [...lambdas(template.api)]
      .filter(([, [, { Environment }]]) => Environment.Variables['PLATEN_METRICS_NAMESPACE'] !== undefined)
      .map(([name, [, { Environment }]]) => [name, Environment.Variables['PLATEN_METRICS_NAMESPACE']])
      .sort();
  const groups = ['images', 'jobs', 'pdf', 'render', 'service', 'templates', 'tokens'];
  expect(told(templates)).toEqual(groups.map((name) => [name, 'Platen/platen']));
  expect(shown(templates)).toContain('Platen/platen');
  // Those that the dashboard names are those that functions measure.
  for (const name of MEASURES) expect(shown(templates)).toContain(`\\"${name}\\"`);
  const without = synthesize({ metrics: false });
  expect(told(without)).toEqual([]);
  expect(shown(without)).not.toContain('Platen/platen');
});

describe('traces', () => {
  test('are of one request in twenty, and not of the first of each second', () => {
    templates.api.hasResourceProperties('AWS::XRay::SamplingRule', {
      SamplingRule: { ServiceName: 'platen/live', FixedRate: 0.05, ReservoirSize: 0 },
    });
  });

  test('are not configured with a share of 0 percent', () => {
    const { api } = synthesize({ tracePercent: 0 });
    api.resourceCountIs('AWS::XRay::SamplingRule', 0);
    expect(JSON.stringify(api.toJSON())).not.toMatch(/"Mode":"Active"|"TracingEnabled":true|"Enabled":true/);
    expect(JSON.stringify(api.toJSON())).not.toContain('xray:');
  });
});

test('questions to the logs are saved, and ask for fields the logs have', () => {
  const queries = resources<{ Name: string; QueryString: string; LogGroupNames: unknown[] }>(
    templates.api,
    'AWS::Logs::QueryDefinition',
  ).map(([, { Properties }]) => Properties);
  expect(queries.map(({ Name }) => Name)).toContain('platen/errors, newest first');
  for (const { LogGroupNames } of queries) expect(LogGroupNames).toHaveLength(FUNCTION_NAMES.length);
});

test('several deployments fit into one account and region: only the stacks have names of their own', () => {
  const other = synthesize({ name: 'other' });
  const text = JSON.stringify([other.api.toJSON(), other.storage.toJSON()]);
  expect(text).toContain('other-storage:ExportsOutput');
  expect(text).not.toContain('platen-storage');
  for (const name of [
    '"FunctionName":"',
    '"TableName":"',
    '"BucketName":"',
    '"LogGroupName":"',
    '"RoleName":"',
  ]) {
    expect(text).not.toContain(name);
  }
});

test('the stacks are for any account and region, and make no function of the CDK’s own', () => {
  // Twelve digits within a hash are no account.
  const named = JSON.stringify(templates.api.toJSON()).match(
    /(?<![\da-f])\d{12}(?![\da-f])|[a-z]{2}-[a-z]+-\d/g,
  );
  expect(named).toBe(null);
  templates.api.resourceCountIs('AWS::Lambda::Function', FUNCTION_NAMES.length);
});
