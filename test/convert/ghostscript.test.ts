import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawPostScript } from '../../functions/convert/ghostscript.ts';
import { PYTHON } from '../../functions/convert/host-process.ts';
import { placesOfProgram } from '../../functions/convert/confinement.ts';
import { CONFINED } from '../support/confined.ts';
import { pdfText } from './support.ts';

/** PostScript that reaches for the disk: Ghostscript's own rules keep it from that, and the kernel besides. */

const SECRET = 'TOPSECRET';
const searchPath = process.env['PATH'] ?? '/usr/bin';

let folder: string;
/** A Ghostscript without rules of its own. */
let lax: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-outside-'));
  writeFileSync(path.join(folder, 'secret.txt'), SECRET);
  writeFileSync(path.join(folder, 'secret.ps'), `(${SECRET}) show`);
  const programs = mkdtempSync(path.join(tmpdir(), 'platen-programs-'));
  lax = path.join(programs, 'gs-lax');
  const [gs = 'gs'] = placesOfProgram('gs', searchPath);
  writeFileSync(
    lax,
    `#!/bin/sh\nfor a in "$@"; do shift; [ "$a" = -dSAFER ] && a=-dNOSAFER; set -- "$@" "$a"; done\nexec ${gs} "$@"\n`,
  );
  chmodSync(lax, 0o755);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(path.dirname(lax), { recursive: true });
});

const read = (name: string): string => `(${name}) (r) file 200 string readstring pop show`;
const ATTACKS: [string, (place: string) => string][] = [
  ['reads a file', (place) => read(`${place}/secret.txt`)],
  ['reads through a pipe', (place) => read(`%pipe%cat ${place}/secret.txt`)],
  ['reads by the name of a device', (place) => read(`%os%${place}/secret.txt`)],
  ['runs a file', (place) => `(${place}/secret.ps) run`],
  ['runs a file of the library', (place) => `(${place}/secret.ps) runlibfile`],
  [
    'opens a file of the library',
    (place) => `(${place}/secret.txt) .libfile { 200 string readstring pop show } if`,
  ],
  ['lists a folder', (place) => `(${place}/*) { show } 300 string filenameforall`],
  ['writes a file', (place) => `(${place}/written) (w) file dup (x) writestring closefile`],
  ['deletes a file', (place) => `(${place}/secret.txt) deletefile`],
  ['renames a file', (place) => `(${place}/secret.txt) (${place}/written) renamefile`],
  [
    'draws into a file',
    (place) => `<< /OutputFile (${place}/written.pdf) >> setpagedevice (x) show showpage`,
  ],
];

const eps = (program: string): string =>
  `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 500 100\n/Helvetica findfont 12 scalefont setfont 10 50 moveto\n${program}\nshowpage\n`;

/** With a preview in front ("DOS EPS", Adobe technical note 5002). */
function withPreview(postScript: Buffer): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32BE(0xc5d0d3c6, 0);
  head.writeUInt32LE(30, 4);
  head.writeUInt32LE(postScript.length, 8);
  head.writeUInt16LE(0xffff, 28);
  return Buffer.concat([head, postScript]);
}

/** The text of what is drawn; of what is refused, none. */
async function draw(program: string, postScript: Buffer, confinement = CONFINED): Promise<string> {
  const options = { program, searchPath, python: PYTHON, workDir: tmpdir(), confinement };
  try {
    return pdfText(await drawPostScript(options, { postScript, what: 'The EPS', timeout: 30_000 }));
  } catch (error) {
    expect(error).toMatchObject({ code: 'image_invalid' });
    return '';
  }
}

describe('PostScript', () => {
  test.each(['gs', 'lax'])('is drawn (%s)', async (kind) => {
    const program = kind === 'gs' ? 'gs' : lax;
    expect(await draw(program, Buffer.from(eps('(seen) show')))).toContain('seen');
    expect(await draw(program, withPreview(Buffer.from(eps('(seen) show'))))).toContain('seen');
  });

  test('shows a file where neither keeps it from that', async () => {
    const open = { ...CONFINED, reads: ['/'] };
    expect(await draw(lax, Buffer.from(eps(read(`${folder}/secret.txt`))), open)).toContain(SECRET);
  });

  test('cannot read the path of its folder', async () => {
    const names = await draw('gs', Buffer.from(eps('null (w) .tempfile closefile show')));
    expect(names).toMatch(/gs_/);
    expect(names).not.toContain(tmpdir());
  });

  describe.each(['by its own rules', 'by the kernel alone'])('is kept, %s, from the disk when it', (by) => {
    test.each(ATTACKS)('%s', async (_, attack) => {
      const postScript = Buffer.from(eps(attack(folder)));
      for (const file of [postScript, withPreview(postScript)]) {
        const text = await draw(by === 'by its own rules' ? 'gs' : lax, file);
        expect(text).not.toContain(SECRET);
        expect(text).not.toContain('secret.txt');
        expect(existsSync(path.join(folder, 'secret.txt'))).toBe(true);
        expect(readdirSync(folder).toSorted()).toEqual(['secret.ps', 'secret.txt']);
      }
    });
  });
});
