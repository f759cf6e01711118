import { type Environment, oneOf, requiredString } from '../shared/config.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';

/** What the authorizer is told by its surroundings. */
export interface AuthorizerConfig {
  /** Name of the DynamoDB table of tokens. */
  table: string;
  logLevel: LogLevel;
}

/** @throws ConfigError that names the variable at fault */
export function readConfig(env: Environment): AuthorizerConfig {
  return Object.freeze({
    table: requiredString(env, 'PLATEN_TOKENS_TABLE'),
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
  });
}

export const config = readConfig(process.env);
