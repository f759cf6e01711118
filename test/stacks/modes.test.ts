import { chmodSync, lstatSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildLayer } from '../../layers/layer.ts';
import { define, temporaryFolder, unreadable } from './support.ts';

/** A host with umask 077, whose files nobody but their owner reads. Lambda's user is another one. */
async function onPrivateHost<T>(work: () => T | Promise<T>): Promise<T> {
  const before = process.umask(0o077);
  try {
    return await work();
  } finally {
    process.umask(before);
  }
}

test('every asset of a private host is for every user, those that the CDK adds too', async () => {
  const { directory } = await onPrivateHost(() =>
    define({ removal: 'destroy', cloudFront: true, studio: true }).app.synth(),
  );
  expect(unreadable(directory)).toEqual([]);
});

test('a layer of a private host is for every user, and its programs stay programs', async () => {
  const parent = temporaryFolder();
  const build = (folder: string) => {
    writeFileSync(path.join(folder, 'file'), '');
    writeFileSync(path.join(folder, 'program'), '');
    chmodSync(path.join(folder, 'program'), 0o700);
    return Promise.resolve({});
  };
  const { dist } = await onPrivateHost(() =>
    buildLayer(parent, { name: 'probe', form: 'deployed', key: 'a', build }),
  );
  const modes = ['', 'probe', 'probe/file', 'probe/manifest.json', 'probe/program'].map((name) =>
    (lstatSync(path.join(dist, name)).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['755', '755', '644', '644', '755']);
});
