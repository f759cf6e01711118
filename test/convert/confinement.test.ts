import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Confinement } from '../../functions/convert/confinement.ts';
import { fontConfiguration } from '../../functions/convert/fonts.ts';
import { filtersFor } from '../../functions/convert/libreoffice/filters.ts';
import { findInstallation } from '../../functions/convert/libreoffice/installation.ts';
import { OfficeProcess } from '../../functions/convert/libreoffice/process.ts';
import { CONFINED } from '../support/confined.ts';
import { type Attack, PICTURES, TEXTS } from './attacks.ts';
import { ods } from './documents.ts';
import { pdfText, showsColour, startOffice } from './support.ts';

/**
 * Documents that name files of the disk (I-22). Two things keep LibreOffice from them, each on its own: the
 * kernel, and that such names are taken out before. Each is tried here without the other.
 */

const SECRET = 'TOP-SECRET-OF-ANOTHER';
const MAGENTA = [255, 0, 255] as const;
const PICTURE = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108020000009077' +
    '53de0000000c49444154789c63f8cff01f00040001ff0ab3d1b40000000049454e44ae426082',
  'hex',
);
/** The kernel keeps nothing from it. */
const OPEN: Confinement = { ...CONFINED, reads: ['/'] };
const ATTACKS = [...PICTURES, ...TEXTS].map((attack) => [attack.name, attack] as const);

let folder: string;
let fonts: string;
let place: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-outside-'));
  fonts = mkdtempSync(path.join(tmpdir(), 'platen-outside-fonts-'));
  place = pathToFileURL(folder).href;
  writeFileSync(path.join(folder, 'picture.png'), PICTURE);
  writeFileSync(
    path.join(folder, 'picture.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="#f0f"/></svg>',
  );
  writeFileSync(path.join(folder, 'text.txt'), SECRET);
  const cell = `<table:table-cell office:value-type="string"><text:p>${SECRET}</text:p></table:table-cell>`;
  writeFileSync(path.join(folder, 'other.ods'), await ods(cell));
});
afterAll(() => {
  for (const made of [folder, fonts]) rmSync(made, { recursive: true });
});

/** What LibreOffice makes of a document as it is. */
async function printRaw(office: OfficeProcess, { from, make }: Attack): Promise<Buffer> {
  const filters = filtersFor(from, 'pdf');
  if (filters === null) throw new Error('There is such a conversion.');
  const work = mkdtempSync(path.join(office.folder, 'document-'));
  const [input, output] = [path.join(work, `document.${from}`), path.join(work, 'result.pdf')];
  writeFileSync(input, await make(place));
  const answer = await office.convert({ input, output, title: null, ...filters });
  expect(answer).toMatchObject({ ok: true });
  return readFileSync(output);
}

function startRaw(confinement: Confinement): Promise<OfficeProcess> {
  const installation = findInstallation();
  if (installation === null) throw new Error('LibreOffice is not installed.');
  const fontConfig = fontConfiguration(fonts, true);
  const options = { installation, workDir: tmpdir(), fontConfig, confinement, maxFileBytes: 2 ** 28 };
  return OfficeProcess.start(options, AbortSignal.timeout(60_000));
}

function expectNothingOutside(pdf: Buffer): void {
  expect(pdfText(pdf)).toContain('still here');
  expect(pdfText(pdf)).not.toContain(SECRET);
  expect(showsColour(pdf, MAGENTA)).toBe(false);
}

describe('a document that names a file of the disk', () => {
  test('is shown with that file if neither confinement nor cleaning is on, for half of the known attacks or more', async () => {
    const office = await startRaw(OPEN);
    try {
      const known = ATTACKS.map(([, attack]) => attack).filter(({ works }) => works);
      const shown: string[] = [];
      for (const attack of known) {
        const pdf = await printRaw(office, attack);
        if (showsColour(pdf, MAGENTA) || pdfText(pdf).includes(SECRET)) shown.push(attack.name);
      }
      // LibreOffice 7.4 shows all of them; 25.2 keeps to itself what presentations and sheets name.
      expect(shown.length, shown.join(', ')).toBeGreaterThanOrEqual(known.length / 2);
    } finally {
      await office.kill();
    }
  });

  describe('is kept from the file by the kernel alone', () => {
    let office: OfficeProcess;
    beforeAll(async () => {
      office = await startRaw(CONFINED);
    });
    afterAll(() => office.kill());

    test.each(ATTACKS)('%s', async (_, attack) => {
      expectNothingOutside(await printRaw(office, attack));
    });

    test('every part of the confinement is active', () => {
      expect(Object.values(office.confinement)).toEqual(['held', 'held', 'held', 'held', 'held']);
    });
  });

  describe('loses the name before LibreOffice opens it, if the kernel confines nothing', () => {
    const { office, close } = startOffice({ confinement: OPEN });
    afterAll(close);

    test.each(ATTACKS)('%s', async (_, { from, make }) => {
      const document = await make(place);
      expectNothingOutside(await office.convert({ document, from, to: 'pdf', title: null, timeout: 60_000 }));
    });
  });
});
