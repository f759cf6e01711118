import { Fn, Validations } from 'aws-cdk-lib';
import {
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  CapacityProvider,
  type Function as LambdaFunction,
  PropagateTags,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { CONCURRENCY, type FunctionSpec } from '../functions.ts';
import type { LogSettings } from '../log-settings.ts';
import type { Place } from '../networks.ts';
import { MANAGED_MEMORY, MANAGED_ZONES } from '../on-instances.ts';

const OPERATOR_POLICY = 'AWSLambdaManagedEC2ResourceOperator';

export interface ManagedInstancesProps {
  /** The operator's subnets; otherwise, the stack creates a network. */
  given: Place | undefined;
  /** Names of three availability zones; the first three of the region when absent. */
  zones: readonly string[] | undefined;
  /** Cores of all instances together; AWS's own limit when absent. */
  maxCores: number | undefined;
  /** Tags of the deployment, which instances and their volumes have too. */
  tags: Readonly<Record<string, string>>;
  log: LogSettings;
}

/**
 * EC2 instances that Lambda starts, replaces and ends, for functions that work on several requests at a time. Its
 * functions share instances as containers, which AWS does not regard as a boundary between strangers: they have to
 * trust each other.
 */
export class ManagedInstances extends Construct {
  private readonly provider: CapacityProvider;

  constructor(scope: Construct, id: string, { given, zones, maxCores, tags, log }: ManagedInstancesProps) {
    super(scope, id);
    const { vpc, subnets } = given ?? this.createNetwork(zones, log);
    const group = new SecurityGroup(this, 'Group', { vpc, description: 'Platen: managed instances' });
    const operatorRole = new Role(this, 'Operator', {
      description: 'Platen: Lambda starts and ends the instances',
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(OPERATOR_POLICY)],
    });
    Validations.of(operatorRole).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${OPERATOR_POLICY}]`,
      reason:
        'The policy AWS made for this one role: it starts and ends instances that Lambda itself manages.',
    });
    const places = subnets ?? vpc.privateSubnets;
    this.provider = new CapacityProvider(this, 'Provider', {
      subnets: places,
      securityGroups: [group],
      operatorRole,
      // The browser's package exists only for x86_64, and layers contain native code.
      architectures: [Architecture.X86_64],
      ...(maxCores === undefined ? {} : { maxVCpuCount: maxCores }),
      ...(Object.keys(tags).length === 0 ? {} : { propagateTags: PropagateTags.explicit({ ...tags }) }),
    });
    // Instances without a way out never get ready, and a first deployment would fail.
    for (const { internetConnectivityEstablished } of places)
      this.provider.node.addDependency(internetConnectivityEstablished);
  }

  /**
   * Runs a function on the instances. CloudFormation publishes each change of it as its version `$LATEST.PUBLISHED`,
   * which callers of the function call; environments of it replace the old ones.
   */
  run(lambda: LambdaFunction, { concurrency = CONCURRENCY }: FunctionSpec): void {
    this.provider.addFunction(lambda, {
      perExecutionEnvironmentMaxConcurrency: concurrency,
      executionEnvironmentMemoryGiBPerVCpu: MANAGED_MEMORY.gibPerCore,
      publishToLatestPublished: true,
    });
  }

  /** A network with egress in each zone, so that none depends on another. */
  private createNetwork(zones: readonly string[] | undefined, log: LogSettings): Place {
    const available = Fn.getAzs();
    const vpc = new Vpc(this, 'Vpc', {
      availabilityZones: [
        ...(zones ?? Array.from({ length: MANAGED_ZONES }, (_, index) => Fn.select(index, available))),
      ],
      natGateways: MANAGED_ZONES,
      subnetConfiguration: [
        { name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 24, mapPublicIpOnLaunch: false },
        { name: 'instances', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
      ],
      // Files and records do not go through the NAT gateways, which cost by the gigabyte.
      gatewayEndpoints: {
        S3: { service: GatewayVpcEndpointAwsService.S3 },
        DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
      },
      // The CDK would need another function for this, and nothing uses the default group.
      restrictDefaultSecurityGroup: false,
    });
    vpc.addFlowLog('FlowLog', {
      destination: FlowLogDestination.toCloudWatchLogs(new LogGroup(this, 'Refused', log)),
      trafficType: FlowLogTrafficType.REJECT,
    });
    // The CDK's own class does not fit its interface under exactOptionalPropertyTypes.
    return { vpc: vpc as Place['vpc'] };
  }
}
