import { type Environment, oneOf, optionalString } from '../shared/config.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';

/** The configuration of the service function, read from the environment. */
export interface ServiceConfig {
  /** Namespace of the CloudWatch metrics; null for none. */
  metrics: string | null;
  logLevel: LogLevel;
}

/** @throws ConfigError that names the variable at fault */
export function readConfig(env: Environment): ServiceConfig {
  return Object.freeze({
    metrics: optionalString(env, 'PLATEN_METRICS_NAMESPACE'),
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
  });
}

export const config = readConfig(process.env);
