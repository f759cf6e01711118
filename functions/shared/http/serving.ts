import { type Environment, optionalString } from '../config.ts';
import { usageStore } from '../store/usage.ts';
import type { GroupServices } from './group.ts';

/** What every function group that is counted is told. */
export interface ServingSettings {
  /** Name of the DynamoDB table of tokens, where their use is counted; null: tokens with limits are not served. */
  tokensTable: string | null;
  /** Namespace of CloudWatch that metrics are kept in; null: there are none. */
  metrics: string | null;
}

export function servingSettings(env: Environment): ServingSettings {
  return {
    tokensTable: optionalString(env, 'PLATEN_TOKENS_TABLE'),
    metrics: optionalString(env, 'PLATEN_METRICS_NAMESPACE'),
  };
}

/** The services that come of it. */
export function servingServices({
  tokensTable,
  metrics,
}: ServingSettings): Pick<GroupServices, 'usage' | 'metrics'> {
  return { usage: usageStore(tokensTable), metrics };
}
