import type { App } from 'aws-cdk-lib';
import type { ApiStack } from './api-stack.ts';
import type { Artifacts } from './artifacts/index.ts';
import { addStacks } from './platen-service.ts';
import { readSettings, type Settings } from './settings.ts';
import type { StorageStack } from './storage-stack.ts';

export interface Platen {
  settings: Settings;
  storage: StorageStack;
  api: ApiStack;
}

/**
 * Adds Platen's two stacks to a CDK app, for any account and region, with the switches in its context.
 *
 * @throws SwitchError
 */
export function addPlaten(app: App, artifacts: Artifacts): Platen {
  const settings = readSettings(app.node.getAllContext() as Record<string, unknown>);
  return { settings, ...addStacks(app, settings, artifacts) };
}
