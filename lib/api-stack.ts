import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { Key } from 'aws-cdk-lib/aws-kms';
import {
  Architecture,
  Code,
  type Function as LambdaFunction,
  type IFunction,
  LayerVersion,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionGroup } from '@platen/contract/route';
import { ROUTES } from '@platen/contract/routes';
import { STUDIO_PATH } from '@platen/studio/site';
import type { Artifacts } from './artifacts/index.ts';
import { Front } from './constructs/front.ts';
import { JobMachine, jobMachineArn } from './constructs/job-machine.ts';
import { ManagedInstances } from './constructs/managed-instances.ts';
import { PlatenApi } from './constructs/platen-api.ts';
import { PlatenFunction } from './constructs/platen-function.ts';
import { WebhookQueue } from './constructs/webhook-queue.ts';
import { refuseLongEnvironment } from './environment.ts';
import { acknowledgeRights, keyStatement, statementsFor } from './function-rights.ts';
import {
  ALLOCATION,
  type DeployedName,
  FUNCTIONS,
  type FunctionName,
  type FunctionSpec,
  LAYERS,
  type LayerName,
  type Rights,
  specOf,
  type Variable,
} from './functions.ts';
import { type JobResources, JOBS_PREFIX } from './job-rights.ts';
import type { LogSettings } from './log-settings.ts';
import { Networks } from './networks.ts';
import { Observability } from './observability/index.ts';
import { metricsNamespace } from './observability/metrics.ts';
import { MANAGED_MEMORY, MANAGED_VARIABLES, ON_INSTANCES } from './on-instances.ts';
import { Releases } from './releases.ts';
import { type Settings, tagsOf } from './settings.ts';
import { removalPolicyOf, type StorageStack } from './storage-stack.ts';

/**
 * The sweep runs twice a day: a file without references is found by one run and deleted by the next, within a day
 * (I-12).
 */
const SWEEP_INTERVAL = Duration.hours(12);

/**
 * How often functions are called that Lambda would deactivate after about two weeks without a call: those from images,
 * and those in a VPC.
 */
const KEEP_ACTIVE_INTERVAL = Duration.days(3);

/** How often jobs are looked for whose function died before it had started them (functions/jobs/catch-up.ts). */
const CATCH_UP_INTERVAL = Duration.hours(1);

export interface ApiStackProps extends StackProps {
  settings: Settings;
  storage: StorageStack;
  artifacts: Artifacts;
}

/** The stack of the service: functions with their layers, the API in front of them, the sweep, alarms. */
export class ApiStack extends Stack {
  readonly functions = new Map<DeployedName, LambdaFunction>();
  /** The base address for clients. */
  readonly baseUrl: string;
  /** The target for callers of each function: the function itself, or the alias that selects a release. */
  private readonly targets = new Map<DeployedName, IFunction>();
  private readonly settings: Settings;
  private readonly storage: StorageStack;
  private readonly artifacts: Artifacts;
  private readonly layers = new Map<LayerName, LayerVersion>();
  private readonly networks: Networks;
  private readonly releases: Releases;
  private readonly webhooks: WebhookQueue | undefined;
  private readonly instances: ManagedInstances | undefined;
  private readonly log: LogSettings;

  constructor(scope: Construct, id: string, { settings, storage, artifacts, ...props }: ApiStackProps) {
    super(scope, id, props);
    this.settings = settings;
    this.storage = storage;
    this.artifacts = artifacts;
    const key =
      settings.kmsKeyArn === undefined ? undefined : Key.fromKeyArn(this, 'Key', settings.kmsKeyArn);
    this.log = {
      retention: settings.logRetentionDays,
      removalPolicy: removalPolicyOf(settings.removal === 'retain'),
      ...(key === undefined ? {} : { encryptionKey: key }),
    };
    this.networks = new Networks(this, {
      settings,
      storage,
      log: this.log,
      hasConvert: settings.convert && artifacts.functions.has('convert'),
    });
    this.instances = settings.managedInstances
      ? new ManagedInstances(this, 'Instances', {
          given: this.networks.given,
          zones: settings.zones,
          maxCores: settings.managedCores,
          tags: tagsOf(settings),
          log: this.log,
        })
      : undefined;
    this.releases = new Releases(this, settings);
    this.webhooks = this.hasJobs
      ? new WebhookQueue(this, 'Webhooks', {
          timeoutSeconds: FUNCTIONS.webhook.timeoutSeconds,
          key,
          concurrency: settings.webhookConcurrency,
        })
      : undefined;

    for (const [name, code] of artifacts.functions) {
      if (name === 'convert' && !settings.convert) continue;
      this.createFunction(name, code);
      if (name === 'render' && settings.batchConcurrency !== undefined && this.hasJobs)
        this.createFunction('renderBatch', code);
    }
    this.networks.openFunctions(
      (['convert', 'render'] as const).flatMap((name) => this.targets.get(name) ?? []),
      this.having(({ convert, stamps }) => convert === true || stamps === true),
    );
    this.webhooks?.deliverTo(this.require('webhook'));
    const machine = this.createJobMachine();
    if (machine !== undefined) {
      new Rule(this, 'JobsSchedule', {
        description: 'Starts jobs that were stored and not started',
        schedule: Schedule.rate(CATCH_UP_INTERVAL),
        targets: [
          new LambdaTarget(this.require('jobs'), {
            event: RuleTargetInput.fromObject({ step: 'catch-up' }),
          }),
        ],
      });
    }

    const api = new PlatenApi(this, 'Api', {
      routes: ROUTES,
      functionOf: (group) => this.answering(group),
      authorizer: this.require('authorizer'),
      settings,
      log: this.log,
    });
    const sweep = new Rule(this, 'SweepSchedule', {
      description: 'Deletes files and versions that no template refers to',
      schedule: Schedule.rate(SWEEP_INTERVAL),
      targets: [new LambdaTarget(this.require('sweep'))],
    });
    new Observability(this, 'Observability', {
      api: api.rest,
      functions: this.functions,
      machine,
      webhooks: this.webhooks,
      sweep,
      settings,
    });

    this.releases.watch(api.rest.metricServerError({ period: Duration.minutes(1), statistic: 'Sum' }));

    const front = new Front(this, 'Front', {
      rest: api.rest,
      settings,
      studio: this.artifacts.studio,
      files: this.storage.files,
    });
    this.baseUrl = `${front.address}/v1`;
    new CfnOutput(this, 'BaseUrl', {
      description: 'Base URL for clients',
      value: this.baseUrl,
    });
    if (settings.studio) new CfnOutput(this, 'StudioUrl', { value: `${front.address}${STUDIO_PATH}/` });
    if (this.webhooks !== undefined)
      new CfnOutput(this, 'DeadLetterQueue', { value: this.webhooks.deadLetters.queueUrl });
  }

  /** Returns the functions with a permission. */
  private having(right: (rights: Rights) => boolean): LambdaFunction[] {
    return [...this.functions].filter(([name]) => right(specOf(name).rights)).map(([, lambda]) => lambda);
  }

  /** The name of the state machine of jobs. */
  private get jobMachineName(): string {
    return `${this.settings.name}-jobs`;
  }

  private get jobResources(): JobResources {
    const { jobs, files, filesArnInPolicies, sealing } = this.storage;
    return { jobs, files, filesArn: filesArnInPolicies, sealing, machine: this.jobMachineName };
  }

  /** Jobs require all of these functions. */
  private get hasJobs(): boolean {
    return (['render', 'images', 'pdf', 'jobs', 'webhook'] as const).every((name) =>
      this.artifacts.functions.has(name),
    );
  }

  /**
   * Creates the state machine of jobs. In a network without egress, the functions that create jobs get endpoints
   * for the services that they call.
   */
  private createJobMachine(): JobMachine['machine'] | undefined {
    if (this.webhooks === undefined) return undefined;
    const { kmsKeyArn } = this.settings;
    const { machine } = new JobMachine(this, 'Jobs', {
      name: this.jobMachineName,
      functions: {
        render: this.require('render'),
        batch: this.targets.get('renderBatch') ?? this.require('render'),
        images: this.require('images'),
        pdf: this.require('pdf'),
        jobs: this.require('jobs'),
      },
      webhooks: this.webhooks.queue,
      files: this.storage.files,
      filesArn: this.storage.filesArnInPolicies,
      jobsPrefix: JOBS_PREFIX,
      concurrency: this.settings.jobConcurrency,
      traced: this.settings.tracePercent > 0,
      statements: kmsKeyArn === undefined ? [] : [keyStatement(this, kmsKeyArn)],
      log: this.log,
    });
    this.networks.openJobs(
      jobMachineArn(this, this.jobMachineName),
      this.storage.sealing.secretArn,
      this.having(({ jobs }) => jobs === 'work'),
    );
    return machine;
  }

  /** Returns the function of a group; `service` if there is none, which then answers 501. */
  private answering(group: FunctionGroup): IFunction {
    return this.targets.get(group) ?? this.require('service');
  }

  private require(name: FunctionName): IFunction {
    const found = this.targets.get(name);
    if (found === undefined)
      throw new Error(`${FUNCTIONS[name].entry} is missing, and it has no substitute.`);
    return found;
  }

  private createFunction(name: DeployedName, code: string): void {
    const spec = specOf(name);
    const { settings } = this;
    const { layers = [] } = spec;
    const instances = ON_INSTANCES.has(name) ? this.instances : undefined;
    // Functions on instances are in the network of the instances.
    const place = instances === undefined ? this.networks.placeOf(name, settings) : undefined;
    const portable = layers.length === 0 && spec.container === undefined;
    const environment = {
      ...this.variables(spec),
      ...(instances === undefined ? {} : MANAGED_VARIABLES),
    };
    refuseLongEnvironment(name, environment);
    const { lambda, role } = new PlatenFunction(this, name, {
      spec,
      code,
      builtImage: settings.convertImage,
      memory: this.memoryOf(spec, instances),
      instances,
      // The browser's package exists only for x86_64, and layers contain native code.
      architecture: portable && settings.arm64 ? Architecture.ARM_64 : Architecture.X86_64,
      layers: spec.container === undefined ? layers.map((layer) => this.layer(layer)) : [],
      environment,
      statements: statementsFor(this, spec.rights, {
        ...this.storage,
        job: this.jobResources,
        convert: this.targets.get('convert'),
        render: this.targets.get('render'),
        kmsKeyArn: settings.kmsKeyArn,
        kmsKeys: settings.kmsKeys ?? [],
      }),
      place,
      reservedConcurrency: reservedFor(name, settings),
      traced: settings.tracePercent > 0,
      log: this.log,
    });
    acknowledgeRights(role, spec.rights, this.jobResources, settings.kmsKeys ?? []);
    this.functions.set(name, lambda);
    const target = this.releases.publish(name, lambda);
    this.targets.set(name, target);
    if (place !== undefined || spec.container !== undefined) {
      new Rule(this, `${name}KeepActive`, {
        description: `Keeps the function ${name} active`,
        schedule: Schedule.rate(KEEP_ACTIVE_INTERVAL),
        // For the webhook function, a batch without messages.
        targets: [
          new LambdaTarget(target, {
            event: RuleTargetInput.fromObject({ order: 'keep-active', Records: [] }),
          }),
        ],
      });
    }
  }

  private memoryOf(spec: FunctionSpec, instances: ManagedInstances | undefined): number {
    if (instances !== undefined) return MANAGED_MEMORY.mb;
    return spec === FUNCTIONS.render ? this.settings.renderMemory : spec.memory;
  }

  private layer(name: LayerName): LayerVersion {
    const known = this.layers.get(name);
    if (known !== undefined) return known;
    const folder = this.artifacts.layers.get(name);
    if (folder === undefined) throw new Error(`The layer ${name} has not been built.`);
    const layer = new LayerVersion(this, `${name}-layer`, {
      description: `Platen: ${name}`,
      code: Code.fromAsset(folder, { assetHash: layerHash(folder, name) }),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
      compatibleArchitectures: [Architecture.X86_64],
    });
    this.layers.set(name, layer);
    return layer;
  }

  private variables(spec: FunctionSpec): Record<string, string> {
    const { settings } = this;
    const values: Record<Variable, string | number | undefined> = {
      PLATEN_TEMPLATES_TABLE: this.storage.templates.tableName,
      PLATEN_TOKENS_TABLE: this.storage.tokens.tableName,
      PLATEN_METRICS_NAMESPACE: settings.metrics ? metricsNamespace(settings.name) : undefined,
      PLATEN_FILES_BUCKET: this.storage.files.bucketName,
      PLATEN_OUTSIDE_RESOURCES: settings.outsideResources,
      PLATEN_CHROME_MODE: settings.chromeMode,
      PLATEN_CACHE_MB: settings.cacheMb,
      PLATEN_MAX_VERSIONS: settings.maxVersions,
      PLATEN_DELETED_DAYS: settings.deletedDays,
      PLATEN_MAX_RECORDS: settings.maxRecords,
      PLATEN_MAX_JOB_RECORDS: settings.maxJobRecords,
      PLATEN_JOBS_TABLE: this.storage.jobs.tableName,
      PLATEN_JOBS_MACHINE: this.hasJobs ? jobMachineArn(this, this.jobMachineName) : undefined,
      PLATEN_JOB_DAYS: settings.jobDays,
      PLATEN_SEALING_SECRET: this.hasJobs ? this.storage.sealing.secretArn : undefined,
      PLATEN_OIDC_ISSUER: settings.oidcIssuer,
      PLATEN_OIDC_AUDIENCE: settings.oidcAudience,
      PLATEN_OIDC_GROUPS_CLAIM: settings.oidcGroupsClaim,
      PLATEN_OIDC_GROUPS: settings.oidcGroups,
      PLATEN_TSA_URL: settings.tsaUrl,
      PLATEN_KMS_KEYS: settings.kmsKeys?.join(','),
      PLATEN_TRUST_ANCHORS: settings.trustAnchors,
      PLATEN_WEBHOOK_QUEUE: this.webhooks?.queue.queueUrl,
      PLATEN_MAX_UPLOAD_MB: settings.maxUploadMb,
      PLATEN_FILL_TIMEOUT_MS: settings.fillTimeoutMs,
      PLATEN_PRINT_TIMEOUT_MS: settings.printTimeoutMs,
      PLATEN_CONVERT_FUNCTION: this.targets.get('convert')?.functionName,
      PLATEN_CONVERT_TIMEOUT_MS: settings.convertTimeoutMs,
      PLATEN_RENDER_FUNCTION: this.targets.get('render')?.functionName,
      PLATEN_IMAGE_TIMEOUT_MS: settings.imageTimeoutMs,
    };
    const given = spec.variables.filter((variable) => values[variable] !== undefined);
    return {
      ...ALLOCATION,
      PLATEN_LOG_LEVEL: settings.logLevel,
      ...Object.fromEntries(given.map((variable) => [variable, String(values[variable])])),
    };
  }
}

/**
 * Executions that are reserved for a function and are also its maximum; undefined for the unreserved rest of the
 * account.
 */
function reservedFor(name: DeployedName, settings: Settings): number | undefined {
  if (name === 'render') return settings.renderConcurrency;
  if (name === 'renderBatch') return settings.batchConcurrency;
  return name === 'authorizer' ? settings.authorizerConcurrency : undefined;
}

/**
 * Hashes the manifest of a layer, which changes with its contents and is small; the layer has a hundred megabytes.
 */
function layerHash(folder: string, name: LayerName): string {
  return createHash('sha256')
    .update(readFileSync(path.join(folder, LAYERS[name], 'manifest.json')))
    .digest('hex');
}
