import { SettingError } from './command.ts';

/** What the command line is told by its surroundings. */
export interface CliConfig {
  /** Where the service is, without `/v1` and without a slash at the end. */
  url: string;
  /** Null when none was given. */
  token: string | null;
}

const DEFAULT_URL = 'http://localhost:8080';

/** @throws SettingError for an address that is none */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): CliConfig {
  const given = (env['PLATEN_URL'] ?? '').trim();
  const url = given === '' ? DEFAULT_URL : given;
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    throw new SettingError(`PLATEN_URL is "${url}", but must be an address such as ${DEFAULT_URL}.`);
  }
  const token = (env['PLATEN_TOKEN'] ?? '').trim();
  // bounded: the address in the settings of who calls, at most as long as an environment variable
  return { url: url.replace(/\/+(v1\/*)?$/, ''), token: token === '' ? null : token };
}
