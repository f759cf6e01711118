import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Structured logs: one JSON object per line on standard output, which CloudWatch and `jq` can read. A call
 * names the event and passes the rest as fields; the fields that all lines of one request share
 * (`request_id`) are set once around its work.
 */

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Readonly<Record<string, unknown>>;

/** Errors are logged with their causes up to this depth; deeper ones add nothing new. */
const MAX_CAUSES = 4;

const context = new AsyncLocalStorage<LogFields>();
let threshold = LOG_LEVELS.indexOf('info');

/** Omits lines below `level` from now on. */
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
  // Not through console: Lambda adds its own prefix to each of its lines.
  process.stdout.write(`${stringify(line)}\n`);
}

/** Writes a line for any fields: values that JSON cannot represent are omitted or described. */
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
