import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { containedPackages, licenceFaults, NOTICES, refusedPackages } from '../../bin/notices.ts';

/** Licences of what is linked, and the file that lists them. */

it('nothing that is linked is under the GPL or AGPL, and THIRD_PARTY_NOTICES is current', () => {
  expect(licenceFaults()).toEqual([]);
});

it.each([
  ['AGPL-3.0-only', true],
  ['GPL-2.0-or-later', true],
  ['(GPL-2.0 OR AGPL-3.0)', true],
  ['MIT AND GPL-3.0', true],
  ['unknown', true],
  ['(BSD-3-Clause OR GPL-2.0)', false],
  ['LGPL-3.0-or-later', false],
  ['Apache-2.0 AND LGPL-3.0-or-later AND MIT', false],
  ['MPL-2.0', false],
])('%s is refused: %s', (license, isRefused) => {
  expect(refusedPackages([{ name: 'a', version: '1', license }])).toHaveLength(isRefused ? 1 : 0);
});

it('what functions, layers, the Studio and the local service contain is listed, and tools for development are not', () => {
  const names = containedPackages().map(({ name }) => name);
  for (const name of [
    'pdf-lib',
    'pako',
    'preact',
    'pdfjs-dist',
    'fastify',
    '@sparticuz/chromium',
    '@expo-google-fonts/arimo',
  ])
    expect(names).toContain(name);
  for (const name of ['vitest', 'oxlint', 'aws-cdk', 'cdk-nag']) expect(names).not.toContain(name);
  const text = readFileSync(NOTICES, 'utf8');
  for (const part of [
    'libreoffice-writer-nogui',
    'Ghostscript (AGPL-3.0-or-later)',
    'Chromium (BSD-3-Clause',
  ])
    expect(text).toContain(part);
});
