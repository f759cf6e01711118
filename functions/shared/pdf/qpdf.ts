import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import { assetPath } from '../worker.ts';
import { BufferedFs } from './buffered-fs.ts';

/**
 * Running qpdf (compiled to WebAssembly) inside a worker thread. Files stay on disk: their directories are
 * mounted, so memory does not grow with their size.
 */

const SCRIPT = '@neslinesli93/qpdf-wasm/dist/qpdf.js';
const BINARY = '@neslinesli93/qpdf-wasm/dist/qpdf.wasm';

/** A plain argument, or a host path with an optional option name before it (`--json-stream-prefix=`). */
export type QpdfArgument = string | { path: string; option?: string };

export interface QpdfResult {
  /** qpdf's exit code: 0 fine, 2 error, 3 done with warnings; -1 when the engine itself broke down. */
  code: number;
  stdout: string;
  stderr: string;
}

/** What the Emscripten module offers (the package's own types leave out most of it). */
interface QpdfModule {
  callMain(args: string[]): number;
  NODEFS: unknown;
  FS: {
    init(
      input: () => null,
      output: (byte: number | null) => void,
      error: (byte: number | null) => void,
    ): void;
    mkdir(path: string): void;
    mount(type: unknown, options: { root: string }, mountPoint: string): void;
    writeFile(path: string, data: string): void;
  };
}

type QpdfFactory = (options: {
  noInitialRun: boolean;
  noFSInit: boolean;
  instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => WebAssembly.Exports;
}) => Promise<QpdfModule>;

let script: ((require: (name: string) => unknown) => QpdfFactory) | undefined;

/** The engine's JavaScript half, with our own file system in the place of Node's. */
function qpdfFactory(files: BufferedFs): QpdfFactory {
  if (script === undefined) {
    const filename = assetPath(import.meta.url, SCRIPT);
    const names = ['module', 'exports', 'require', '__filename', '__dirname'];
    const body = compileFunction(readFileSync(filename, 'utf8'), names, { filename }) as (
      ...values: unknown[]
    ) => void;
    script = (require) => {
      const module = { exports: {} };
      body(module, module.exports, require, filename, dirname(filename));
      return module.exports as QpdfFactory;
    };
  }
  const require = createRequire(import.meta.url);
  return script((name) => (name === 'fs' ? files.api : (require(name) as unknown)));
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** qpdf's machine code, compiled once in a process; worker threads are handed it and share it. */
export function compileQpdf(): Promise<WebAssembly.Module> {
  compiled ??= readFile(assetPath(import.meta.url, BINARY)).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

/** Bytes kept of what qpdf says: enough for the page list of any real document, and for the first complaints. */
const MAX_OUTPUT = 2 ** 26;
const MAX_COMPLAINTS = 2 ** 16;

/** Longer argument lists go through a file: the engine's stack does not hold them. */
const MAX_INLINE_ARGUMENTS = 1 << 12;

/** An instance of the engine with what it says collected and the directories it may reach. */
class Instance {
  readonly #qpdf: QpdfModule;
  readonly #files: BufferedFs;
  readonly #stdout = new Collector(MAX_OUTPUT);
  readonly #stderr = new Collector(MAX_COMPLAINTS);
  readonly #mounts = new Map<string, string>();

  private constructor(qpdf: QpdfModule, files: BufferedFs) {
    this.#qpdf = qpdf;
    this.#files = files;
    qpdf.FS.init(() => null, this.#stdout.write, this.#stderr.write);
  }

  static async start(binary: WebAssembly.Module): Promise<Instance> {
    const files = new BufferedFs();
    const qpdf = await qpdfFactory(files)({
      noInitialRun: true,
      noFSInit: true,
      instantiateWasm(imports, done) {
        const instance = new WebAssembly.Instance(binary, imports);
        done(instance, binary);
        return instance.exports;
      },
    });
    return new Instance(qpdf, files);
  }

  run(args: readonly QpdfArgument[]): QpdfResult {
    const words = args.map((argument) =>
      typeof argument === 'string' ? argument : `${argument.option ?? ''}${this.#mounted(argument.path)}`,
    );
    const exitCode = process.exitCode;
    try {
      const code = this.#qpdf.callMain(spillLongArguments(this.#qpdf, words));
      this.#files.settle();
      return { code, stdout: this.#stdout.take(), stderr: this.#stderr.take() };
    } catch (error) {
      // A trap, exhausted stack or refused memory: the instance is gone, the thread is not.
      return { code: -1, stdout: this.#stdout.take(), stderr: `${this.#stderr.take()}${String(error)}` };
    } finally {
      process.exitCode = exitCode;
    }
  }

  /** The path under which the engine sees a file: only the directories of its arguments are mounted. */
  #mounted(file: string): string {
    const path = resolve(file);
    const folder = dirname(path);
    let mount = this.#mounts.get(folder);
    if (mount === undefined) {
      mount = `/${this.#mounts.size}`;
      this.#mounts.set(folder, mount);
      this.#qpdf.FS.mkdir(mount);
      this.#qpdf.FS.mount(this.#qpdf.NODEFS, { root: folder }, mount);
    }
    return `${mount}/${basename(path)}`;
  }
}

/** Each run leaves some 36 KB on the instance's stack of 16 MB. */
const MAX_RUNS = 32;

/**
 * Runs qpdf, one call after the other. An instance is used again only while everything goes well, and not for
 * long: one that has failed gives wrong verdicts and leaks descriptors later.
 */
export class Qpdf {
  readonly #binary: WebAssembly.Module;
  #instance: Instance | undefined;
  #runs = 0;

  /** @param binary From `compileQpdf`. */
  constructor(binary: WebAssembly.Module) {
    this.#binary = binary;
  }

  async run(args: readonly QpdfArgument[]): Promise<QpdfResult> {
    if (this.#instance === undefined) this.#runs = 0;
    const instance = this.#instance ?? (await Instance.start(this.#binary));
    const result = instance.run(args);
    this.#runs++;
    this.#instance = result.code === 0 && this.#runs < MAX_RUNS ? instance : undefined;
    return result;
  }
}

/** qpdf reads `@file` as one argument a line, so an argument with a line break in it stays where it is. */
function spillLongArguments(qpdf: QpdfModule, words: string[]): string[] {
  if (words.reduce((sum, word) => sum + word.length, 0) <= MAX_INLINE_ARGUMENTS) return words;
  const kept: string[] = [];
  let run: string[] = [];
  let files = 0;
  const spill = (): void => {
    if (run.length === 0) return;
    const path = `/arguments${files++}`;
    qpdf.FS.writeFile(path, `${run.join('\n')}\n`);
    kept.push(`@${path}`);
    run = [];
  };
  for (const word of words) {
    if (/[\r\n]/.test(word)) {
      spill();
      kept.push(word);
    } else run.push(word);
  }
  spill();
  return kept;
}

/** Text that comes byte by byte, up to a limit. */
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
