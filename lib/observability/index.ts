import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionName } from './functions.ts';
import type { Settings } from './settings.ts';

const PERIOD = Duration.minutes(5);

export interface ObservabilityProps {
  api: RestApi;
  functions: ReadonlyMap<FunctionName, LambdaFunction>;
  /** Does jobs; undefined for a deployment without them. */
  machine: StateMachine | undefined;
  /** Calls that no receiver took; undefined for a deployment without jobs. */
  deadLetters: Queue | undefined;
  settings: Settings;
}

/** A few alarms that mean somebody should look, and one page to look at. */
export class Observability extends Construct {
  private readonly notify: SnsAction | undefined;

  constructor(
    scope: Construct,
    id: string,
    { api, functions, machine, deadLetters, settings }: ObservabilityProps,
  ) {
    super(scope, id);
    this.notify =
      settings.alarmTopicArn === undefined
        ? undefined
        : new SnsAction(Topic.fromTopicArn(this, 'Topic', settings.alarmTopicArn));

    this.alarm(
      'ServerErrors',
      api.metricServerError({ period: PERIOD, statistic: 'Sum' }),
      5,
      'Requests answered with 5XX',
    );
    for (const [name, lambda] of functions) {
      const crashes = lambda.metricErrors({ period: PERIOD });
      // A request that failed once may have been a hostile document; the others have no excuse.
      const threshold = name === 'render' || name === 'images' || name === 'pdf' ? 5 : 1;
      this.alarm(
        `${name}-errors`,
        crashes,
        threshold,
        `Invocations of ${name} that crashed or ran out of time`,
      );
    }
    const render = functions.get('render');
    if (render !== undefined) {
      const throttles = render.metricThrottles({ period: PERIOD });
      this.alarm('render-throttles', throttles, 10, 'Renderings refused for want of concurrency');
    }

    if (machine !== undefined) {
      const failed = machine.metricFailed({ period: PERIOD, statistic: 'Sum' });
      this.alarm('jobs-failed', failed, 1, 'Jobs whose work failed each time it was tried');
    }

    if (deadLetters !== undefined) {
      const waiting = deadLetters.metricApproximateNumberOfMessagesVisible({
        period: PERIOD,
        statistic: 'Maximum',
      });
      this.alarm('webhooks-dead', waiting, 1, 'Webhooks that were given up');
    }

    if (settings.dashboard) this.createDashboard(api, [...functions.values()]);
  }

  private alarm(id: string, metric: IMetric, threshold: number, description: string): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: description,
    });
    if (this.notify !== undefined) alarm.addAlarmAction(this.notify);
  }

  private createDashboard(api: RestApi, functions: LambdaFunction[]): void {
    const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 12 });
    new Dashboard(this, 'Dashboard', {
      defaultInterval: Duration.hours(12),
      widgets: [
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
            functions.map((lambda) => lambda.metricDuration({ statistic: 'p90' })),
          ),
          graph(
            'Invocations',
            functions.map((lambda) => lambda.metricInvocations()),
          ),
        ],
        [
          graph(
            'Errors',
            functions.map((lambda) => lambda.metricErrors()),
          ),
          graph(
            'Throttles',
            functions.map((lambda) => lambda.metricThrottles()),
          ),
        ],
      ],
    });
  }
}
