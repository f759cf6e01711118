import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import { assetPath } from '@platen/core/worker';
import { BufferedFs } from './buffered-fs.ts';

/**
 * Runs qpdf (compiled to WebAssembly) inside a worker thread. Files stay on disk: their directories are mounted,
 * so memory does not grow with their size.
 */

const SCRIPT = '@neslinesli93/qpdf-wasm/dist/qpdf.js';
const BINARY = '@neslinesli93/qpdf-wasm/dist/qpdf.wasm';

/**
 * A plain argument; one that is not text; or a host path with an optional option name before it
 * (`--json-stream-prefix=`).
 */
export type QpdfArgument = string | Buffer | { path: string; option?: string };

export interface QpdfResult {
  /** qpdf's exit code: 0 success, 2 error, 3 success with warnings; -1 if the engine itself failed. */
  code: number;
  stdout: string;
  stderr: string;
}

/** The members of the Emscripten module (the package's own types omit most of them). */
interface QpdfModule {
  callMain(args: string[]): number;
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  NODEFS: unknown;
  FS: {
    init(
      input: () => null,
      output: (byte: number | null) => void,
      error: (byte: number | null) => void,
    ): void;
    mkdir(path: string): void;
    mount(type: unknown, options: { root: string }, mountPoint: string): void;
    writeFile(path: string, data: string | Uint8Array): void;
    streams: ({ position: number; seekable: boolean } | null)[];
  };
}

type QpdfFactory = (options: { noInitialRun: boolean; noFSInit: boolean }) => Promise<QpdfModule>;

type Script = (require: (name: string) => unknown, webAssembly: object) => QpdfFactory;

let script: Script | undefined;

/** The JavaScript part of the engine, with replacements for its imports. */
function loadScript(): Script {
  if (script !== undefined) return script;
  const filename = assetPath(import.meta.url, SCRIPT);
  const names = ['module', 'exports', 'require', 'WebAssembly', '__filename', '__dirname'];
  const body = compileFunction(readFileSync(filename, 'utf8'), names, { filename }) as (
    ...values: unknown[]
  ) => void;
  script = (require, webAssembly) => {
    const module = { exports: {} };
    body(module, module.exports, require, webAssembly, filename, dirname(filename));
    return module.exports as QpdfFactory;
  };
  return script;
}

/** Minified names in this build of Emscripten's functions for reading and setting the stack pointer. */
const GET_STACK = 'ja';
const SET_STACK = 'ha';

/** And of the system call that sets or returns the position in a file. */
const SEEK = 'X';

/** Size of the engine's stack, which lies above its static data and grows downwards. */
const STACK_SIZE = 1 << 16;
/** Number of guard bytes at its far end, which a run must not overwrite. */
const GUARD_SIZE = 1 << 10;
const GUARD = 0xa5;

let compiled: Promise<WebAssembly.Module> | undefined;

/** qpdf's machine code, compiled once per process and shared with worker threads. */
export function compileQpdf(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(await readFile(assetPath(import.meta.url, BINARY)));
  } catch (error) {
    // A failed read may succeed the next time.
    compiled = undefined;
    throw error;
  }
}

/** Maximum bytes of qpdf's output: enough for the page list of any real document, and for the first messages. */
const MAX_OUTPUT = 2 ** 26;
const MAX_COMPLAINTS = 2 ** 16;

/** Longer argument lists are passed in a file, because the engine's stack does not hold them. */
const MAX_INLINE_ARGUMENTS = 1 << 11;

/** An instance of the engine, with its collected output and mounted directories. */
class Instance {
  readonly #qpdf: QpdfModule;
  readonly #files: BufferedFs;
  readonly #stack: Stack;
  readonly #stdout = new Collector(MAX_OUTPUT);
  readonly #stderr = new Collector(MAX_COMPLAINTS);
  readonly #mounts = new Map<string, string>();

  private constructor(qpdf: QpdfModule, files: BufferedFs, stack: Stack, folder: string) {
    this.#qpdf = qpdf;
    this.#files = files;
    this.#stack = stack;
    qpdf.FS.init(() => null, this.#stdout.write, this.#stderr.write);
    this.#mount(folder);
  }

  /** @param folder mounted as `/0` */
  static async start(binary: WebAssembly.Module, folder: string): Promise<Instance> {
    const files = new BufferedFs();
    const require = createRequire(import.meta.url);
    let exports: WebAssembly.Exports = {};
    let qpdf: QpdfModule | undefined;
    const factory = loadScript()(
      // The compiled code is available, so no file is read.
      (name) => (name === 'fs' ? { ...files.api, readFileSync: () => new Uint8Array() } : require(name)),
      {
        RuntimeError: WebAssembly.RuntimeError,
        async instantiate(_bytes: Uint8Array, imports: WebAssembly.Imports) {
          const instance = new WebAssembly.Instance(
            binary,
            withFastSeek(imports, () => qpdf),
          );
          ({ exports } = instance);
          return { instance, module: binary };
        },
      },
    );
    qpdf = await factory({ noInitialRun: true, noFSInit: true });
    return new Instance(qpdf, files, new Stack(exports, qpdf), folder);
  }

  run(args: readonly QpdfArgument[]): QpdfResult {
    const words = args.map((argument) =>
      typeof argument === 'string' || Buffer.isBuffer(argument)
        ? argument
        : `${argument.option ?? ''}${this.#mounted(argument.path)}`,
    );
    const exitCode = process.exitCode;
    try {
      const code = this.#qpdf.callMain(spillLongArguments(this.#qpdf, words));
      this.#files.settle();
      const overflowed = !this.#stack.restore();
      const stderr = this.#stderr.take();
      return overflowed
        ? { code: -1, stdout: '', stderr: 'the stack overflowed' }
        : { code, stdout: this.#stdout.take(), stderr };
    } catch (error) {
      // A trap, exhausted stack or refused memory: the instance is lost, the thread is not.
      return { code: -1, stdout: '', stderr: `${this.#stderr.take()}${String(error)}` };
    } finally {
      process.exitCode = exitCode;
    }
  }

  /** The path of a file as the engine sees it: only the directories of its arguments are mounted. */
  #mounted(file: string): string {
    const path = resolve(file);
    const folder = dirname(path);
    return `${this.#mounts.get(folder) ?? this.#mount(folder)}/${basename(path)}`;
  }

  #mount(folder: string): string {
    const mount = `/${this.#mounts.size}`;
    this.#mounts.set(folder, mount);
    this.#qpdf.FS.mkdir(mount);
    this.#qpdf.FS.mount(this.#qpdf.NODEFS, { root: folder }, mount);
    return mount;
  }
}

type Seek = (file: number, offset: bigint, whence: number, result: number) => number;

/**
 * qpdf queries the file position with every word; Emscripten's implementation uses BigInt, which takes a third of
 * the time of a merge.
 */
function withFastSeek(
  imports: WebAssembly.Imports,
  module: () => QpdfModule | undefined,
): WebAssembly.Imports {
  const [[name, functions] = ['', {}]] = Object.entries(imports);
  const original = functions[SEEK];
  if (typeof original !== 'function' || original.length !== 4)
    throw new Error('not the build of qpdf expected');
  const seek: Seek = (file, offset, whence, result) => {
    const qpdf = module();
    const stream = qpdf?.FS.streams[file];
    // SEEK_SET (0) or SEEK_CUR (1); others are rare.
    if (qpdf === undefined || stream?.seekable !== true || whence > 1) {
      return (original as Seek)(file, offset, whence, result);
    }
    const position = Number(offset) + (whence === 1 ? stream.position : 0);
    if (!(position >= 0)) return (original as Seek)(file, offset, whence, result);
    stream.position = position;
    const words = qpdf.HEAPU32;
    words[result >> 2] = position;
    words[(result >> 2) + 1] = position / 2 ** 32;
    return 0;
  };
  return { ...imports, [name]: { ...functions, [SEEK]: seek } };
}

/**
 * The engine's stack. Nothing stops it from growing into the static data below it, so that a deeply nested
 * document would corrupt the engine; and a failed run does not restore the stack pointer.
 */
class Stack {
  readonly #top: number;
  readonly #set: (pointer: number) => void;
  readonly #qpdf: QpdfModule;

  constructor(exports: WebAssembly.Exports, qpdf: QpdfModule) {
    const [get, set] = [exports[GET_STACK], exports[SET_STACK]];
    if (typeof get !== 'function' || typeof set !== 'function')
      throw new Error('not the build of qpdf expected');
    this.#top = Number(get());
    this.#set = (pointer) => void set(pointer);
    this.#qpdf = qpdf;
    this.#guard().fill(GUARD);
  }

  /**
   * Prepares the next run.
   *
   * @returns false if the stack has overflowed
   */
  restore(): boolean {
    this.#set(this.#top);
    return this.#guard().every((byte) => byte === GUARD);
  }

  #guard(): Uint8Array {
    const bottom = this.#top - STACK_SIZE;
    return this.#qpdf.HEAPU8.subarray(bottom, bottom + GUARD_SIZE);
  }
}

/**
 * Runs qpdf, one call after the other. An instance is reused only after success, because a failed one gives wrong
 * results.
 */
export class Qpdf {
  readonly #binary: WebAssembly.Module;
  readonly #scratch: string;
  #instance: Instance | undefined;

  /**
   * @param binary from `compileQpdf`
   * @param scratch directory for files that a run reads and writes besides its arguments
   */
  constructor(binary: WebAssembly.Module, scratch: string) {
    this.#binary = binary;
    this.#scratch = resolve(scratch);
  }

  async run(args: readonly QpdfArgument[]): Promise<QpdfResult> {
    const instance = this.#instance ?? (await Instance.start(this.#binary, this.#scratch));
    const result = instance.run(args);
    this.#instance = result.code === 0 ? instance : undefined;
    return result;
  }
}

/**
 * qpdf reads `@file` as one argument per line, so an argument with a line break is passed directly. Arguments that are
 * not text are always in a file.
 */
function spillLongArguments(qpdf: QpdfModule, words: (string | Buffer)[]): string[] {
  const isLong = words.reduce((sum, word) => sum + word.length, 0) > MAX_INLINE_ARGUMENTS;
  const kept: string[] = [];
  let run: Buffer[] = [];
  let files = 0;
  const spill = (): void => {
    if (run.length === 0) return;
    const path = `/arguments${files++}`;
    qpdf.FS.writeFile(path, Buffer.concat(run));
    kept.push(`@${path}`);
    run = [];
  };
  for (const word of words) {
    if (typeof word === 'string' && (!isLong || /[\r\n]/.test(word))) {
      spill();
      kept.push(word);
    } else run.push(Buffer.concat([Buffer.from(word), Buffer.from('\n')]));
  }
  spill();
  return kept;
}

/** Text that is collected byte by byte, up to a limit. */
class Collector {
  readonly #limit: number;
  #bytes = Buffer.alloc(1024);
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  readonly write = (byte: number | null): void => {
    if (byte === null || this.#length === this.#limit) return;
    if (this.#length === this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes], Math.min(this.#length * 2, this.#limit));
    }
    this.#bytes[this.#length++] = byte;
  };

  take(): string {
    const text = this.#bytes.toString('utf8', 0, this.#length);
    this.#length = 0;
    return text;
  }
}
