import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { DeployedName } from '../functions.ts';
import type { Settings } from '../settings.ts';
import type { Watched } from './index.ts';

const PERIOD = Duration.minutes(5);
/** Longer than the last delay of a webhook call: if a message is older, nothing receives it. */
const QUEUE_AGE = Duration.hours(5);
/** Percent of the account's concurrent executions at which its alarm fires. */
const CONCURRENCY_PERCENT = 80;
/**
 * One failed invocation may be caused by a hostile document. Functions that read no documents have a threshold of
 * one.
 */
const HOSTILE = new Set<DeployedName>(['render', 'renderBatch', 'images', 'pdf', 'convert']);

export interface AlarmSpec {
  id: string;
  /** The heading in docs/runbook.md that describes the response. */
  page: string;
  metric: IMetric;
  threshold: number;
  comparisonOperator: ComparisonOperator;
  /** Consecutive periods; 1 when absent. */
  periods?: number;
  description: string;
}

const SUM = { period: PERIOD, statistic: 'Sum' };

/** The alarms that concern a deployment as a whole. */
function deploymentAlarms({ api, sweep }: Watched, settings: Settings): AlarmSpec[] {
  return [
    atLeast(5, {
      id: 'server-errors',
      page: 'server-errors',
      metric: api.metricServerError(SUM),
      description: 'Requests answered with 5XX',
    }),
    atLeast(settings.latencyAlarmSeconds * 1000, {
      id: 'latency',
      page: 'latency',
      metric: api.metricLatency({ period: PERIOD, statistic: 'p90' }),
      periods: 3,
      description: 'One request in ten took longer than it should for a quarter of an hour',
    }),
    concurrency(settings.concurrencyAlarm),
    atLeast(1, {
      id: 'sweep-not-started',
      page: 'sweep-not-started',
      metric: new Metric({
        namespace: 'AWS/Events',
        metricName: 'FailedInvocations',
        dimensionsMap: { RuleName: sweep.ruleName },
        ...SUM,
      }),
      description: 'The schedule could not start the sweep of unused files',
    }),
  ];
}

/** @param threshold concurrent executions; without it, a share of the account's quota */
function concurrency(threshold: number | undefined): AlarmSpec {
  const executions = new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'ConcurrentExecutions',
    period: PERIOD,
    statistic: 'Maximum',
  });
  const spec = {
    id: 'concurrency',
    page: 'concurrency',
    description: 'All functions of the account and region together are near their limit',
  };
  if (threshold !== undefined) return atLeast(threshold, { ...spec, metric: executions });
  const share = new MathExpression({
    expression: '100 * executions / SERVICE_QUOTA(executions)',
    usingMetrics: { executions },
    period: PERIOD,
    label: 'Percent of the quota',
  });
  return atLeast(CONCURRENCY_PERCENT, { ...spec, metric: share });
}

/** Returns all alarms of a deployment. */
export function alarmsOf(watched: Watched, settings: Settings): AlarmSpec[] {
  const { functions, machine, webhooks } = watched;
  const specs = deploymentAlarms(watched, settings);
  for (const [name, lambda] of functions) {
    specs.push(
      atLeast(HOSTILE.has(name) ? 5 : 1, {
        id: `${name}-errors`,
        page: 'function-errors',
        metric: lambda.metricErrors(SUM),
        description: `Invocations of ${name} that crashed or ran out of time`,
      }),
    );
  }
  // Throttled work of jobs is retried. For the other functions, the first throttled request already failed for a
  // caller.
  const engines = [...functions].filter(([name]) => HOSTILE.has(name)).map(([, lambda]) => lambda);
  const others = [...functions].filter(([name]) => !HOSTILE.has(name)).map(([, lambda]) => lambda);
  specs.push(
    throttles('engine-throttles', 10, engines, 'Renderings refused for want of concurrency'),
    throttles('throttles', 1, others, 'Requests refused for want of concurrency'),
  );
  if (machine !== undefined) {
    specs.push(
      atLeast(1, {
        id: 'jobs-failed',
        page: 'jobs-failed',
        metric: machine.metricFailed(SUM),
        description: 'Jobs whose work failed each time it was tried',
      }),
    );
  }
  if (webhooks !== undefined) {
    const most = { period: PERIOD, statistic: 'Maximum' };
    specs.push(
      atLeast(QUEUE_AGE.toSeconds(), {
        id: 'webhooks-waiting',
        page: 'webhooks-waiting',
        metric: webhooks.queue.metricApproximateAgeOfOldestMessage(most),
        description: 'Webhooks are waiting that should have been sent or abandoned',
      }),
      atLeast(1, {
        id: 'webhooks-dead',
        page: 'webhooks-dead',
        metric: webhooks.deadLetters.metricApproximateNumberOfMessagesVisible(most),
        description: 'Webhooks were abandoned after all retries',
      }),
    );
  }
  return specs;
}

function throttles(
  id: string,
  threshold: number,
  functions: LambdaFunction[],
  description: string,
): AlarmSpec {
  const metrics = functions.map((lambda, index): [string, IMetric] => [
    `m${index}`,
    lambda.metricThrottles({ period: PERIOD, statistic: 'Sum' }),
  ]);
  return atLeast(threshold, {
    id,
    page: 'throttles',
    metric: new MathExpression({
      expression: 'SUM(METRICS())',
      usingMetrics: Object.fromEntries(metrics),
      period: PERIOD,
      label: description,
    }),
    description,
  });
}

function atLeast(threshold: number, spec: Omit<AlarmSpec, 'threshold' | 'comparisonOperator'>): AlarmSpec {
  return {
    ...spec,
    threshold,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  };
}
