import { type App, Tags } from 'aws-cdk-lib';
import { ApiStack } from './api-stack.ts';
import type { Artifacts } from './artifacts/index.ts';
import { readSettings, type Settings } from './settings.ts';
import { StorageStack } from './storage-stack.ts';

export interface Platen {
  settings: Settings;
  storage: StorageStack;
  api: ApiStack;
}

/**
 * Adds Platen's two stacks to a CDK app, for any account and region.
 *
 * @throws SwitchError
 */
export function addPlaten(app: App, artifacts: Artifacts): Platen {
  const settings = readSettings(app.node.getAllContext() as Record<string, unknown>);
  const storage = new StorageStack(app, 'Storage', {
    stackName: `${settings.name}-storage`,
    description: 'Platen: templates, their files, tokens',
    settings,
  });
  const api = new ApiStack(app, 'Api', {
    stackName: `${settings.name}-api`,
    description: 'Platen: the document service',
    settings,
    storage,
    artifacts,
  });
  for (const tag of settings.tags ?? []) {
    const [key = '', ...value] = tag.split('=');
    Tags.of(app).add(key, value.join('='));
  }
  return { settings, storage, api };
}
