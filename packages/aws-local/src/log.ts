import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';

/** Writes the local service's log for its user. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
  /** Passes on a function's output, line by line. */
  lines(label: string, source: Readable): void;
}

const COLORS = { dim: 2, red: 31, yellow: 33, cyan: 36 } as const;

/** Returns a logger for standard output, in colour on a terminal. */
export function consoleLogger(out: NodeJS.WriteStream = process.stdout): Logger {
  const paint = (color: keyof typeof COLORS, text: string): string =>
    out.isTTY ? `\u001b[${COLORS[color]}m${text}\u001b[0m` : text;
  const write = (text: string): void => void out.write(`${text}\n`);
  const stamp = (): string => paint('dim', new Date().toTimeString().slice(0, 8));
  const levels: Readonly<Record<string, (text: string) => string>> = {
    warn: (text) => paint('yellow', text),
    error: (text) => paint('red', text),
    debug: (text) => paint('dim', text),
  };
  return {
    info: (message) => write(message),
    warn: (message) => write(`${stamp()} ${paint('yellow', 'warning')} ${message}`),
    error: (message, error) =>
      write(
        `${stamp()} ${paint('red', 'error')} ${message}${error === undefined ? '' : `\n${describe(error)}`}`,
      ),
    lines: (label, source) => {
      createInterface({ input: source, crlfDelay: Infinity }).on('line', (line) => {
        if (line.trim() === '') return;
        const { level, text } = readable(line);
        write(`${stamp()} ${paint('cyan', label)} ${levels[level]?.(text) ?? text}`);
      });
    },
  };
}

/** Writes nothing. */
export const silentLogger: Logger = {
  info: () => {},
  warn: () => {},
  error: () => {},
  lines: (_label, source) => void source.resume(),
};

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Converts a function's JSON line to text for people: the message, then the other fields as `name=value`. */
function readable(line: string): { level: string; text: string } {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { level: 'info', text: line };
  }
  if (typeof fields !== 'object' || fields === null || typeof fields['message'] !== 'string') {
    return { level: 'info', text: line };
  }
  // These fields make CloudWatch create metrics and are of no use to a person.
  const { level, message, timestamp: _, _aws, ...rest } = fields;
  const values = Object.entries(rest).map(([name, value]) => `${name}=${stringify(value)}`);
  const label = typeof level === 'string' ? level.toLowerCase() : 'info';
  return {
    level: label,
    text: [label === 'info' ? '' : `${label}: `, message, ' ', values.join(' ')].join('').trim(),
  };
}

function stringify(value: unknown): string {
  if (typeof value === 'string') return value;
  const stack = (value as { stack?: unknown } | null)?.stack;
  return typeof stack === 'string' ? `\n${stack}` : JSON.stringify(value);
}
