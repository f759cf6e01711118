import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Structured logs: one JSON object a line on standard output, which CloudWatch and `jq` read alike.
 * Who logs names what happened and gives the rest as fields; what the lines of one request have in common
 * (`request_id`) is set once around its work.
 */

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Readonly<Record<string, unknown>>;

/** An error within an error within an error: further down nothing new is said. */
const MAX_CAUSES = 4;

const context = new AsyncLocalStorage<LogFields>();
let threshold = LOG_LEVELS.indexOf('info');

/** Lines below `level` are left out from now on. */
export function setLogLevel(level: LogLevel): void {
  threshold = LOG_LEVELS.indexOf(level);
}

/** Runs `work` so that every line logged by it, and by what it calls, carries `fields`. */
export function withLogFields<T>(fields: LogFields, work: () => T): T {
  return context.run({ ...context.getStore(), ...fields }, work);
}

export const log = {
  debug: (message: string, fields: LogFields = {}): void => write('debug', message, fields),
  info: (message: string, fields: LogFields = {}): void => write('info', message, fields),
  warn: (message: string, fields: LogFields = {}): void => write('warn', message, fields),
  error: (message: string, fields: LogFields = {}): void => write('error', message, fields),
};

function write(level: Exclude<LogLevel, 'silent'>, message: string, fields: LogFields): void {
  if (LOG_LEVELS.indexOf(level) < threshold) return;
  const line = { timestamp: new Date().toISOString(), level, message, ...context.getStore(), ...fields };
  // Not through console: Lambda puts its own words before each of its lines.
  process.stdout.write(`${stringify(line)}\n`);
}

/** A line is written whatever the fields hold: what JSON cannot say is left out or said in words. */
function stringify(line: object): string {
  const seen = new Set<unknown>();
  return JSON.stringify(line, (_key, value: unknown) => {
    if (value instanceof Error) return describeError(value);
    if (typeof value === 'bigint') return String(value);
    if (value instanceof Set) return [...value];
    if (typeof value === 'object' && value !== null) {
      if (seen.has(value)) return '(seen above)';
      seen.add(value);
    }
    return value;
  });
}

function describeError(error: Error, depth = 0): object {
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  if (cause === undefined || depth === MAX_CAUSES) return { name, message, code, stack };
  return {
    name,
    message,
    code,
    stack,
    cause: cause instanceof Error ? describeError(cause, depth + 1) : cause,
  };
}
