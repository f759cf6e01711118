import {
  FlowLogDestination,
  FlowLogTrafficType,
  type GatewayVpcEndpoint,
  GatewayVpcEndpointAwsService,
  InterfaceVpcEndpointAwsService,
  type IVpc,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { LogSettings } from '../log-settings.ts';

/** The actions and resources that an endpoint allows. */
export type Allowed = Required<Pick<PolicyStatementProps, 'actions' | 'resources'>> &
  Pick<PolicyStatementProps, 'conditions'>;

export interface ClosedNetworkProps {
  /** Names of availability zones; the first two of the region when absent. */
  zones?: string[] | undefined;
  /** Allowed through the endpoint of S3. */
  files: readonly Allowed[];
  /** Allowed through the endpoint of DynamoDB, which exists only if something is allowed. */
  tables?: readonly Allowed[] | undefined;
  log: LogSettings;
}

/**
 * Subnets without egress except for explicit endpoints: a compromised browser or converter can reach nothing else,
 * such as a bucket of the attacker.
 */
export class ClosedNetwork extends Construct {
  readonly vpc: IVpc;

  constructor(scope: Construct, id: string, props: ClosedNetworkProps) {
    super(scope, id);
    const { files, tables = [] } = props;
    const vpc = new Vpc(this, 'Vpc', {
      ...(props.zones === undefined ? { maxAzs: 2 } : { availabilityZones: props.zones }),
      natGateways: 0,
      subnetConfiguration: [{ name: 'isolated', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 20 }],
      // The CDK would need another function for this, and nothing uses the default group.
      restrictDefaultSecurityGroup: false,
    });

    // The CDK's own class does not fit its interface under exactOptionalPropertyTypes.
    this.vpc = vpc as IVpc;

    allow(vpc.addGatewayEndpoint('S3', { service: GatewayVpcEndpointAwsService.S3 }), files);
    if (tables.length > 0)
      allow(vpc.addGatewayEndpoint('DynamoDb', { service: GatewayVpcEndpointAwsService.DYNAMODB }), tables);

    const log = new LogGroup(this, 'Refused', props.log);
    vpc.addFlowLog('FlowLog', {
      destination: FlowLogDestination.toCloudWatchLogs(log),
      trafficType: FlowLogTrafficType.REJECT,
    });
  }

  /** Adds an endpoint for Step Functions, limited to these callers and this state machine. */
  allowStarting(machineArn: string, callers: readonly IFunction[]): void {
    this.open('States', InterfaceVpcEndpointAwsService.STEP_FUNCTIONS, callers, {
      actions: ['states:StartExecution'],
      resources: [machineArn],
    });
  }

  /** Adds an endpoint for Secrets Manager, limited to these callers and this secret. */
  allowUnsealing(secretArn: string, callers: readonly IFunction[]): void {
    this.open('Secrets', InterfaceVpcEndpointAwsService.SECRETS_MANAGER, callers, {
      actions: ['secretsmanager:GetSecretValue'],
      resources: [secretArn],
    });
  }

  /** Adds an endpoint for Lambda, limited to these callers and functions. */
  allowInvoking(targets: readonly IFunction[], callers: readonly IFunction[]): void {
    this.open('Lambda', InterfaceVpcEndpointAwsService.LAMBDA, callers, {
      actions: ['lambda:InvokeFunction'],
      resources: targets.map(({ functionArn }) => functionArn),
    });
  }

  private open(
    id: string,
    service: InterfaceVpcEndpointAwsService,
    callers: readonly IFunction[],
    allowed: Allowed,
  ): void {
    const door = this.vpc.addInterfaceEndpoint(id, { service, open: false });
    door.addToPolicy(new PolicyStatement({ principals: [new AnyPrincipal()], ...allowed }));
    for (const caller of callers) door.connections.allowDefaultPortFrom(caller);
  }
}

function allow(door: GatewayVpcEndpoint, statements: readonly Allowed[]): void {
  for (const statement of statements)
    door.addToPolicy(new PolicyStatement({ principals: [new AnyPrincipal()], ...statement }));
}
