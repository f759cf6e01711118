import { tmpdir } from 'node:os';
import { type Environment, integer, oneOf, optionalString } from '../shared/config.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';

/** Everything the convert function is told, read once at cold start. */
export interface ConvertConfig {
  logLevel: LogLevel;
  /** Path of `soffice`; null for the usual places. */
  soffice: string | null;
  /** Ghostscript: a name on the search path, or a path; and that search path. */
  ghostscript: { program: string; searchPath: string };
  /** Most milliseconds for one document. */
  timeout: number;
  /** Bytes of memory an engine may use. */
  maxMemory: number;
  /** Bytes of the largest result. */
  maxResultBytes: number;
  /** Documents after which an engine is replaced. */
  documentsPerProcess: number;
  /** Writable. */
  workDir: string;
  /** Whether an engine must not run where the kernel refuses to confine it. */
  confinementRequired: boolean;
}

/** What the function itself needs of its memory, with the document and its result in it. */
const OWN_MEMORY_MB = 512;

/** @throws ConfigError naming the variable */
export function readConfig(env: Environment = process.env): Readonly<ConvertConfig> {
  // Lambda says how much there is.
  const memory = integer(env, 'AWS_LAMBDA_FUNCTION_MEMORY_SIZE', { min: 128, max: 10_240, fallback: 3_008 });
  return Object.freeze({
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
    soffice: optionalString(env, 'PLATEN_SOFFICE'),
    ghostscript: {
      program: optionalString(env, 'PLATEN_GHOSTSCRIPT') ?? 'gs',
      searchPath: optionalString(env, 'PATH') ?? '/usr/local/bin:/usr/bin:/bin',
    },
    timeout: integer(env, 'PLATEN_CONVERT_TIMEOUT_MS', { min: 1_000, max: 240_000, fallback: 60_000 }),
    maxMemory: Math.max(memory - OWN_MEMORY_MB, 256) * 1024 * 1024,
    maxResultBytes: 200 * 1024 * 1024,
    documentsPerProcess: 200,
    workDir: tmpdir(),
    // Lambda refuses much of it to every function; the image says so, and nothing else does.
    confinementRequired:
      oneOf(env, 'PLATEN_CONFINEMENT', ['required', 'offered'] as const, 'required') === 'required',
  });
}
