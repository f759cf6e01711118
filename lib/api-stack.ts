import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  type Function as LambdaFunction,
  LayerVersion,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { FunctionGroup } from '../functions/shared/contract/route.ts';
import { ROUTES } from '../functions/shared/contract/routes.ts';
import type { Artifacts } from './artifacts/index.ts';
import { IsolatedNetwork } from './constructs/isolated-network.ts';
import { JobMachine, jobMachineArn } from './constructs/job-machine.ts';
import { PlatenApi } from './constructs/platen-api.ts';
import { PlatenFunction } from './constructs/platen-function.ts';
import { WebhookQueue } from './constructs/webhook-queue.ts';
import {
  FUNCTIONS,
  type FunctionName,
  type FunctionSpec,
  LAYERS,
  type LayerName,
  type Rights,
  type Variable,
} from './functions.ts';
import {
  acknowledgeJobRights,
  ANSWERS_PREFIX,
  type JobResources,
  JOBS_PREFIX,
  jobStatements,
  LISTED_FOR_JOBS,
} from './job-rights.ts';
import { Observability } from './observability.ts';
import type { Settings } from './settings.ts';
import type { StorageStack } from './storage-stack.ts';

/** Tenants' files are below this, and no role reaches anything beside it. */
const FILES_PREFIX = 'tenants/';
/**
 * Matches prefixes that name a template, and keys of its files: when an object is not there, S3 asks for the right to
 * list with the object's key as the prefix.
 */
const FILES_OF_TEMPLATE = `${FILES_PREFIX}*/templates/*/*`;
/** Documents on their way to the convert function and back (shared/convert/client.ts). */
const TRANSFERS_PREFIX = 'transfers/';
/** What callers uploaded to refer to (shared/store/uploads.ts). */
const UPLOADS_PREFIX = 'uploads/';
/** Matches the keys of uploads, see FILES_OF_TEMPLATE. */
const KEYS_OF_UPLOADS = `${UPLOADS_PREFIX}*/*/*`;
/** Where the sweep notes how far it has come (shared/store/sweep.ts). */
const SWEEP_PARTITION = 'SWEEP';
/** A file that nothing refers to is gone within a day (decision 12): found at one visit, gone at the next. */
const SWEEP_INTERVAL = Duration.hours(12);

export interface ApiStackProps extends StackProps {
  settings: Settings;
  storage: StorageStack;
  artifacts: Artifacts;
}

/** The service: functions with their layers, the API in front of them, the sweep, alarms. */
export class ApiStack extends Stack {
  readonly functions = new Map<FunctionName, LambdaFunction>();
  private readonly settings: Settings;
  private readonly storage: StorageStack;
  private readonly artifacts: Artifacts;
  private readonly layers = new Map<LayerName, LayerVersion>();
  private readonly network: IsolatedNetwork | undefined;
  private readonly webhooks: WebhookQueue | undefined;
  private readonly kept: { logRetention: RetentionDays; removalPolicy: RemovalPolicy };

  constructor(scope: Construct, id: string, { settings, storage, artifacts, ...props }: ApiStackProps) {
    super(scope, id, props);
    this.settings = settings;
    this.storage = storage;
    this.artifacts = artifacts;
    this.kept = {
      logRetention: settings.logRetentionDays,
      removalPolicy: settings.removal === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    };
    this.network = settings.isolated
      ? new IsolatedNetwork(this, 'Network', {
          templates: storage.templates,
          files: storage.files,
          filesPrefix: FILES_PREFIX,
          uploadsPrefix: UPLOADS_PREFIX,
          transfersPrefix: TRANSFERS_PREFIX,
          listedPrefixes: [FILES_OF_TEMPLATE, KEYS_OF_UPLOADS, ...LISTED_FOR_JOBS.work],
          jobs: storage.jobs,
          jobsPrefixes: [JOBS_PREFIX, ANSWERS_PREFIX],
          ...this.kept,
        })
      : undefined;

    this.webhooks = this.hasJobs
      ? new WebhookQueue(this, 'Webhooks', {
          name: `${settings.name}-webhooks`,
          timeoutSeconds: FUNCTIONS.webhook.timeoutSeconds,
        })
      : undefined;

    for (const [name, code] of artifacts.functions) {
      if (name === 'convert' && !settings.convert) continue;
      this.functions.set(name, this.createFunction(name, code));
    }
    this.openConvert();
    this.webhooks?.deliverTo(this.require('webhook'));
    const machine = this.createJobMachine();

    const api = new PlatenApi(this, 'Api', {
      routes: ROUTES,
      functionOf: (group) => this.answering(group),
      authorizer: this.require('authorizer'),
      settings,
      ...this.kept,
    });
    new Rule(this, 'SweepSchedule', {
      description: 'Deletes files that no template refers to',
      schedule: Schedule.rate(SWEEP_INTERVAL),
      targets: [new LambdaTarget(this.require('sweep'))],
    });
    new Observability(this, 'Observability', {
      api: api.rest,
      functions: this.functions,
      machine,
      deadLetters: this.webhooks?.deadLetters,
      settings,
    });

    new CfnOutput(this, 'BaseUrl', {
      description: 'What clients are given as their base',
      value: api.rest.urlForPath('/v1'),
    });
  }

  /** In a network without a way out, the functions that may call `convert` get a door to it. */
  private openConvert(): void {
    const convert = this.functions.get('convert');
    if (convert === undefined || this.network === undefined) return;
    const callers = [...this.functions].filter(([name]) => FUNCTIONS[name].rights.convert === true);
    this.network.allowInvoking(
      convert,
      callers.map(([, caller]) => caller),
    );
  }

  /** Name of the state machine of jobs. */
  private get jobMachineName(): string {
    return `${this.settings.name}-jobs`;
  }

  private get jobResources(): JobResources {
    const { jobs, files, filesArnExport, sealing } = this.storage;
    return { jobs, files, filesArnExport, sealing, machine: this.jobMachineName };
  }

  /** What jobs need of the functions has to be there as a whole. */
  private get hasJobs(): boolean {
    return (['render', 'images', 'pdf', 'jobs', 'webhook'] as const).every((name) =>
      this.artifacts.functions.has(name),
    );
  }

  /** Does jobs; in a network without a way out, those that make jobs get a door to it. */
  private createJobMachine(): JobMachine['machine'] | undefined {
    if (this.webhooks === undefined) return undefined;
    const { machine } = new JobMachine(this, 'Jobs', {
      name: this.jobMachineName,
      functions: {
        render: this.require('render'),
        images: this.require('images'),
        pdf: this.require('pdf'),
        jobs: this.require('jobs'),
      },
      webhooks: this.webhooks.queue,
      files: this.storage.files,
      filesArnExport: this.storage.filesArnExport,
      jobsPrefix: JOBS_PREFIX,
      concurrency: this.settings.jobConcurrency,
      ...this.kept,
    });
    const makers = [...this.functions]
      .filter(([name]) => FUNCTIONS[name].rights.jobs === 'work')
      .map(([, maker]) => maker);
    this.network?.allowStarting(jobMachineArn(this, this.jobMachineName), makers);
    this.network?.allowUnsealing(this.storage.sealing.secretArn, makers);
    return machine;
  }

  /** The group's function; service for one that is not there, which then answers 501. */
  private answering(group: FunctionGroup): LambdaFunction {
    return this.functions.get(group) ?? this.require('service');
  }

  private require(name: FunctionName): LambdaFunction {
    const found = this.functions.get(name);
    if (found === undefined)
      throw new Error(`${FUNCTIONS[name].entry} is missing, and nothing can stand in for it.`);
    return found;
  }

  private createFunction(name: FunctionName, code: string): LambdaFunction {
    const spec = FUNCTIONS[name];
    const isRender = name === 'render';
    const { lambda, role } = new PlatenFunction(this, name, {
      spec,
      code,
      memory: isRender ? this.settings.renderMemory : spec.memory,
      layers: spec.container === undefined ? (spec.layers ?? []).map((layer) => this.layer(layer)) : [],
      environment: this.variables(spec),
      statements: this.rights(spec),
      vpc: spec.untrusted === true ? this.network?.vpc : undefined,
      reservedConcurrency: isRender ? this.settings.renderConcurrency : undefined,
      ...this.kept,
    });
    if (spec.rights.uploads) {
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${this.storage.filesArnExport}/${UPLOADS_PREFIX}*]`,
        reason: 'Each upload has a key of its own: they can only be named by the prefix they share.',
      });
    }
    if (spec.rights.transfers) {
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${this.storage.filesArnExport}/${TRANSFERS_PREFIX}*]`,
        reason:
          'Each document on its way has a key of its own: they can only be named by the prefix they share.',
      });
    }
    acknowledgeJobRights(role, spec.rights.jobs, this.jobResources);
    if (spec.rights.files) {
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${this.storage.filesArnExport}/${FILES_PREFIX}*]`,
        reason:
          'Tenants, templates and files come and go: their objects can only be named by the prefix they share.',
      });
    }
    return lambda;
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
      PLATEN_FILES_BUCKET: this.storage.files.bucketName,
      PLATEN_OUTSIDE_RESOURCES: settings.outsideResources,
      PLATEN_CHROME_MODE: settings.chromeMode,
      PLATEN_CACHE_MB: settings.cacheMb,
      PLATEN_MAX_RECORDS: settings.maxRecords,
      PLATEN_MAX_JOB_RECORDS: settings.maxJobRecords,
      PLATEN_JOBS_TABLE: this.storage.jobs.tableName,
      PLATEN_JOBS_MACHINE: this.hasJobs ? jobMachineArn(this, this.jobMachineName) : undefined,
      PLATEN_JOB_DAYS: settings.jobDays,
      PLATEN_SEALING_SECRET: this.hasJobs ? this.storage.sealing.secretArn : undefined,
      PLATEN_WEBHOOK_QUEUE: this.webhooks?.queue.queueUrl,
      PLATEN_MAX_UPLOAD_MB: settings.maxUploadMb,
      PLATEN_FILL_TIMEOUT_MS: settings.fillTimeoutMs,
      PLATEN_PRINT_TIMEOUT_MS: settings.printTimeoutMs,
      PLATEN_CONVERT_FUNCTION: this.functions.get('convert')?.functionName,
      PLATEN_CONVERT_TIMEOUT_MS: settings.convertTimeoutMs,
      PLATEN_IMAGE_TIMEOUT_MS: settings.imageTimeoutMs,
    };
    const given = spec.variables.filter((variable) => values[variable] !== undefined);
    return {
      PLATEN_LOG_LEVEL: settings.logLevel,
      ...Object.fromEntries(given.map((variable) => [variable, String(values[variable])])),
    };
  }

  private rights({ rights }: FunctionSpec): PolicyStatement[] {
    const { templates, tokens, files } = this.storage;
    const statements: PolicyStatement[] = [];
    if (rights.templates) statements.push(tableStatement(templates, rights.templates));
    if (rights.sweepNotes) {
      const statement = tableStatement(templates, rights.sweepNotes);
      statement.addCondition('ForAllValues:StringEquals', { 'dynamodb:LeadingKeys': [SWEEP_PARTITION] });
      statements.push(statement);
    }
    if (rights.tokens) statements.push(tableStatement(tokens, rights.tokens));
    if (rights.files) {
      statements.push(
        new PolicyStatement({
          actions: rights.files.map((action) => `s3:${action}`),
          resources: [files.arnForObjects(`${FILES_PREFIX}*`)],
        }),
      );
    }
    if (rights.uploads) {
      statements.push(
        new PolicyStatement({
          // What a caller sends with a form of ours counts as put by the function that signed it.
          actions: [rights.uploads === 'read' ? 's3:GetObject' : 's3:PutObject'],
          resources: [files.arnForObjects(`${UPLOADS_PREFIX}*`)],
        }),
      );
    }
    if (rights.transfers) {
      statements.push(
        new PolicyStatement({
          actions: rights.transfers.map((action) => `s3:${action}`),
          resources: [files.arnForObjects(`${TRANSFERS_PREFIX}*`)],
        }),
      );
    }
    const convert = this.functions.get('convert');
    if (rights.convert === true && convert !== undefined) {
      statements.push(
        new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [convert.functionArn] }),
      );
    }
    statements.push(...jobStatements(this, rights.jobs, this.jobResources));
    for (const prefix of listedPrefixes(rights)) {
      statements.push(
        new PolicyStatement({
          actions: ['s3:ListBucket'],
          resources: [files.bucketArn],
          conditions: { StringLike: { 's3:prefix': prefix } },
        }),
      );
    }
    return statements;
  }
}

function listedPrefixes({ listFiles, uploads, jobs }: Rights): string[] {
  const ofFiles = { all: [`${FILES_PREFIX}*`], 'of-template': [FILES_OF_TEMPLATE] };
  return [
    ...(listFiles ? ofFiles[listFiles] : []),
    ...(uploads === 'read' ? [KEYS_OF_UPLOADS] : []),
    ...(jobs ? LISTED_FOR_JOBS[jobs] : []),
  ];
}

function tableStatement(table: Table, actions: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
  });
}

/** A layer's manifest changes with its contents and is read in no time; the layer has a hundred megabytes. */
function layerHash(folder: string, name: LayerName): string {
  return createHash('sha256')
    .update(readFileSync(path.join(folder, LAYERS[name], 'manifest.json')))
    .digest('hex');
}
