import { type Environment, optionalString } from '../config.ts';
import { usageStore } from '../store/usage.ts';
import type { GroupServices } from './received.ts';

/** The settings of every function group whose requests are counted. */
export interface ServingSettings {
  /** Name of the DynamoDB table of tokens and their counters; null: tokens with limits are refused. */
  tokensTable: string | null;
  /** Namespace of the CloudWatch metrics; null for none. */
  metrics: string | null;
}

export function servingSettings(env: Environment): ServingSettings {
  return {
    tokensTable: optionalString(env, 'PLATEN_TOKENS_TABLE'),
    metrics: optionalString(env, 'PLATEN_METRICS_NAMESPACE'),
  };
}

/** Returns the services for these settings. */
export function servingServices({
  tokensTable,
  metrics,
}: ServingSettings): Pick<GroupServices, 'usage' | 'metrics'> {
  return { usage: usageStore(tokensTable), metrics };
}
