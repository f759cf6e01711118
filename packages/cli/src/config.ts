import { SettingError } from './command.ts';

/** The settings of the command line, from environment variables. */
export interface CliConfig {
  /** URL of the service, without `/v1` and without a trailing slash. */
  url: string;
  /** Null when no token is set. */
  token: string | null;
}

const DEFAULT_URL = 'http://localhost:8080';

/** @throws SettingError for an invalid URL */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): CliConfig {
  const given = (env['PLATEN_URL'] ?? '').trim();
  const url = given === '' ? DEFAULT_URL : given;
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    throw new SettingError(`PLATEN_URL is "${url}", but must be an address such as ${DEFAULT_URL}.`);
  }
  const token = (env['PLATEN_TOKEN'] ?? '').trim();
  // bounded: the caller's own setting, at most as long as an environment variable
  return { url: url.replace(/\/+(v1\/*)?$/, ''), token: token === '' ? null : token };
}
