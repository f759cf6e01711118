import { Fn, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { jobDefinition } from '../job-definition.ts';
import type { LogSettings } from '../log-settings.ts';

export interface JobMachineProps {
  /**
   * The name of the machine. It is fixed, because the functions and the machine refer to each other, so neither
   * could otherwise be created first.
   */
  name: string;
  functions: { render: IFunction; batch: IFunction; images: IFunction; pdf: IFunction; jobs: IFunction };
  /** The queue for webhook calls. */
  webhooks: IQueue;
  files: IBucket;
  /** The bucket's ARN in the form in which cdk-nag reports it. */
  filesArn: string;
  /** The key prefix of the files of jobs. */
  jobsPrefix: string;
  concurrency: number;
  /** Whether X-Ray records executions. */
  traced: boolean;
  /** Additional permissions of its role. */
  statements: readonly PolicyStatement[];
  log: LogSettings;
}

/** The state machine that runs jobs (lib/job-definition.ts). */
export class JobMachine extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, props: JobMachineProps) {
    super(scope, id);
    const { functions, files, name } = props;
    const arns = {
      render: functions.render.functionArn,
      batch: functions.batch.functionArn,
      images: functions.images.functionArn,
      pdf: functions.pdf.functionArn,
      jobs: functions.jobs.functionArn,
    };
    const definition = jobDefinition({
      partition: Stack.of(this).partition,
      functions: arns,
      webhooks: props.webhooks.queueUrl,
      bucket: files.bucketName,
      concurrency: props.concurrency,
    });
    this.machine = new StateMachine(this, 'Machine', {
      stateMachineName: name,
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(Stack.of(this).toJsonString(definition)),
      tracingEnabled: props.traced,
      logs: {
        destination: new LogGroup(this, 'Log', { logGroupName: logName(this, name), ...props.log }),
        level: LogLevel.ALL,
        includeExecutionData: false,
      },
      // The machine is never retained: it contains no data, and a remaining one would block its name for the next
      // deployment.
    });
    const statements = [
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: [...new Set(Object.values(arns))],
      }),
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [props.webhooks.queueArn] }),
      new PolicyStatement({
        actions: ['s3:GetObject'],
        resources: [files.arnForObjects(`${props.jobsPrefix}*`)],
      }),
      // A distributed map starts its items as executions of its own machine.
      new PolicyStatement({ actions: ['states:StartExecution'], resources: [jobMachineArn(this, name)] }),
      new PolicyStatement({
        // The last permission lets an operator redrive a failed job.
        actions: ['states:DescribeExecution', 'states:StopExecution', 'states:RedriveExecution'],
        resources: [`${executionsOf(this, name)}:*`, `${executionsOf(this, name)}/*`],
      }),
    ];
    for (const statement of [...statements, ...props.statements]) this.machine.addToRolePolicy(statement);

    if (!props.traced) {
      Validations.of(this.machine).acknowledge({
        id: 'AwsSolutions-SF2',
        reason: 'The operator switched traces off: platen:tracePercent is 0.',
      });
    }
    Validations.of(this.machine.role).acknowledge(
      {
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'The delivery of logs and X-Ray traces have no resources that could be named.',
      },
      {
        id: `AwsSolutions-IAM5[Resource::${props.filesArn}/${props.jobsPrefix}*]`,
        reason: 'Each job has its own keys, which can only be named by their common prefix.',
      },
      {
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${name}:*]`,
        reason: 'Each job is a separate execution.',
      },
      {
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${name}/*]`,
        reason: 'Each part of a batch is a separate execution.',
      },
    );
  }
}

/**
 * Groups below `/aws/vendedlogs/` need no separate entries in the account's resource policy of logs, whose size is
 * limited. The group outlives its stack, so its name contains the id of the stack: the next stack creates another
 * group.
 */
function logName(scope: Construct, machine: string): string {
  const stack = Fn.select(2, Fn.split('/', Stack.of(scope).stackId));
  return `/aws/vendedlogs/states/${machine}-${stack}`;
}

/** Returns the ARN of the machine before the machine exists. */
export function jobMachineArn(scope: Construct, name: string): string {
  const { partition, region, account } = Stack.of(scope);
  return `arn:${partition}:states:${region}:${account}:stateMachine:${name}`;
}

/** Returns the prefix of the ARNs of its executions; those of maps have a name in between. */
export function executionsOf(scope: Construct, name: string): string {
  const { partition, region, account } = Stack.of(scope);
  return `arn:${partition}:states:${region}:${account}:execution:${name}`;
}
