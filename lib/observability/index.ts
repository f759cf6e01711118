import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { DeployedName } from '../functions.ts';
import type { Settings } from '../settings.ts';
import { alarmsOf } from './alarms.ts';
import { createDashboard } from './dashboard.ts';
import { createQueries } from './queries.ts';

export interface Watched {
  api: SpecRestApi;
  functions: ReadonlyMap<DeployedName, LambdaFunction>;
  /** The machine that runs jobs; undefined for a deployment without jobs. */
  machine: StateMachine | undefined;
  /** The queues of webhook calls and of dead letters; undefined for a deployment without jobs. */
  webhooks: { queue: Queue; deadLetters: Queue } | undefined;
  sweep: Rule;
}

/** Alarms that need attention, a dashboard, and queries for the logs. */
export class Observability extends Construct {
  constructor(scope: Construct, id: string, { settings, ...watched }: Watched & { settings: Settings }) {
    super(scope, id);
    const notify =
      settings.alarmTopicArn === undefined
        ? undefined
        : new SnsAction(Topic.fromTopicArn(this, 'Topic', settings.alarmTopicArn));

    for (const { id: alarmId, page, description, periods = 1, ...condition } of alarmsOf(watched, settings)) {
      const alarm = new Alarm(this, alarmId, {
        ...condition,
        evaluationPeriods: periods,
        treatMissingData: TreatMissingData.NOT_BREACHING,
        alarmDescription: `${description}. Runbook: docs/runbook.md#${page}`,
      });
      if (notify !== undefined) alarm.addAlarmAction(notify);
    }
    if (settings.dashboard) createDashboard(this, watched, settings.metrics ? settings.name : undefined);
    createQueries(this, settings.name, watched.functions);
  }
}
