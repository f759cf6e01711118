import { tmpdir } from 'node:os';
import { type Environment, integer, oneOf, optionalString } from '../shared/config.ts';
import { PYTHON } from './host-process.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';

/** The configuration of the convert function, read once at cold start. */
export interface ConvertConfig {
  logLevel: LogLevel;
  /** Path of `soffice`; null to search the usual places. */
  soffice: string | null;
  /** Ghostscript: its name on the search path or its path, that search path, and the Python that confines it. */
  ghostscript: { program: string; searchPath: string; python: string };
  /** Most milliseconds for one document. */
  timeout: number;
  /** Most bytes of memory that an engine may use. */
  maxMemory: number;
  /** Most bytes of a result. */
  maxResultBytes: number;
  /** The number of documents after which an engine is replaced. */
  documentsPerProcess: number;
  /** A writable folder. */
  workDir: string;
  /** Whether an engine must not run if the kernel refuses to confine it. */
  confinementRequired: boolean;
}

/** The memory that the function itself needs, with the document and its result. */
const OWN_MEMORY_MB = 512;

/** @throws ConfigError naming the variable */
export function readConfig(env: Environment = process.env): Readonly<ConvertConfig> {
  // Lambda sets this variable.
  const memory = integer(env, 'AWS_LAMBDA_FUNCTION_MEMORY_SIZE', { min: 128, max: 10_240, fallback: 3_008 });
  return Object.freeze({
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
    soffice: optionalString(env, 'PLATEN_SOFFICE'),
    ghostscript: {
      program: optionalString(env, 'PLATEN_GHOSTSCRIPT') ?? 'gs',
      searchPath: optionalString(env, 'PATH') ?? '/usr/local/bin:/usr/bin:/bin',
      python: optionalString(env, 'PLATEN_PYTHON') ?? PYTHON,
    },
    timeout: integer(env, 'PLATEN_CONVERT_TIMEOUT_MS', { min: 1_000, max: 240_000, fallback: 60_000 }),
    maxMemory: Math.max(memory - OWN_MEMORY_MB, 256) * 1024 * 1024,
    maxResultBytes: 200 * 1024 * 1024,
    documentsPerProcess: 1_000,
    workDir: tmpdir(),
    // Lambda refuses most of the confinement to every function; only the image says that it runs on Lambda.
    confinementRequired:
      oneOf(env, 'PLATEN_CONFINEMENT', ['required', 'offered'] as const, 'required') === 'required',
  });
}
