import type { RemovalPolicy } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import {
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  InterfaceVpcEndpointAwsService,
  type IVpc,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

export interface IsolatedNetworkProps {
  templates: Table;
  files: Bucket;
  /** Key prefix of the objects that may be read. */
  filesPrefix: string;
  /** Key prefix of the uploads, which may be read too. */
  uploadsPrefix: string;
  /** Key prefix of the objects that may be written, read and deleted. */
  transfersPrefix: string;
  /** Table of jobs, which those who do them also change. */
  jobs: Table;
  /** Key prefixes of the files of jobs, which may be written and read. */
  jobsPrefixes: string[];
  /** Patterns of the prefixes that may be listed. */
  listedPrefixes: string[];
  logRetention: RetentionDays;
  removalPolicy: RemovalPolicy;
}

/**
 * Subnets without a way out. The doors there are lead to our bucket and our tables, to read (documents on their way, and
 * what belongs to jobs, are also written), to the convert function, to the state machine of jobs and to the secret that
 * seals their requests: a browser or a decoder that was taken over reaches nothing else, not even a bucket of the
 * attacker's.
 */
export class IsolatedNetwork extends Construct {
  readonly vpc: IVpc;

  constructor(scope: Construct, id: string, props: IsolatedNetworkProps) {
    super(scope, id);
    const vpc = new Vpc(this, 'Vpc', {
      maxAzs: 2,
      natGateways: 0,
      subnetConfiguration: [{ name: 'isolated', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 20 }],
      // Would be done by a function of its own; nothing uses the default group.
      restrictDefaultSecurityGroup: false,
    });

    // The CDK's own class does not fit its interface under exactOptionalPropertyTypes.
    this.vpc = vpc as IVpc;

    const s3 = vpc.addGatewayEndpoint('S3', { service: GatewayVpcEndpointAwsService.S3 });
    s3.addToPolicy(
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: ['s3:GetObject'],
        resources: [
          props.files.arnForObjects(`${props.filesPrefix}*`),
          props.files.arnForObjects(`${props.uploadsPrefix}*`),
        ],
      }),
    );
    s3.addToPolicy(
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
        resources: [props.files.arnForObjects(`${props.transfersPrefix}*`)],
      }),
    );
    s3.addToPolicy(
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
        resources: props.jobsPrefixes.map((prefix) => props.files.arnForObjects(`${prefix}*`)),
      }),
    );
    s3.addToPolicy(
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: ['s3:ListBucket'],
        resources: [props.files.bucketArn],
        conditions: { StringLike: { 's3:prefix': props.listedPrefixes } },
      }),
    );
    const dynamo = vpc.addGatewayEndpoint('DynamoDb', {
      service: GatewayVpcEndpointAwsService.DYNAMODB,
    });
    dynamo.addToPolicy(
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: ['dynamodb:GetItem'],
        resources: [props.templates.tableArn],
      }),
    );
    dynamo.addToPolicy(
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map(
          (action) => `dynamodb:${action}`,
        ),
        resources: [props.jobs.tableArn],
      }),
    );

    const log = new LogGroup(this, 'Refused', {
      retention: props.logRetention,
      removalPolicy: props.removalPolicy,
    });
    vpc.addFlowLog('FlowLog', {
      destination: FlowLogDestination.toCloudWatchLogs(log),
      trafficType: FlowLogTrafficType.REJECT,
    });
  }

  /** A door to Step Functions, for these callers and this one state machine. */
  allowStarting(machineArn: string, callers: readonly LambdaFunction[]): void {
    this.open('States', InterfaceVpcEndpointAwsService.STEP_FUNCTIONS, callers, {
      actions: ['states:StartExecution'],
      resources: [machineArn],
    });
  }

  /** A door to Secrets Manager, for these callers and this one secret. */
  allowUnsealing(secretArn: string, callers: readonly LambdaFunction[]): void {
    this.open('Secrets', InterfaceVpcEndpointAwsService.SECRETS_MANAGER, callers, {
      actions: ['secretsmanager:GetSecretValue'],
      resources: [secretArn],
    });
  }

  /** A door to Lambda, for these callers and this one function. */
  allowInvoking(target: LambdaFunction, callers: readonly LambdaFunction[]): void {
    this.open('Lambda', InterfaceVpcEndpointAwsService.LAMBDA, callers, {
      actions: ['lambda:InvokeFunction'],
      resources: [target.functionArn],
    });
  }

  private open(
    id: string,
    service: InterfaceVpcEndpointAwsService,
    callers: readonly LambdaFunction[],
    allowed: { actions: string[]; resources: string[] },
  ): void {
    const door = this.vpc.addInterfaceEndpoint(id, { service, open: false });
    door.addToPolicy(new PolicyStatement({ principals: [new AnyPrincipal()], ...allowed }));
    for (const caller of callers) door.connections.allowDefaultPortFrom(caller);
  }
}
