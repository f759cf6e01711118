import { type Environment, oneOf } from '../shared/config.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';

/** What the service function is told by its surroundings. */
export interface ServiceConfig {
  logLevel: LogLevel;
}

/** @throws ConfigError that names the variable at fault */
export function readConfig(env: Environment): ServiceConfig {
  return Object.freeze({ logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info') });
}

export const config = readConfig(process.env);
