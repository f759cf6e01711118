import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleFunctions } from '../../lib/artifacts/bundle.ts';
import { buildArtifacts, HostError } from '../../lib/artifacts/index.ts';
import { inSources } from '../../lib/artifacts/stack.ts';
import type { FunctionName, FunctionSpec } from '../../lib/functions.ts';
import { temporaryFolder } from './support.ts';

const repository = path.resolve(import.meta.dirname, '../..');

/** A folder laid out like the repository, holding `files`, and a function made of them. */
function project(files: Record<string, string>, spec: Partial<FunctionSpec> = {}) {
  const root = temporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  symlinkSync(path.join(repository, 'node_modules'), path.join(root, 'node_modules'));
  const whole: FunctionSpec = {
    entry: 'functions/service/handler.ts',
    description: '',
    memory: 128,
    timeoutSeconds: 1,
    variables: [],
    rights: {},
    ...spec,
  };
  return { root, specs: new Map<FunctionName, FunctionSpec>([['service', whole]]) };
}

async function bundle(files: Record<string, string>, spec: Partial<FunctionSpec> = {}): Promise<string> {
  const { root, specs } = project(files, spec);
  const outdir = path.join(root, 'out');
  await bundleFunctions(root, specs, outdir);
  return path.join(outdir, 'service');
}

/** What a process of its own prints when it loads the bundle and calls its handler, as Lambda does. */
async function call(folder: string, env: Record<string, string> = {}): Promise<string> {
  const script = `import(${JSON.stringify(path.join(folder, 'index.mjs'))})
    .then(({ handler }) => handler())
    .then((answer) => console.log(JSON.stringify(answer)));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: '/', env });
  return JSON.parse(stdout) as string;
}

describe('the bundle of a function', () => {
  test('is one module without node_modules, which contains its imports from other folders', async () => {
    const folder = await bundle({
      'functions/service/handler.ts': `import * as z from 'zod';
        import { shared } from '../shared/thing.ts';
        export const handler = async (): Promise<string> => z.string().parse(shared);`,
      'functions/shared/thing.ts': `export const shared = 'from the shared folder' as const;`,
    });
    expect(readdirSync(folder).sort()).toEqual(['index.mjs']);
    expect(await call(folder)).toBe('from the shared folder');
  });

  test('lets CommonJS packages inside it require Node’s own modules', async () => {
    const folder = await bundle({
      'functions/service/handler.ts': `import { separator } from './old.cjs';
        export const handler = async (): Promise<string> => separator;`,
      'functions/service/old.cjs': `exports.separator = require('path').sep;`,
    });
    expect(await call(folder)).toBe('/');
  });

  test.each([
    [`import sharp from 'sharp'; const load = async () => sharp;`],
    [`const load = async () => (await import('sharp')).default;`],
    [
      `import { createRequire } from 'node:module'; const load = async () => createRequire(import.meta.url)('sharp');`,
    ],
  ])('finds a package with machine code in a layer, as Lambda has it, by %s', async (source) => {
    const folder = await bundle({
      'functions/service/handler.ts': `${source}
        export const handler = async (): Promise<string> => (await load() as unknown as () => string)();`,
    });
    // Where no node_modules is above it.
    const task = path.join(temporaryFolder(), 'task');
    cpSync(folder, task, { recursive: true });
    const layer = path.join(temporaryFolder(), 'nodejs/node_modules');
    mkdirSync(path.join(layer, 'sharp'), { recursive: true });
    writeFileSync(path.join(layer, 'sharp/index.js'), `module.exports = () => 'from the layer';`);
    expect(await call(task, { NODE_PATH: layer })).toBe('from the layer');
  });

  test('finds its workers beside it, from every source folder', async () => {
    const folder = await bundle(
      {
        'functions/service/handler.ts': `import { Worker } from 'node:worker_threads';
          import { once } from 'node:events';
          export const handler = async (): Promise<unknown> =>
            (await once(new Worker(new URL('./count.worker.mjs', import.meta.url)), 'message'))[0];`,
        'functions/shared/deep/count.worker.ts': `import { parentPort } from 'node:worker_threads';
          import { answer } from './answer.ts';
          parentPort?.postMessage(answer);`,
        'functions/shared/deep/answer.ts': `export const answer: number = 42;`,
      },
      { workers: ['functions/shared/deep/count.worker.ts'] },
    );
    expect(await call(folder)).toBe(42);
  });

  test('finds the engines’ files beside it, and a script among them is CommonJS below any package.json', async () => {
    const { root, specs } = project(
      {
        'package.json': '{"type":"module"}',
        'functions/service/handler.ts': `import { createRequire } from 'node:module';
          export const handler = async (): Promise<string> =>
            typeof createRequire(import.meta.url)(new URL('./qpdf.js', import.meta.url).pathname);`,
      },
      { assets: ['@neslinesli93/qpdf-wasm/dist/qpdf.js', '@embedpdf/pdfium/pdfium.wasm'] },
    );
    await bundleFunctions(root, specs, path.join(root, 'out'));
    const folder = path.join(root, 'out/service');
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['pdfium.wasm', 'qpdf.js']));
    expect(await call(folder)).toBe('function');
  });

  test('contains a large file compressed, and reads it as it is in its package', async () => {
    const folder = await bundle(
      {
        'functions/service/handler.ts': `import { createHash } from 'node:crypto';
          import { readLargeAsset } from '@platen/core/worker';
          export const handler = async (): Promise<string> =>
            createHash('sha256')
              .update(await readLargeAsset(import.meta.url, '@embedpdf/pdfium/pdfium.wasm'))
              .digest('hex');`,
      },
      { compressed: ['@embedpdf/pdfium/pdfium.wasm'] },
    );
    const original = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
    expect(await call(folder)).toBe(createHash('sha256').update(readFileSync(original)).digest('hex'));
    expect(readdirSync(folder)).not.toContain('pdfium.wasm');
    const compressed = statSync(path.join(folder, 'pdfium.wasm.zst')).size;
    expect(compressed).toBeLessThan(deflateRawSync(readFileSync(original), { level: 9 }).length);
  });

  test('holds neither the source’s comments, nor a map of it, nor a path of the machine', async () => {
    const folder = await bundle({
      'functions/service/handler.ts': `// a line that is nobody's business
        export const handler = async (): Promise<string> => 'here';`,
    });
    const text = readFileSync(path.join(folder, 'index.mjs'), 'utf8');
    expect(text).not.toMatch(/nobody|sourceMappingURL/);
    expect(text).not.toContain(path.dirname(folder));
  });

  test('is the same bytes each time, so that a deployment replaces only changed functions', async () => {
    const files = {
      'functions/service/handler.ts': `export const handler = async (): Promise<number> => 1;`,
    };
    const [first, second] = [await bundle(files), await bundle(files)];
    for (const file of readdirSync(first)) {
      expect(readFileSync(path.join(first, file))).toEqual(readFileSync(path.join(second, file)));
    }
  });
});

test('a stack of a bundle is read in its sources, chunks included', async () => {
  const { root, specs } = project({
    'functions/service/handler.ts': `/** A comment. */
export const handler = async (): Promise<string> => {
  const { fail } = await import('./fault.ts');
  return fail('here');
};`,
    'functions/service/fault.ts': `
export function fail(place: string): string {
  return String(new Error(place).stack);
}`,
  });
  await bundleFunctions(root, specs, path.join(root, 'out'));
  const stack = await call(path.join(root, 'out/service'));
  expect(stack).toMatch(/chunk-\w+\.mjs:\d+:\d+/);
  for (const [name, spec] of specs) {
    const read = await inSources(root, name, spec, stack);
    expect(read).toMatch(/\(functions\/service\/fault\.ts:3:\d+\)/);
    expect(read).toMatch(/\(functions\/service\/handler\.ts:4:\d+\)/);
  }
});

describe('a function that cannot be bundled', () => {
  test('is named with the file that is missing', async () => {
    await expect(bundle({ 'functions/other.ts': '' })).rejects.toThrow(/functions\/service\/handler\.ts/);
  });

  test('is refused when two of its files would have one name', async () => {
    const files = {
      'functions/service/handler.ts': 'export const handler = 1;',
      'functions/service/a.worker.ts': '',
      'functions/shared/a.worker.ts': '',
    };
    const workers = ['functions/service/a.worker.ts', 'functions/shared/a.worker.ts'];
    await expect(bundle(files, { workers })).rejects.toThrow(
      'The function service has two files named a.worker.',
    );
  });
});

test('a repository may be named from where an app of one’s own is started', async () => {
  const { root } = project({ 'functions/authorizer/handler.ts': 'export const handler = () => 42;' });
  const { functions, remove } = await buildArtifacts(path.relative(process.cwd(), root));
  try {
    expect([...functions.keys()]).toEqual(['authorizer']);
    expect(readdirSync(functions.get('authorizer') ?? '').join()).toMatch(/\.m?js/);
  } finally {
    await remove();
  }
});

describe.each([
  ['darwin', 'arm64'],
  ['linux', 'arm64'],
  ['win32', 'x64'],
])('on %s and %s', (platform, arch) => {
  const host = { platform: process.platform, arch: process.arch };
  const become = (as: { platform: string; arch: string }) => {
    for (const [name, value] of Object.entries(as)) Object.defineProperty(process, name, { value });
  };
  beforeAll(() => become({ platform, arch }));
  afterAll(() => become(host));

  test('a deployment is refused with the host that it needs', async () => {
    const { root } = project({});
    await expect(buildArtifacts(root)).rejects.toThrow(HostError);
    await expect(buildArtifacts(root)).rejects.toThrow(
      /on Linux on x64, and this host is \w+ on \w+\. .* docs\/deploy\.md, "From another host"/,
    );
    const guide = readFileSync(path.join(repository, 'docs/deploy.md'), 'utf8');
    expect(guide).toContain('\n### From another host\n');
  });
});
