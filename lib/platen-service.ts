import { AssetStaging, type Environment, Tags } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { makeReadable } from '../layers/modes.ts';
import { ApiStack } from './api-stack.ts';
import type { Artifacts } from './artifacts/index.ts';
import { readSettings, type Settings, switchesAsContext, type Switches, tagsOf } from './settings.ts';
import { StorageStack } from './storage-stack.ts';

export interface PlatenServiceProps {
  /** The bundles and layers that `buildArtifacts` returns. */
  artifacts: Artifacts;
  /** The switches of docs/deploy.md, without `platen:`. Context under `platen:` is ignored. */
  switches?: Switches;
  /** The account and region of both stacks; those of the deployment when absent. */
  env?: Environment;
}

/**
 * Adds Platen's two stacks to a CDK app, for any account and region. Several services in one account need
 * different names (the switch `name`).
 */
export class PlatenService extends Construct {
  readonly settings: Settings;
  /** The stack with templates, files, tokens and jobs. */
  readonly storage: StorageStack;
  /** The stack with the functions and the API. */
  readonly api: ApiStack;

  /** @throws SwitchError */
  constructor(scope: Construct, id: string, { artifacts, switches = {}, env }: PlatenServiceProps) {
    super(scope, id);
    this.settings = readSettings(switchesAsContext(switches));
    ({ storage: this.storage, api: this.api } = addStacks(this, this.settings, artifacts, env));
  }

  /** The base address for clients, which is known after the deployment. */
  get baseUrl(): string {
    return this.api.baseUrl;
  }
}

/** Adds the two stacks to an app or to a construct in one. */
export function addStacks(
  scope: Construct,
  settings: Settings,
  artifacts: Artifacts,
  env?: Environment,
): { storage: StorageStack; api: ApiStack } {
  const place = env === undefined ? {} : { env };
  const storage = new StorageStack(scope, 'Storage', {
    stackName: `${settings.name}-storage`,
    description: 'Platen: templates, their files, tokens',
    settings,
    ...place,
  });
  const api = new ApiStack(scope, 'Api', {
    stackName: `${settings.name}-api`,
    description: 'Platen: the document service',
    settings,
    storage,
    artifacts,
    ...place,
  });
  for (const [key, value] of Object.entries(tagsOf(settings))) Tags.of(scope).add(key, value);
  // The CDK stages assets when they are defined, with the modes and the umask of this host.
  for (const construct of scope.node.findAll())
    if (construct instanceof AssetStaging) makeReadable(construct.absoluteStagedPath);
  return { storage, api };
}
