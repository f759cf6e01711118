import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { ensureAssembly } from '../../packages/aws-local/src/synth.ts';
import { FUNCTION_NAMES, FUNCTIONS, type FunctionName } from '../../lib/functions.ts';
import { temporaryFolder, unreadable } from './support.ts';

/** The app as `npm start` and an operator run it: real bundles and layers. */

const root = path.resolve(import.meta.dirname, '../..');
/** What Lambda allows a function and its layers together, unzipped. */
const LAMBDA_CODE_LIMIT = 250 * 1024 * 1024;

interface Template {
  Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
}

const run = promisify(execFile);
const out = temporaryFolder();

function runApp(outdir: string, context: Record<string, unknown>) {
  return run(process.execPath, ['bin/platen.ts'], {
    cwd: root,
    env: {
      ...process.env,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      CDK_VALIDATION: 'false',
    },
  });
}

function readTemplate(outdir: string, stack: string): Template {
  return JSON.parse(readFileSync(path.join(outdir, `${stack}.template.json`), 'utf8')) as Template;
}

const present = FUNCTION_NAMES.filter((name) => existsSync(path.join(root, FUNCTIONS[name].entry)));

/** The folder an asset of the stack is in, by the key its resource names. */
function assetFolder(location: unknown): string {
  const { S3Key, ImageUri } = location as { S3Key?: string; ImageUri?: { 'Fn::Sub': string } };
  const key = S3Key?.replace(/\.zip$/, '') ?? ImageUri?.['Fn::Sub'].split(':').at(-1) ?? '';
  return path.join(out, `asset.${key}`);
}

interface Deployed {
  code: string;
  layers: string[];
  /** With a name for what is only known after a deployment. */
  variables: Record<string, string>;
}

function deployed(name: FunctionName): Deployed {
  const { Resources } = readTemplate(out, 'Api');
  const found = Object.entries(Resources).find(
    ([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith(`${name}Function`),
  );
  const properties = found?.[1].Properties as {
    Code: unknown;
    Layers?: { Ref: string }[];
    Environment: { Variables: Record<string, unknown> };
  };
  const { Code, Layers = [], Environment } = properties;
  return {
    code: assetFolder(Code),
    layers: Layers.map(({ Ref }) => assetFolder(Resources[Ref]?.Properties['Content'])),
    variables: Object.fromEntries(
      Object.entries(Environment.Variables).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : 'some-name',
      ]),
    ),
  };
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

// The first time the layers are built. This is how the CDK's command line runs it, on a host whose files are private.
beforeAll(() =>
  run('sh', ['-c', 'umask 077; exec node_modules/.bin/cdk synth --quiet --output "$0"', out], { cwd: root }),
);

describe('the app, run as it is', () => {
  test('writes both stacks, and every function whose source is there', () => {
    expect(readdirSync(out)).toEqual(expect.arrayContaining(['Api.template.json', 'Storage.template.json']));
    const functions = Object.values(readTemplate(out, 'Api').Resources).filter(
      ({ Type }) => Type === 'AWS::Lambda::Function',
    );
    expect(functions).toHaveLength(present.length);
    expect(present).toEqual(
      expect.arrayContaining(['service', 'authorizer', 'templates', 'sweep', 'render']),
    );
  });

  test('lets every user read the assets, whatever the umask of the host is', () => {
    expect(unreadable(out)).toEqual([]);
  });

  test('writes the same stacks for the CDK’s command line as for the local service', async () => {
    const { directory } = await ensureAssembly({ root });
    // But for the bundles, whose sources may be worked on while this runs, and the layers, which are packed otherwise.
    const comparable = (outdir: string, stack: string) =>
      JSON.stringify(readTemplate(outdir, stack)).replaceAll(/[0-9a-f]{64}(\.zip)?/g, 'asset');
    for (const stack of ['Api', 'Storage']) {
      expect(comparable(directory, stack)).toBe(comparable(out, stack));
    }
  });

  test('stops at a wrong switch with its name and without a stack trace', async () => {
    const failed: unknown = await runApp(temporaryFolder(), { 'platen:stage': 'a b' }).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('- platen:stage: must be letters'),
    });
    expect((failed as { stderr: string }).stderr).not.toMatch(/^\s+at /m);
  });
});

describe.each(present)('the code of %s', (name) => {
  const spec = FUNCTIONS[name];

  test('is in one folder: the bundle, its workers and its engines’ files', () => {
    const files = readdirSync(deployed(name).code);
    const expected = [
      'index.mjs',
      ...(spec.workers ?? []).map((worker) => path.basename(worker).replace(/\.ts$/, '.mjs')),
      ...(spec.assets ?? []).map((asset) => path.basename(asset)),
      ...(spec.compressed ?? []).map((asset) => `${path.basename(asset)}.zst`),
    ];
    expect(files).toEqual(expect.arrayContaining(expected));
    expect(files.filter((file) => file.endsWith('.ts'))).toEqual([]);
  });

  test('has beside it every worker and every file of a package that it names', () => {
    const folder = deployed(name).code;
    const files = readdirSync(folder);
    const held = files.map((file) => file.replace(/\.zst$/, ''));
    const named = files
      .filter((file) => file.endsWith('.mjs'))
      .flatMap((file) => {
        const text = readFileSync(path.join(folder, file), 'utf8');
        const workers = [...text.matchAll(/["'`]([\w-]+\.worker)["'`]/g)].map((match) => `${match[1]}.mjs`);
        const assets = [...text.matchAll(/["'`]@?\w[\w.-]*\/[\w./-]+\.(?:wasm|js)["'`]/g)].map((match) =>
          path.basename(match[0].slice(1, -1)),
        );
        return [...workers, ...assets];
      });
    expect(held).toEqual(expect.arrayContaining(named));
  });

  test('has the native layer if it requires one of its modules', () => {
    const { code, layers } = deployed(name);
    const texts = readdirSync(code)
      .filter((file) => file.endsWith('.mjs'))
      .map((file) => readFileSync(path.join(code, file), 'utf8'));
    const required = texts.some((text) => /\(["'`]sharp["'`]\)/.test(text));
    const carried = layers.some((layer) => existsSync(path.join(layer, 'nodejs/node_modules/sharp')));
    expect(carried || !required).toBe(true);
  });

  test('with its layers fits into a Lambda function', () => {
    const { code, layers } = deployed(name);
    // An image has no layers, but what is in them, and may have ten gigabytes.
    expect(layers).toHaveLength(spec.container === undefined ? (spec.layers?.length ?? 0) : 0);
    const total = [code, ...layers].reduce((sum, folder) => sum + bytesIn(folder), 0);
    expect(total).toBeLessThan(LAMBDA_CODE_LIMIT);
  });

  test('contains the used part of zod, without its fifty languages', () => {
    // `import * as z from 'zod'` lets the bundler leave them out; `import { z }` does not.
    expect(readFileSync(path.join(deployed(name).code, 'index.mjs'), 'utf8')).not.toContain(
      'Ungültige Eingabe',
    );
  });

  test('starts by itself with the variables it is given, as Lambda starts it, and has a handler', async () => {
    const { code, variables } = deployed(name);
    const script = `
      globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: {} };
      import(${JSON.stringify(path.join(code, 'index.mjs'))})
        .then(({ handler }) => { console.log('handler:', typeof handler); process.exit(); });`;
    const { stdout } = await run(process.execPath, ['-e', script], {
      cwd: '/',
      env: { ...variables, AWS_REGION: 'eu-west-1', PLATEN_LOG_LEVEL: 'silent' },
    });
    expect(stdout).toContain('handler: function');
  });
});
