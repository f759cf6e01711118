import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { unpackChromium } from '../../packages/print/src/chrome/unpack.ts';
import { buildChromiumLayer } from '../../layers/chromium/build.ts';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { buildLayer, type LayerForm } from '../../layers/layer.ts';
import { temporaryFolder } from './support.ts';

/** What is deployed and what runs on a laptop are the same, however it is packed. */

const FORMS: readonly LayerForm[] = ['deployed', 'local'];

/** Files of a folder with the SHA-256 of their contents. */
function contents(folder: string): [string, string][] {
  return globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file): [string, string] => [path.relative(folder, file), sha256(file)])
    .sort(([a], [b]) => a.localeCompare(b));
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

describe('the local form of a layer', () => {
  test('has the executable and the libraries that are deployed', async () => {
    const fonts = await buildFontsLayer('local');
    const seen = [];
    for (const form of FORMS) {
      const { dist } = await buildChromiumLayer(form);
      const folder = temporaryFolder();
      const { executable, libraries } = await unpackChromium([dist, fonts.dist].join(path.delimiter), folder);
      seen.push({ executable: sha256(executable), libraries: contents(libraries) });
      rmSync(folder, { recursive: true });
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]?.libraries.length).toBeGreaterThan(3);
  });

  test('has the fonts, their licences and the configuration that are deployed, but no cache', async () => {
    const [deployed = '', local = ''] = await Promise.all(
      FORMS.map(async (form) => path.join((await buildFontsLayer(form)).dist, 'fonts')),
    );
    for (const part of ['files', 'licences'])
      expect(contents(path.join(local, part))).toEqual(contents(path.join(deployed, part)));
    expect(sha256(path.join(local, 'fonts.conf'))).toBe(sha256(path.join(deployed, 'fonts.conf')));
    expect(contents(path.join(deployed, 'files')).length).toBeGreaterThan(40);
    expect([deployed, local].map((folder) => existsSync(path.join(folder, 'cache')))).toEqual([true, false]);
  });
});

describe('a layer', () => {
  const recipe = (form: LayerForm, key: string, build: () => void) => ({
    name: 'probe',
    form,
    key,
    build: (folder: string) => {
      build();
      writeFileSync(path.join(folder, 'file'), key);
      return Promise.resolve({});
    },
  });

  test('is built once by several who ask at the same time, and again for another key', async () => {
    const parent = temporaryFolder();
    let builds = 0;
    const ask = (key: string) =>
      buildLayer(
        parent,
        recipe('deployed', key, () => builds++),
      );
    const answers = await Promise.all(['a', 'a', 'a'].map(ask));
    expect(answers.filter(({ built }) => built)).toHaveLength(1);
    expect(builds).toBe(1);
    expect((await ask('a')).built).toBe(false);
    expect((await ask('b')).built).toBe(true);
    expect(readFileSync(path.join(parent, 'dist/probe/file'), 'utf8')).toBe('b');
    expect(globSync('*', { cwd: parent })).toEqual(['dist']);
  });

  test('leaves the previous one, and nothing else, if its build fails', async () => {
    const parent = temporaryFolder();
    await buildLayer(
      parent,
      recipe('local', 'a', () => {}),
    );
    const failing = recipe('local', 'b', () => {
      throw new Error('no space');
    });
    await expect(buildLayer(parent, failing)).rejects.toThrow('no space');
    expect(globSync('*', { cwd: parent })).toEqual(['dist.local']);
    expect(readFileSync(path.join(parent, 'dist.local/probe/file'), 'utf8')).toBe('a');
  });
});
