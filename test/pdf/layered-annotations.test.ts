import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { imagesOfPages } from '../../packages/pdf/src/operations/images.ts';
import { expectSound, rawPdf, rawStream, run, workspace } from './fixtures.ts';
import { chain } from './steps/chain.ts';
import { pixels } from './steps/pixels.ts';

/**
 * A page with red squares at 10, 30, 50 and so on, each the appearance of an annotation with one of these entries; the
 * first layer (7) is off, the second (8) on.
 */
function squares(path: string, entries: readonly string[], more: readonly string[] = []): string {
  const first = 10 + more.length;
  const refs = entries.map((_, index) => `${first + index} 0 R`).join(' ');
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [7 0 R 8 0 R] /D << /OFF [7 0 R] /Order [7 0 R 8 0 R] >> >> /AcroForm << /Fields [4 0 R] /DA (/Helv 0 Tf 0 g) >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 200 50] >>',
    `<< /Type /Page /Parent 2 0 R /Annots [4 0 R ${refs}] /Resources << >> /Contents 6 0 R >>`,
    // A field on the layer that is off.
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (f) /V (x) /F 4 /P 3 0 R /Rect [10 10 26 26] /AP << /N 5 0 R >> /OC 7 0 R >>',
    rawStream('/Type /XObject /Subtype /Form /BBox [0 0 16 16]', '1 0 0 rg 0 0 16 16 re f'),
    rawStream('', '0 0 1 rg 0 40 9 9 re f'),
    '<< /Type /OCG /Name (off) >>',
    '<< /Type /OCG /Name (on) >>',
    'null',
    ...more,
    ...entries.map(
      (entry, index) =>
        `<< /Type /Annot /Subtype /Stamp /F 4 /P 3 0 R /Rect [${30 + 20 * index} 10 ${46 + 20 * index} 26] /AP << /N 5 0 R >> ${entry} >>`,
    ),
  ]);
}

const ENTRIES = [
  '',
  '/OC 7 0 R',
  '/OC 8 0 R',
  '/OC << /Type /OCMD /OCGs [7 0 R 8 0 R] /P /AllOn >>',
  '/OC << /Type /OCMD /OCGs [7 0 R] /P /AllOff >>',
  '/OC << /Type /OCMD /VE [/And [/Not 7 0 R] 8 0 R] >>',
  '/OC << /Type /OCMD /VE [/Or 7 0 R [/Not 8 0 R]] >>',
];
/** Which of the squares are shown; the first is the field. */
const SHOWN = [false, true, false, true, false, true, true, false];

function isRed([red = 0, green = 0]: number[]): boolean {
  return red > 200 && green < 60;
}

/** Which squares are red as poppler draws the page. */
async function shown(path: string): Promise<boolean[]> {
  expectSound(path);
  const { at } = await pixels(path);
  return SHOWN.map((_, index) => isRed(at(18 + 20 * index, 32)));
}

describe('annotations on layers that are off', () => {
  it('stay invisible when they become content, and come back with their layer', async () => {
    const at = workspace();
    const path = squares(at('a.pdf'), ENTRIES);
    expect(await shown(path)).toEqual(SHOWN);
    const flat = await chain([path], at('f.pdf'), [{ name: 'flatten', options: {} }]);
    expect(await shown(flat)).toEqual(SHOWN);
    const filled = await chain([path], at('v.pdf'), [
      { name: 'fill', options: { data: { f: 'y' }, images: {} } },
      { name: 'flatten', options: {} },
    ]);
    expect(run('pdftotext', filled, '-').trim()).toBe('');
    // With the layer on, the field and its stamp are seen, too.
    run('qpdf', '--qdf', '--object-streams=disable', flat, at('q.pdf'));
    writeFileSync(at('q.pdf'), readFileSync(at('q.pdf'), 'latin1').replaceAll('/OFF', '/Off'), 'latin1');
    run('qpdf', '--warning-exit-0', at('q.pdf'), at('on.pdf'));
    expect((await shown(at('on.pdf'))).slice(0, 3)).toEqual([true, true, true]);
  });

  it.each(['png', 'tiff'])('are not drawn in a %s', async (format) => {
    const at = workspace();
    const path = squares(at('a.pdf'), ENTRIES);
    const image = await imagesOfPages({ path }, { format, name: 'a', scratch: at('.'), dpi: 72 });
    const { data, info } = await sharp(image.path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const pixel = (x: number, y: number): number[] => [
      ...data.subarray((y * info.width + x) * 3).subarray(0, 3),
    ];
    expect(SHOWN.map((_, index) => isRed(pixel(18 + 20 * index, 32)))).toEqual(SHOWN);
  });
});
