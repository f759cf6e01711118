import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { nearest } from '@platen/core/nearest';
import type { Client } from './client.ts';

/** The definition of a command, and the parsing of its arguments. */

/** A command line or an environment that is not valid: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An environment variable, not the command line, is not valid. */
export class SettingError extends UsageError {}

/** The command succeeded only in part and has reported the rest: exit code 1. */
export class PartialFailure extends Error {
  override readonly name = 'PartialFailure';
}

/** The environment of a command. */
export interface Context {
  client: Client;
  /** Writes output for programs, one item per line. */
  print(text: string): void;
  /** Writes a message for people to standard error. */
  say(text: string): void;
  /** Aborted when the user interrupts the command. */
  signal: AbortSignal;
}

export interface Command {
  /** Description for the list of all commands. */
  summary: string;
  /** Text of `--help`. */
  usage: string;
  /** @throws UsageError, PlatenError */
  run(args: readonly string[], context: Context): Promise<void>;
}

type Values<T extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: T; allowPositionals: true }>
>['values'];

/**
 * @param advice what to say about an unknown option, besides the nearest one
 * @throws UsageError for an unknown option, or one without its value
 */
export function parse<const T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
  advice: (option: string) => string = () => '',
): { values: Values<T>; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // The first line says what is wrong; what follows is advice for positional arguments.
    const { message } = error as Error;
    const [, unknown] = /^Unknown option '--([^']*)'/.exec(message) ?? [];
    throw unknown === undefined
      ? new UsageError(message.split(/\.? To specify|\n/)[0])
      : unknownName(
          'option',
          `--${unknown}`,
          Object.keys(options).map((name) => `--${name}`),
          advice(unknown),
        );
  }
}

/** Returns the error for a name that does not exist, with the nearest one that does. */
export function unknownName(what: string, name: string, known: readonly string[], advice = ''): UsageError {
  const near = nearest(name, known);
  return new UsageError(
    `There is no ${what} ${name}${near === null ? '.' : `; did you mean ${near}?`}${advice}`,
  );
}

/** Returns the only operand of a command. @throws UsageError when there is none, or more than one */
export function single(positionals: readonly string[], what: string): string {
  const [only, ...more] = positionals;
  if (only === undefined) throw new UsageError(`${what} is missing.`);
  if (more.length > 0) throw new UsageError(`Only one ${what} is possible, not also ${more.join(', ')}.`);
  return only;
}

/**
 * Converts any number of `--option name=value` to the JSON that the service reads; returns undefined when
 * there are none. Lists are written as JSON (`background_color=[255,0,0]`); the service itself reads numbers
 * and booleans from text.
 */
export function optionsJson(given: readonly string[] | undefined): string | undefined {
  if (given === undefined) return undefined;
  const pairs = given.map((text) => {
    const [name, value] = pair('--option', text);
    return [name, /^\s*[[{]/.test(value) ? jsonValue(name, value) : value] as const;
  });
  return JSON.stringify(Object.fromEntries(pairs));
}

/** Splits `name=value`. @throws UsageError */
export function pair(option: string, text: string): [name: string, value: string] {
  const mark = text.indexOf('=');
  if (mark <= 0) throw new UsageError(`${option} ${text}: write it as name=value.`);
  return [text.slice(0, mark), text.slice(mark + 1)];
}

function jsonValue(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UsageError(`--option ${name} is not valid JSON: ${(error as Error).message}`);
  }
}
