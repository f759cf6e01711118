import { type RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { jobDefinition } from '../job-definition.ts';

export interface JobMachineProps {
  /** Functions are told of it by its name, as it is told of them: neither could be made first otherwise. */
  name: string;
  functions: { render: IFunction; images: IFunction; pdf: IFunction; jobs: IFunction };
  /** Is told whose receiver is to be called. */
  webhooks: IQueue;
  files: Bucket;
  /** The name under which cdk-nag knows the bucket's ARN. */
  filesArnExport: string;
  /** Key prefix of the files of jobs. */
  jobsPrefix: string;
  concurrency: number;
  logRetention: RetentionDays;
  removalPolicy: RemovalPolicy;
}

/** The state machine that does jobs (lib/job-definition.ts). */
export class JobMachine extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, props: JobMachineProps) {
    super(scope, id);
    const { functions, files, name } = props;
    const arns = {
      render: functions.render.functionArn,
      images: functions.images.functionArn,
      pdf: functions.pdf.functionArn,
      jobs: functions.jobs.functionArn,
    };
    const definition = jobDefinition({
      functions: arns,
      webhooks: props.webhooks.queueUrl,
      bucket: files.bucketName,
      concurrency: props.concurrency,
    });
    this.machine = new StateMachine(this, 'Machine', {
      stateMachineName: name,
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(Stack.of(this).toJsonString(definition)),
      tracingEnabled: true,
      logs: {
        destination: new LogGroup(this, 'Log', {
          retention: props.logRetention,
          removalPolicy: props.removalPolicy,
        }),
        level: LogLevel.ALL,
        includeExecutionData: false,
      },
      removalPolicy: props.removalPolicy,
    });
    const statements = [
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: Object.values(arns) }),
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [props.webhooks.queueArn] }),
      new PolicyStatement({
        actions: ['s3:GetObject'],
        resources: [files.arnForObjects(`${props.jobsPrefix}*`)],
      }),
      // A distributed map starts its items as executions of its own machine.
      new PolicyStatement({ actions: ['states:StartExecution'], resources: [jobMachineArn(this, name)] }),
      new PolicyStatement({
        actions: ['states:DescribeExecution', 'states:StopExecution'],
        resources: [`${executionsOf(this, name)}:*`, `${executionsOf(this, name)}/*`],
      }),
    ];
    for (const statement of statements) this.machine.addToRolePolicy(statement);

    Validations.of(this.machine.role).acknowledge(
      {
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'The delivery of logs and X-Ray traces have no resources that could be named.',
      },
      {
        id: `AwsSolutions-IAM5[Resource::${props.filesArnExport}/${props.jobsPrefix}*]`,
        reason: 'Each job has keys of its own: they can only be named by the prefix they share.',
      },
      {
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${name}:*]`,
        reason: 'Each job is an execution of its own.',
      },
      {
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${name}/*]`,
        reason: 'Each part of a batch is an execution of its own.',
      },
    );
  }
}

/** The machine's ARN, known before there is one. */
export function jobMachineArn(scope: Construct, name: string): string {
  const { partition, region, account } = Stack.of(scope);
  return `arn:${partition}:states:${region}:${account}:stateMachine:${name}`;
}

/** What the ARNs of its executions begin with; those of maps have a name between. */
export function executionsOf(scope: Construct, name: string): string {
  const { partition, region, account } = Stack.of(scope);
  return `arn:${partition}:states:${region}:${account}:execution:${name}`;
}
