/**
 * Measures the deployed code of each function: the size of its ZIP, and the clock and processor time of a process
 * until its handler is loaded. With `--against FOLDER [FOLDER …]`, checkouts of other commits with their packages
 * installed, it compares: each round starts the same function of every checkout in turn. With `--why`, it lists the
 * packages whose code a function loads at start, by size.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { ZipArchive } from 'archiver';
import { build, type Metafile } from 'esbuild';
import type * as Bundling from '../lib/artifacts/bundle.ts';
import type * as Functions from '../lib/functions.ts';
import { median } from './figures.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '7' },
    why: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);

/** Names of resources, which the configuration requires. All other settings have a default. */
const RESOURCE = /_(TABLE|BUCKET|FUNCTION|QUEUE|MACHINE|SECRET)$/;
const RESOURCE_NAME = 'arn:aws:service:eu-central-1:123456789012:name';

/** A checkout with its bundled functions. */
interface Checkout {
  root: string;
  folder: string;
  specs: ReadonlyMap<Functions.FunctionName, Functions.FunctionSpec>;
  bundling: typeof Bundling;
}

const checkouts: Checkout[] = [];
try {
  for (const root of [...values.against, path.resolve(import.meta.dirname, '..')]) {
    checkouts.push(await bundled(path.resolve(root)));
  }
  const names = [...(checkouts.at(-1)?.specs.keys() ?? [])];
  for (const name of names) await compare(name);
} finally {
  for (const { folder } of checkouts) await rm(folder, { recursive: true, force: true });
}

async function bundled(root: string): Promise<Checkout> {
  const { FUNCTIONS } = (await import(path.join(root, 'lib/functions.ts'))) as typeof Functions;
  const bundling = (await import(path.join(root, 'lib/artifacts/bundle.ts'))) as typeof Bundling;
  const specs = new Map(Object.entries(FUNCTIONS)) as Checkout['specs'];
  const parent = path.join(root, 'node_modules/.cache');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(path.join(parent, 'bench-functions-'));
  await bundling.bundleFunctions(root, specs, folder);
  return { root, folder, specs, bundling };
}

async function compare(name: Functions.FunctionName): Promise<void> {
  const present = checkouts.filter(({ specs }) => specs.has(name));
  const starts = new Map(present.map((checkout) => [checkout, [] as Start[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [checkout, found] of starts) found.push(await start(checkout, name));
  }
  for (const [checkout, found] of starts) {
    const { size, code } = await zipped(path.join(checkout.folder, name));
    const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
    console.log(
      `${name} | ${checkout.root} | zip ${kilobytes(size)}, of which code ${kilobytes(code)} | start ${summary(found.map(({ elapsed }) => elapsed))}, processor ${summary(found.map(({ processor }) => processor))}`,
    );
    if (values.why) console.log(await loadedAtStart(checkout, name));
  }
}

/** Returns milliseconds from the start of a process until the module of the handler is loaded. */
interface Start {
  elapsed: number;
  /** Processor time, which depends less on other load of the machine. */
  processor: number;
}

function summary(times: readonly number[]): string {
  return `${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)})`;
}

async function start({ root, folder, specs }: Checkout, name: Functions.FunctionName): Promise<Start> {
  const resources = (specs.get(name)?.variables ?? []).filter((variable) => RESOURCE.test(variable));
  const program = `await import(${JSON.stringify(path.join(folder, name, 'index.mjs'))}); const { user, system } = process.cpuUsage(); console.log(JSON.stringify({ elapsed: performance.now(), processor: (user + system) / 1000 })); process.exit()`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: {
      ...Object.fromEntries(resources.map((variable) => [variable, RESOURCE_NAME])),
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'none',
      AWS_SECRET_ACCESS_KEY: 'none',
      AWS_LAMBDA_FUNCTION_NAME: name,
      // The native layer.
      NODE_PATH: path.join(root, 'node_modules'),
    },
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Start;
}

/** Returns the size of a folder as a ZIP with the compression of the CDK, and that of the ZIP of its modules only. */
async function zipped(folder: string): Promise<{ size: number; code: number }> {
  const files = (await readdir(folder, { recursive: true })).toSorted();
  const measure = async (kept: (file: string) => boolean): Promise<number> => {
    const archive = new ZipArchive({ zlib: { level: 9 } });
    for (const name of files.filter(kept)) {
      const file = path.join(folder, name);
      if ((await stat(file)).isFile()) archive.append(createReadStream(file), { name });
    }
    void archive.finalize();
    let size = 0;
    for await (const chunk of archive) size += (chunk as Buffer).length;
    return size;
  };
  return { size: await measure(() => true), code: await measure((file) => file.endsWith('.mjs')) };
}

/** Returns kilobytes of minified code that a start loads, by package, the twenty largest. */
async function loadedAtStart(
  { root, specs, bundling }: Checkout,
  name: Functions.FunctionName,
): Promise<string> {
  const { metafile } = await build({
    ...bundling.ESBUILD_OPTIONS,
    absWorkingDir: root,
    entryPoints: [{ in: path.join(root, specs.get(name)?.entry ?? ''), out: 'index' }],
    outdir: path.join(root, createHash('sha1').update(name).digest('hex')),
    write: false,
    metafile: true,
  });
  const sizes = new Map<string, number>();
  for (const output of outputsAtStart(metafile)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const owner = ownerOf(input);
      sizes.set(owner, (sizes.get(owner) ?? 0) + bytesInOutput);
    }
  }
  const sorted = [...sizes].toSorted(([, a], [, b]) => b - a);
  const all = sorted.reduce((sum, [, bytes]) => sum + bytes, 0);
  const lines = sorted.slice(0, 20).map(([owner, bytes]) => `    ${(bytes / 1000).toFixed(1)} ${owner}`);
  return [`    ${(all / 1000).toFixed(1)} in all`, ...lines].join('\n');
}

function outputsAtStart({ outputs }: Metafile): Metafile['outputs'][string][] {
  const pending = Object.keys(outputs).filter((name) => name.endsWith('index.mjs'));
  const loaded = new Set<string>();
  for (const name of pending) {
    if (loaded.has(name)) continue;
    loaded.add(name);
    const imports = outputs[name]?.imports ?? [];
    pending.push(...imports.filter(({ kind }) => kind === 'import-statement').map((found) => found.path));
  }
  return [...loaded].flatMap((name) => outputs[name] ?? []);
}

/** Returns the npm package, workspace or folder of the functions that a source file belongs to. */
function ownerOf(input: string): string {
  const installed = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input);
  if (installed?.[1] !== undefined) return installed[1];
  return input
    .split('/')
    .slice(0, input.startsWith('packages') ? 2 : 3)
    .join('/');
}
