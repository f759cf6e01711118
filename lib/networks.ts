import { Validations } from 'aws-cdk-lib';
import { type ISubnet, type IVpc, Subnet, Vpc } from 'aws-cdk-lib/aws-ec2';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type Allowed, ClosedNetwork } from './constructs/closed-network.ts';
import {
  FILES_OF_TEMPLATE,
  FILES_OF_TENANTS,
  KEYS_PARTITIONS,
  FILES_PREFIX,
  KEYS_OF_UPLOADS,
  TRANSFERS_PREFIX,
  UPLOADS_PREFIX,
  USAGE_PARTITIONS,
} from './function-rights.ts';
import { type DeployedName, specOf } from './functions.ts';
import { ANSWERS_PREFIX, JOBS_PREFIX, LISTED_FOR_JOBS } from './job-rights.ts';
import type { LogSettings } from './log-settings.ts';
import type { Settings } from './settings.ts';
import type { StorageStack } from './storage-stack.ts';

/** The subnets of a function; all of the VPC's when none are named. */
export interface Place {
  vpc: IVpc;
  subnets?: ISubnet[];
}

export interface NetworksProps {
  settings: Settings;
  storage: StorageStack;
  log: LogSettings;
  hasConvert: boolean;
}

/** Assigns functions to networks. */
export class Networks {
  /** The network of all functions that process untrusted documents. */
  private readonly isolated: ClosedNetwork | undefined;
  private readonly closed: ClosedNetwork | undefined;
  /** The operator's subnets. */
  readonly given: Place | undefined;

  constructor(scope: Construct, { settings, storage, log, hasConvert }: NetworksProps) {
    const own = { zones: settings.zones, log };
    const { isolated, convertNetwork } = settings;
    this.isolated = isolated
      ? new ClosedNetwork(scope, 'Network', {
          ...own,
          files: filesOfRenderers(storage),
          tables: tablesOfRenderers(storage),
        })
      : undefined;
    // Documents are transferred by signed URLs of S3, which is the only destination that this network permits.
    this.closed =
      hasConvert && !isolated && convertNetwork === 'closed'
        ? new ClosedNetwork(scope, 'ConvertNetwork', { ...own, files: [transfers(storage)] })
        : undefined;
    this.given = givenPlace(scope, settings);
  }

  /** Undefined if the function is in none of our networks and can reach the whole internet. */
  placeOf(name: DeployedName, settings: Settings): Place | undefined {
    const untrusted = specOf(name).untrusted === true;
    if (this.isolated !== undefined) return untrusted ? { vpc: this.isolated.vpc } : undefined;
    if (name === 'convert') {
      if (this.closed !== undefined) return { vpc: this.closed.vpc };
      return settings.convertNetwork === 'given' ? this.given : undefined;
    }
    // Functions that call external hosts use the operator's addresses.
    return untrusted || name === 'webhook' ? this.given : undefined;
  }

  /**
   * In a network without egress, adds an endpoint for calls of functions. The roles of the callers determine which
   * functions.
   */
  openFunctions(callees: readonly IFunction[], callers: readonly IFunction[]): void {
    if (callees.length > 0) this.isolated?.allowInvoking(callees, callers);
  }

  /** In a network without egress, adds the endpoints that functions need to create jobs. */
  openJobs(machineArn: string, sealingArn: string, makers: readonly IFunction[]): void {
    this.isolated?.allowStarting(machineArn, makers);
    this.isolated?.allowUnsealing(sealingArn, makers);
  }
}

function givenPlace(scope: Construct, { vpcId, subnetIds = [] }: Settings): Place | undefined {
  if (vpcId === undefined) return undefined;
  const subnets = subnetIds.map((subnetId) => {
    const subnet = Subnet.fromSubnetId(scope, `Given-${subnetId}`, subnetId);
    Validations.of(subnet).acknowledge({
      id: 'Annotation::@aws-cdk/aws-ec2:noSubnetRouteTableId',
      reason: 'Functions run in the subnet; its routes do not change.',
    });
    return subnet;
  });
  return {
    // The zones of the subnets do not matter, because the subnets are named.
    vpc: Vpc.fromVpcAttributes(scope, 'GivenVpc', { vpcId, availabilityZones: ['given'] }),
    subnets,
  };
}

function transfers({ files }: StorageStack): Allowed {
  return {
    actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
    resources: [files.arnForObjects(`${TRANSFERS_PREFIX}*`)],
  };
}

function filesOfRenderers(storage: StorageStack): Allowed[] {
  const { files } = storage;
  const objects = (...prefixes: string[]) => prefixes.map((prefix) => files.arnForObjects(`${prefix}*`));
  return [
    { actions: ['s3:GetObject'], resources: objects(FILES_PREFIX, UPLOADS_PREFIX) },
    transfers(storage),
    {
      actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
      resources: objects(JOBS_PREFIX, ANSWERS_PREFIX),
    },
    { actions: ['s3:DeleteObject'], resources: objects(JOBS_PREFIX) },
    {
      actions: ['s3:ListBucket'],
      resources: [files.bucketArn],
      conditions: {
        StringLike: {
          's3:prefix': [FILES_OF_TEMPLATE, ...FILES_OF_TENANTS, KEYS_OF_UPLOADS, ...LISTED_FOR_JOBS.work],
        },
      },
    },
  ];
}

function tablesOfRenderers({ templates, tokens, jobs }: StorageStack): Allowed[] {
  return [
    // The function lists the partials and fonts of a tenant.
    {
      actions: ['GetItem', 'BatchGetItem', 'Query'].map((action) => `dynamodb:${action}`),
      resources: [templates.tableArn],
    },
    {
      actions: ['dynamodb:UpdateItem'],
      resources: [tokens.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [USAGE_PARTITIONS] } },
    },
    {
      actions: ['PutItem', 'DeleteItem'].map((action) => `dynamodb:${action}`),
      resources: [templates.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [KEYS_PARTITIONS] } },
    },
    {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map(
        (action) => `dynamodb:${action}`,
      ),
      resources: [jobs.tableArn],
    },
  ];
}
