import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type { Client } from './client.ts';

/** What a command is, and how its line is read. */

/** A command line, or its surroundings, that cannot be followed: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** It is not the command line that is wrong, but a variable. */
export class SettingError extends UsageError {}

/** What was asked for could be done in part only; what could not has been said: exit code 1. */
export class Unfinished extends Error {
  override readonly name = 'Unfinished';
}

/** What commands work with. */
export interface Context {
  client: Client;
  /** For programs: one thing a line. */
  print(text: string): void;
  /** For people: goes to standard error. */
  say(text: string): void;
  /** Aborted when the user has had enough. */
  signal: AbortSignal;
}

export interface Command {
  /** In the list of all commands. */
  summary: string;
  /** What `--help` shows. */
  usage: string;
  /** @throws UsageError, PlatenError */
  run(args: readonly string[], context: Context): Promise<void>;
}

type Values<T extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: T; allowPositionals: true }>
>['values'];

/** @throws UsageError for an option that there is not, or that lacks its value */
export function parse<const T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
): { values: Values<T>; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The only operand of a command. @throws UsageError when there is none, or more */
export function single(positionals: readonly string[], what: string): string {
  const [only, ...more] = positionals;
  if (only === undefined) throw new UsageError(`${what} is missing.`);
  if (more.length > 0) throw new UsageError(`Only one ${what} is possible, not also ${more.join(', ')}.`);
  return only;
}

/**
 * `--option name=value`, given any number of times, as the JSON that the service reads; undefined when there is none.
 * Lists are written as JSON (`background_color=[255,0,0]`); the service itself reads numbers and booleans from text.
 */
export function optionsJson(given: readonly string[] | undefined): string | undefined {
  if (given === undefined) return undefined;
  const pairs = given.map((text) => {
    const [name, value] = pair('--option', text);
    return [name, /^\s*[[{]/.test(value) ? jsonValue(name, value) : value] as const;
  });
  return JSON.stringify(Object.fromEntries(pairs));
}

/** `name=value`. @throws UsageError */
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
