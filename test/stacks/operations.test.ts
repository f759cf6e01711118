import { describe, expect, test } from 'vitest';
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
  Namespace: string;
  MetricName: string;
  Threshold: number;
  TreatMissingData: string;
  Dimensions: { Name: string; Value: Value }[];
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

  test('holds nothing that the caller words: no header, no query, no path', () => {
    expect(Format).not.toMatch(/userAgent|header|querystring|\$context\.path|error\.message/i);
  });

  test('goes to a group with an end', () => {
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
        MetricsEnabled: true,
        LoggingLevel: 'ERROR',
        DataTraceEnabled: false,
      },
    ]);
  });

  test('is throttled as the operator says', () => {
    const [settings] = stage(synthesize({ throttleRate: '7', throttleBurst: 9 })).MethodSettings;
    expect(settings).toMatchObject({ ThrottlingRateLimit: 7, ThrottlingBurstLimit: 9 });
  });
});

describe('API Gateway’s account-wide role', () => {
  test('is set for an account that has none, and left alone where the operator says so', () => {
    templates.api.hasResource('AWS::ApiGateway::Account', { DeletionPolicy: 'Retain' });
    synthesize({ removal: 'destroy' }).api.hasResource('AWS::ApiGateway::Account', {
      DeletionPolicy: 'Retain',
    });
    synthesize({ gatewayAccount: 'false' }).api.resourceCountIs('AWS::ApiGateway::Account', 0);
  });
});

describe('the sweep', () => {
  test('runs twice a day, so that nothing unused is kept for longer than a day (decision 12)', () => {
    const rules = resources<{ ScheduleExpression: string; State: string; Targets: { Arn: Value }[] }>(
      templates.api,
      'AWS::Events::Rule',
    );
    expect(rules).toHaveLength(1);
    const rule = rules[0]?.[1].Properties;
    expect(rule).toMatchObject({ ScheduleExpression: 'rate(12 hours)', State: 'ENABLED' });
    const sweep = lambdas(templates.api).get('sweep')?.[0];
    expect(rule?.Targets.map((target) => idIn(target.Arn))).toEqual([sweep]);
    templates.api.hasResourceProperties('AWS::Lambda::Permission', { Principal: 'events.amazonaws.com' });
  });
});

describe('alarms', () => {
  const alarms = resources<AlarmProperties>(templates.api, 'AWS::CloudWatch::Alarm').map(
    ([, { Properties }]) => Properties,
  );

  test('watch crashes of every function, answers with 5XX, renderings refused for want of room, jobs and webhooks given up', () => {
    const watched = alarms.map((alarm) => {
      const named = alarm.Dimensions.find((dimension) => dimension.Name === 'FunctionName')?.Value;
      return `${alarm.Namespace} ${alarm.MetricName} ${named === undefined ? '' : idIn(named)}`.trim();
    });
    const functions = lambdas(templates.api);
    expect(watched.sort()).toEqual(
      [
        'AWS/ApiGateway 5XXError',
        'AWS/States ExecutionsFailed',
        'AWS/SQS ApproximateNumberOfMessagesVisible',
        `AWS/Lambda Throttles ${functions.get('render')?.[0]}`,
        ...FUNCTION_NAMES.map((name) => `AWS/Lambda Errors ${functions.get(name)?.[0]}`),
      ].sort(),
    );
  });

  test('on webhooks look at the dead letters, and go off at the first', () => {
    const dead = alarms.find((alarm) => alarm.Namespace === 'AWS/SQS');
    expect(dead).toMatchObject({ Threshold: 1 });
    expect(idIn(dead?.Dimensions[0]?.Value)).toMatch(/^WebhooksDeadLetters/);
  });

  test('stay quiet while there are no requests', () => {
    expect(alarms.filter((alarm) => alarm.TreatMissingData !== 'notBreaching')).toEqual([]);
  });

  test('tell nobody until the operator names a topic, and then that topic', () => {
    expect(alarms.filter((alarm) => alarm.AlarmActions !== undefined)).toEqual([]);
    const arn = 'arn:aws:sns:eu-west-1:111111111111:alarms';
    const told = resources<AlarmProperties>(synthesize({ alarmTopicArn: arn }).api, 'AWS::CloudWatch::Alarm');
    expect(told).toHaveLength(alarms.length);
    expect(told.filter(([, { Properties }]) => Properties.AlarmActions?.[0] !== arn)).toEqual([]);
  });
});

test('there is one dashboard, or none', () => {
  templates.api.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
  synthesize({ dashboard: false }).api.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
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
  expect(JSON.stringify(templates.api.toJSON())).not.toMatch(/\d{12}|[a-z]{2}-[a-z]+-\d/);
  templates.api.resourceCountIs('AWS::Lambda::Function', FUNCTION_NAMES.length);
});
