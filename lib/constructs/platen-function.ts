import { Duration, Size, Stack, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  type Architecture,
  type CfnFunction,
  Code,
  DockerImageCode,
  DockerImageFunction,
  Function as LambdaFunction,
  type FunctionProps,
  type ILayerVersion,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { Repository } from 'aws-cdk-lib/aws-ecr';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { CONCURRENCY, type FunctionSpec } from '../functions.ts';
import type { LogSettings } from '../log-settings.ts';
import type { Place } from '../networks.ts';
import type { ManagedInstances } from './managed-instances.ts';
import { CONVERT_IMAGE } from '../settings.ts';

export interface PlatenFunctionProps {
  spec: FunctionSpec;
  /** The folder with `index.mjs` and its other files; for an image, with its Dockerfile too. */
  code: string;
  memory: number;
  architecture: Architecture;
  layers: ILayerVersion[];
  /** The existing image; otherwise, it is built from `code`. */
  builtImage?: string | undefined;
  environment: Record<string, string>;
  /** The permissions of the function besides writing its log and traces. */
  statements: PolicyStatement[];
  /** The subnets, if the function is in any of ours. */
  place?: Place | undefined;
  reservedConcurrency?: number | undefined;
  /** The instances on which the function runs; otherwise, Lambda's own. */
  instances?: ManagedInstances | undefined;
  /** Whether X-Ray records invocations. */
  traced: boolean;
  log: LogSettings;
}

/**
 * A function with the common settings: runtime, a log group with retention, traces, and a role with only its own
 * permissions.
 */
export class PlatenFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: PlatenFunctionProps) {
    super(scope, id);
    const { spec } = props;

    const logGroup = new LogGroup(this, 'Log', props.log);
    this.role = this.createRole(props);
    logGroup.grantWrite(this.role);

    const common = {
      description: spec.description,
      architecture: props.architecture,
      memorySize: props.memory,
      timeout: Duration.seconds(spec.timeoutSeconds),
      ...(spec.ephemeral === undefined ? {} : { ephemeralStorageSize: Size.mebibytes(spec.ephemeral) }),
      environment: props.environment,
      role: this.role,
      tracing: props.traced ? Tracing.ACTIVE : Tracing.DISABLED,
      logGroup,
      // The functions write JSON lines themselves; this setting makes the platform's own lines JSON too. Only
      // PLATEN_LOG_LEVEL filters lines, so Lambda filters none.
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.TRACE,
      systemLogLevelV2: SystemLogLevel.INFO,
      ...placement(props.place),
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
    };
    this.lambda =
      spec.container === undefined
        ? // What runs a function cannot change, so that one on instances is another function.
          new LambdaFunction(this, props.instances === undefined ? 'Function' : 'FunctionOnInstances', {
            ...common,
            runtime: Runtime.NODEJS_24_X,
            code: Code.fromAsset(props.code),
            handler: HANDLER,
            layers: props.layers,
          })
        : new DockerImageFunction(this, 'Function', {
            ...common,
            code: this.image(props),
          });

    // For runtimes that give an environment several requests at a time; Lambda itself does not read it.
    const { concurrency = CONCURRENCY } = spec;
    (this.lambda.node.defaultChild as CfnFunction).addMetadata('platen:concurrency', concurrency);

    props.instances?.run(this.lambda, spec);

    if (props.traced || props.place !== undefined) {
      Validations.of(this.role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason:
          'X-Ray traces, and the network interfaces of a function in a VPC, have no resources that could be named.',
      });
    }
  }

  private image({ code, builtImage }: PlatenFunctionProps): DockerImageCode {
    const [, account, region, repositoryName, tag, digest] = CONVERT_IMAGE.exec(builtImage ?? '') ?? [];
    if (account === undefined || region === undefined || repositoryName === undefined) {
      // The deployment builds the image, which requires Docker. The local service needs only its folder.
      return DockerImageCode.fromImageAsset(code, { cmd: [HANDLER], platform: Platform.LINUX_AMD64 });
    }
    const { partition } = Stack.of(this);
    const repository = Repository.fromRepositoryAttributes(this, 'Repository', {
      repositoryArn: `arn:${partition}:ecr:${region}:${account}:repository/${repositoryName}`,
      repositoryName,
    });
    return DockerImageCode.fromEcr(repository, { cmd: [HANDLER], tagOrDigest: tag ?? digest ?? '' });
  }

  private createRole({ spec, statements, place }: PlatenFunctionProps): Role {
    const role = new Role(this, 'Role', {
      description: `Platen: ${spec.description}`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    for (const statement of statements) role.addToPolicy(statement);
    if (place !== undefined) {
      role.addToPolicy(new PolicyStatement(NETWORK_INTERFACES));
      // Lambda uses the role to attach the function to the VPC; the code of the function does not need these
      // permissions.
      const { partition, region, account } = Stack.of(this);
      role.addToPolicy(
        new PolicyStatement({
          ...NETWORK_INTERFACES,
          effect: Effect.DENY,
          conditions: {
            ArnLike: {
              'lambda:SourceFunctionArn': `arn:${partition}:lambda:${region}:${account}:function:*`,
            },
          },
        }),
      );
    }
    return role;
  }
}

const HANDLER = 'index.handler';

function placement(place: Place | undefined): Pick<FunctionProps, 'vpc' | 'vpcSubnets'> {
  if (place === undefined) return {};
  const { vpc, subnets } = place;
  return { vpc, ...(subnets === undefined ? {} : { vpcSubnets: { subnets } }) };
}

/** The actions with which Lambda attaches a function to a VPC. */
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
