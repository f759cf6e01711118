import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { assetPath } from '../worker.ts';

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

/**
 * Runs qpdf once on a fresh instance: one that has failed gives wrong verdicts and leaks descriptors later.
 * @param binary From `compileQpdf`.
 */
export async function runQpdf(
  binary: WebAssembly.Module,
  args: readonly QpdfArgument[],
): Promise<QpdfResult> {
  const script = assetPath(import.meta.url, SCRIPT);
  const factory = createRequire(import.meta.url)(script) as QpdfFactory;
  const qpdf = await factory({
    noInitialRun: true,
    noFSInit: true,
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(binary, imports);
      done(instance, binary);
      return instance.exports;
    },
  });
  const stdout = collector(MAX_OUTPUT);
  const stderr = collector(MAX_COMPLAINTS);
  qpdf.FS.init(() => null, stdout.write, stderr.write);
  const mounts = new Map<string, string>();
  const words = args.map((argument) => {
    if (typeof argument === 'string') return argument;
    const path = resolve(argument.path);
    const folder = dirname(path);
    let mount = mounts.get(folder);
    if (mount === undefined) {
      mount = `/${mounts.size}`;
      mounts.set(folder, mount);
      qpdf.FS.mkdir(mount);
      qpdf.FS.mount(qpdf.NODEFS, { root: folder }, mount);
    }
    return `${argument.option ?? ''}${mount}/${basename(path)}`;
  });
  const exitCode = process.exitCode;
  try {
    const code = qpdf.callMain(spillLongArguments(qpdf, words));
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } catch (error) {
    // A trap, exhausted stack or refused memory: the instance is gone, the thread is not.
    return { code: -1, stdout: stdout.text(), stderr: `${stderr.text()}${String(error)}` };
  } finally {
    process.exitCode = exitCode;
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

function collector(limit: number): { write: (byte: number | null) => void; text: () => string } {
  let bytes = Buffer.alloc(1024);
  let length = 0;
  return {
    write(byte) {
      if (byte === null || length === limit) return;
      if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(length * 2, limit));
      bytes[length++] = byte;
    },
    text: () => bytes.toString('utf8', 0, length),
  };
}
