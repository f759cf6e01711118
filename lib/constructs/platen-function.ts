import { Duration, type RemovalPolicy, Size, Validations } from 'aws-cdk-lib';
import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  DockerImageCode,
  DockerImageFunction,
  Function as LambdaFunction,
  type ILayerVersion,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionSpec } from '../functions.ts';

export interface PlatenFunctionProps {
  spec: FunctionSpec;
  /** Folder with `index.mjs` and what lies beside it; for an image, its Dockerfile too. */
  code: string;
  memory: number;
  layers: ILayerVersion[];
  environment: Record<string, string>;
  /** What the function may do, besides writing its log and its traces. */
  statements: PolicyStatement[];
  /** A network without a way out. */
  vpc?: IVpc | undefined;
  reservedConcurrency?: number | undefined;
  logRetention: RetentionDays;
  removalPolicy: RemovalPolicy;
}

/** A function as all of them are: runtime, log group with an end, traces, and a role with nothing but its own rights. */
export class PlatenFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: PlatenFunctionProps) {
    super(scope, id);
    const { spec } = props;

    const logGroup = new LogGroup(this, 'Log', {
      retention: props.logRetention,
      removalPolicy: props.removalPolicy,
    });
    this.role = this.createRole(props);
    logGroup.grantWrite(this.role);

    const common = {
      description: spec.description,
      // The browser's package is built for x86_64 only.
      architecture: Architecture.X86_64,
      memorySize: props.memory,
      timeout: Duration.seconds(spec.timeoutSeconds),
      ...(spec.ephemeral === undefined ? {} : { ephemeralStorageSize: Size.mebibytes(spec.ephemeral) }),
      environment: props.environment,
      role: this.role,
      tracing: Tracing.ACTIVE,
      logGroup,
      // The functions write JSON lines themselves; with this the platform's own lines are JSON too. What is written
      // is decided by PLATEN_LOG_LEVEL alone, so Lambda filters nothing.
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.TRACE,
      systemLogLevelV2: SystemLogLevel.INFO,
      ...(props.vpc === undefined ? {} : { vpc: props.vpc }),
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
    };
    this.lambda =
      spec.container === undefined
        ? new LambdaFunction(this, 'Function', {
            ...common,
            runtime: Runtime.NODEJS_24_X,
            code: Code.fromAsset(props.code),
            handler: HANDLER,
            layers: props.layers,
          })
        : new DockerImageFunction(this, 'Function', {
            ...common,
            // Built when it is deployed, which is what needs Docker; its folder is all the local service needs.
            code: DockerImageCode.fromImageAsset(props.code, {
              cmd: [HANDLER],
              platform: Platform.LINUX_AMD64,
            }),
          });

    Validations.of(this.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'X-Ray traces, and the network interfaces of a function in a VPC, have no resources that could be named.',
    });
  }

  private createRole({ spec, statements, vpc }: PlatenFunctionProps): Role {
    const role = new Role(this, 'Role', {
      description: `Platen: ${spec.description}`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    for (const statement of statements) role.addToPolicy(statement);
    if (vpc !== undefined) role.addToPolicy(new PolicyStatement(NETWORK_INTERFACES));
    return role;
  }
}

const HANDLER = 'index.handler';

/** What Lambda does in our name to put a function into a VPC. */
const NETWORK_INTERFACES = {
  actions: [
    'ec2:AssignPrivateIpAddresses',
    'ec2:CreateNetworkInterface',
    'ec2:DeleteNetworkInterface',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:UnassignPrivateIpAddresses',
  ],
  resources: ['*'],
};
