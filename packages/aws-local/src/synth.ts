import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { killTree } from './lambda/process-tree.ts';
import { lock } from './lock.ts';

/**
 * Keeps the stacks of the local service up to date: synthesises them when their sources have changed. They
 * are not in `cdk.out`, the CDK's folder, because the local service takes layers in a form that is not for
 * deployment.
 */
const ASSEMBLY = '.platen/stacks';

/** The sources of the stacks, relative to the repository; built files (`dist`) derive from these. */
const INPUTS = [
  'bin/platen.ts',
  'cdk.json',
  'functions',
  'layers',
  'lib',
  'package-lock.json',
  'package.json',
  'packages',
];
const BUILT = new Set(['dist', 'node_modules']);
/** Sources for browsers only, which the local stacks do not contain. */
const NOT_IN_STACKS = join('packages', 'studio');

/** A file beside the assembly with the hashes of the sources and of the result. */
const STAMP = '.platen.json';

/** Milliseconds for which unused assets are kept: a running service may still use them. */
const KEEP_ASSETS_MS = 86_400_000;

/** The synthesis failed; its output contains the reason. */
export class SynthError extends Error {
  override readonly name = 'SynthError';
}

export interface SynthOptions {
  /** The repository. */
  root: string;
  /** Called when a synthesis begins, which takes seconds. */
  started?: (() => void) | undefined;
  /** Called with the output of the synthesis. */
  progress?: ((text: string) => void) | undefined;
  /** Ends a running synthesis. */
  signal?: AbortSignal | undefined;
}

/**
 * Synthesises the stacks into `<root>/.platen/stacks` unless they are up to date. Several processes may call
 * it at once.
 *
 * @returns the folder, and whether it was synthesised
 * @throws SynthError
 */
export async function ensureAssembly(options: SynthOptions): Promise<{ directory: string; made: boolean }> {
  const directory = join(options.root, ASSEMBLY);
  const release = await lock(join(options.root, 'node_modules', '.cache', 'platen'), 'synth.lock');
  try {
    const inputs = await hashOf(options.root, INPUTS);
    if (await isCurrent(directory, inputs)) return { directory, made: false };
    options.started?.();
    await rm(join(directory, STAMP), { force: true });
    await synthesise(options, directory);
    await writeFile(join(directory, STAMP), JSON.stringify({ inputs, outputs: await outputsOf(directory) }));
    await prune(directory);
    return { directory, made: true };
  } finally {
    await release();
  }
}

/**
 * Returns whether the assembly is up to date; false for one that something else has written since, such as
 * `cdk synth` with other options.
 */
async function isCurrent(directory: string, inputs: string): Promise<boolean> {
  try {
    const stamp = JSON.parse(await readFile(join(directory, STAMP), 'utf8')) as {
      inputs: string;
      outputs: string;
    };
    return stamp.inputs === inputs && stamp.outputs === (await outputsOf(directory));
  } catch {
    // There is no assembly, or only a part of one.
    return false;
  }
}

async function outputsOf(directory: string): Promise<string> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.json') && name !== STAMP);
  return hashOf(directory, names);
}

async function synthesise({ root, signal, progress }: SynthOptions, directory: string): Promise<void> {
  signal?.throwIfAborted();
  const child = spawn(process.execPath, ['bin/platen.ts', '--local', directory], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The child has children of its own.
  const stop = (): void => killTree(child.pid);
  signal?.addEventListener('abort', stop, { once: true });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      progress?.(chunk);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  if (code !== 0) throw new SynthError(`The stacks cannot be synthesised:\n${text.trim()}`);
}

async function prune(directory: string): Promise<void> {
  const names = await readdir(directory);
  const manifests = names.filter((name) => name.endsWith('.assets.json'));
  const texts = await Promise.all(manifests.map((name) => readFile(join(directory, name), 'utf8')));
  for (const name of names) {
    const path = join(directory, name);
    if (!name.startsWith('asset.') || texts.some((text) => text.includes(name))) continue;
    if (Date.now() - (await stat(path)).ctimeMs > KEEP_ASSETS_MS)
      await rm(path, { recursive: true, force: true });
  }
}

/** Returns the SHA-256 over the names and contents of files and folders. */
async function hashOf(folder: string, names: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const add = async (name: string): Promise<void> => {
    const path = join(folder, name);
    if (name === NOT_IN_STACKS || !existsSync(path)) return;
    if ((await stat(path)).isDirectory()) {
      for (const entry of (await readdir(path)).toSorted()) {
        if (!BUILT.has(entry.split('.')[0] ?? '')) await add(join(name, entry));
      }
      return;
    }
    hash.update(`${name}\0`).update(await readFile(path));
  };
  for (const name of names.toSorted()) await add(name);
  return hash.digest('hex');
}
