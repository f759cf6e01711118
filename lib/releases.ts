import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  type Function as LambdaFunction,
  type IFunction,
  type IVersion,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { DeployedName } from './functions.ts';
import type { Settings } from './settings.ts';

/** How fast traffic shifts to a new release; `at-once` needs no CodeDeploy. */
const STEPS = {
  linear: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
  canary: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
} as const;

/**
 * Errors of a new release within a minute that cause a rollback. A single one may be caused by a hostile document.
 */
const ERRORS = 3;

/**
 * Versions of functions, and an alias for each that selects the version to call. Without the switches for
 * releases, there are none, and callers call the function itself.
 */
export class Releases extends Construct {
  private readonly settings: Settings;
  private readonly groups: LambdaDeploymentGroup[] = [];
  private readonly codeDeploy: { application: LambdaApplication; role: Role } | undefined;

  constructor(scope: Construct, settings: Settings) {
    super(scope, 'Releases');
    this.settings = settings;
    this.codeDeploy = settings.release === 'at-once' ? undefined : this.createCodeDeploy();
  }

  /** The target that callers use instead of the function. */
  publish(name: DeployedName, lambda: LambdaFunction): IFunction {
    const { release, renderProvisioned } = this.settings;
    const provisioned = name === 'render' ? renderProvisioned : undefined;
    if (release === 'at-once' && provisioned === undefined) return lambda;
    // A rollback requires the old version; docs/runbook.md describes when to delete versions.
    const version = lambda.currentVersion;
    version.applyRemovalPolicy(RemovalPolicy.RETAIN);
    const alias = new Alias(this, `${name}-alias`, {
      aliasName: 'live',
      // The CDK's own classes do not fit their interfaces under exactOptionalPropertyTypes.
      version: version as IVersion,
      ...(provisioned === undefined ? {} : { provisionedConcurrentExecutions: provisioned }),
    });
    if (release !== 'at-once' && this.codeDeploy !== undefined) {
      this.groups.push(
        new LambdaDeploymentGroup(this, `${name}-deployment`, {
          ...this.codeDeploy,
          alias,
          deploymentConfig: STEPS[release],
          autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
          alarms: [
            this.alarm(
              `${name}-release`,
              alias.metricErrors({ period: Duration.minutes(1) }),
              `Invocations of ${name} that crashed or ran out of time while a release of it began`,
            ),
          ],
        }),
      );
    }
    return alias as IFunction;
  }

  /** A release is also rolled back if the API as a whole returns errors. */
  watch(serverErrors: IMetric): void {
    if (this.groups.length === 0) return;
    const alarm = this.alarm('api-release', serverErrors, 'Requests answered with 5XX while a release began');
    for (const group of this.groups) group.addAlarm(alarm);
  }

  private alarm(id: string, metric: IMetric, alarmDescription: string): Alarm {
    return new Alarm(this, id, {
      metric,
      threshold: ERRORS,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription,
    });
  }

  private createCodeDeploy(): { application: LambdaApplication; role: Role } {
    const policy = 'AWSCodeDeployRoleForLambdaLimited';
    const role = new Role(this, 'Role', {
      description: 'Platen: shifts requests from one release to the next',
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(`service-role/${policy}`)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/${policy}]`,
      reason:
        'The policy AWS made for this one role: it moves aliases and reads alarms, and calls no function.',
    });
    return { application: new LambdaApplication(this, 'Application'), role };
  }
}
