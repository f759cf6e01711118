import { type Environment, oneOf, requiredString } from '../shared/config.ts';
import { type ServingSettings, servingSettings } from '../shared/http/serving.ts';
import { oidcSettings } from './oidc-settings.ts';
import type { OidcConfig } from './oidc.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';

/** The configuration of the authorizer, read from the environment. */
export interface AuthorizerConfig {
  /** Name of the DynamoDB table of tokens. */
  table: string;
  /** The provider with which people sign in; null for none. */
  oidc: OidcConfig | null;
  logLevel: LogLevel;
}

/** @throws ConfigError that names the variable at fault */
export function readConfig(env: Environment): AuthorizerConfig {
  return Object.freeze({
    table: requiredString(env, 'PLATEN_TOKENS_TABLE'),
    oidc: oidcSettings(env),
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
  });
}

export const config = readConfig(process.env);

/** The configuration of the function that answers the token routes. */
export interface TokensConfig extends AuthorizerConfig, ServingSettings {}

/** @throws ConfigError that names the variable at fault */
export function readTokensConfig(env: Environment = process.env): TokensConfig {
  return Object.freeze({ ...servingSettings(env), ...readConfig(env) });
}
