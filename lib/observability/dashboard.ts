import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, type IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Watched } from './index.ts';
import { type Measure, measureMetric } from './metrics.ts';

/**
 * Creates one dashboard: requests, functions, documents, jobs, webhooks.
 *
 * @param deployment its name, if it has metrics of its own; undefined otherwise
 */
export function createDashboard(
  scope: Construct,
  { api, functions, machine, webhooks }: Watched,
  deployment: string | undefined,
): Dashboard {
  const ofFunctions = (metric: (lambda: LambdaFunction) => IMetric) =>
    [...functions.values()].map((lambda) => metric(lambda));
  const rows: IWidget[][] = [
    [
      graph('Requests', [api.metricCount(), api.metricClientError(), api.metricServerError()]),
      graph(
        'Latency',
        ['p50', 'p90', 'p99'].map((statistic) => api.metricLatency({ statistic, label: statistic })),
      ),
    ],
    [
      graph(
        'Duration (p90)',
        ofFunctions((lambda) => lambda.metricDuration({ statistic: 'p90' })),
      ),
      graph(
        'Invocations',
        ofFunctions((lambda) => lambda.metricInvocations()),
      ),
    ],
    [
      graph(
        'Errors',
        ofFunctions((lambda) => lambda.metricErrors()),
      ),
      graph(
        'Throttles',
        ofFunctions((lambda) => lambda.metricThrottles()),
      ),
    ],
    [
      graph(
        'Concurrent executions',
        ofFunctions((lambda) => lambda.metric('ConcurrentExecutions', { statistic: 'Maximum' })),
      ),
      ...(machine === undefined
        ? []
        : [
            graph('Jobs', [
              machine.metricStarted(),
              machine.metricSucceeded(),
              machine.metricFailed(),
              machine.metricTimedOut(),
              machine.metricAborted(),
            ]),
          ]),
    ],
  ];
  if (deployment !== undefined) rows.push(...rowsOfDocuments(deployment));
  if (machine !== undefined && webhooks !== undefined) {
    rows.push([
      graph('Time of a job', [
        machine.metricTime({ statistic: 'p50', label: 'p50' }),
        machine.metricTime({ statistic: 'p90', label: 'p90' }),
      ]),
      graph('Webhooks', [
        webhooks.queue.metricApproximateNumberOfMessagesVisible({ label: 'waiting' }),
        webhooks.queue.metricApproximateAgeOfOldestMessage({ label: 'age of the oldest, s' }),
        webhooks.deadLetters.metricApproximateNumberOfMessagesVisible({ label: 'given up' }),
      ]),
    ]);
  }
  return new Dashboard(scope, 'Dashboard', { defaultInterval: Duration.hours(12), widgets: rows });
}

function graph(title: string, left: IMetric[]): IWidget {
  return new GraphWidget({ title, left, width: 12 });
}

/** Documents, the time of engines, and fallbacks. */
function rowsOfDocuments(deployment: string): IWidget[][] {
  const sum = (...measures: Measure[]) =>
    measures.map((measure) => measureMetric(deployment, measure, 'Sum'));
  return [
    [
      graph('Documents and pages', sum('documents', 'pages')),
      graph(
        'Time of the engines',
        ['p50', 'p90'].map((statistic) => measureMetric(deployment, 'engine_ms', statistic)),
      ),
    ],
    [
      graph('Bytes answered', sum('bytes')),
      graph('Jobs waiting to begin', [measureMetric(deployment, 'queue_ms', 'p90')]),
    ],
    [graph('Fallbacks', sum('fallbacks'))],
  ];
}
