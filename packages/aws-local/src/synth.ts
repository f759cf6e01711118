import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { killTree } from './lambda/process-tree.ts';
import { lock } from './lock.ts';

/**
 * Keeps the stacks of the local service up to date: they are synthesised when something they are made of has changed.
 * Not in `cdk.out`, which is the CDK's: the local service takes layers in a form that nobody would deploy.
 */
const ASSEMBLY = '.platen/stacks';

/** What the stacks are made of, relative to the repository; built things (`dist`) are made of these themselves. */
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
/** What runs in browsers only: the stacks of the local service hold nothing of it. */
const NOT_IN_STACKS = join('packages', 'studio');

/** Beside the assembly: what it was made from, and what came out. */
const STAMP = '.platen.json';

/** Assets that nothing refers to any more are kept for this long: a service that still runs may use them. */
const KEEP_ASSETS_MS = 86_400_000;

/** The synthesis failed; its own output says why. */
export class SynthError extends Error {
  override readonly name = 'SynthError';
}

export interface SynthOptions {
  /** The repository. */
  root: string;
  /** Called when a synthesis begins, which takes seconds. */
  started?: (() => void) | undefined;
  /** Called with what the synthesis prints. */
  progress?: ((text: string) => void) | undefined;
  /** Ends a synthesis that is under way. */
  signal?: AbortSignal | undefined;
}

/**
 * Synthesises the stacks into `<root>/.platen/stacks` unless they are there and up to date. Several processes may ask at once.
 *
 * @returns the folder, and whether it had to be made
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

/** Also false for an assembly that somebody else has put there since, such as `cdk synth` with other switches. */
async function isCurrent(directory: string, inputs: string): Promise<boolean> {
  try {
    const stamp = JSON.parse(await readFile(join(directory, STAMP), 'utf8')) as {
      inputs: string;
      outputs: string;
    };
    return stamp.inputs === inputs && stamp.outputs === (await outputsOf(directory));
  } catch {
    // No assembly, or only a part of one.
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
  // It has children of its own.
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

/** SHA-256 over the names and contents of files and folders. */
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
