import { expect, it } from 'vitest';
import { rawPdf, rawStream, run, workspace } from '../fixtures.ts';
import { hits, redacted } from './redacted.ts';

/** What stands beside the content of a page and shows or says the same goes with it, where an area is redacted (I-46). */

/** A tagged page of two lines with a picture of itself and what its maker keeps there. */
function tagged(path: string): string {
  const line = (mark: number, y: number, text: string): string =>
    `/P <</MCID ${mark}>> BDC BT /F 12 Tf 1 0 0 1 20 ${y} Tm (${text}) Tj ET EMC`;
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 6 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 400 300] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /StructParents 0 /Thumb 10 0 R /PieceInfo << /Maker << /LastModified (D:20200101000000Z) /Private (kept draft) >> >> >>',
    rawStream('', [line(0, 270, 'upper'), line(1, 30, 'lower')].join('\n')),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /StructTreeRoot /K [7 0 R] /ParentTree << /Nums [0 [8 0 R 9 0 R]] >> >>',
    '<< /Type /StructElem /S /Document /P 6 0 R /K [8 0 R 9 0 R] >>',
    '<< /Type /StructElem /S /P /P 7 0 R /Pg 3 0 R /K 0 /ActualText (said above) /Alt (told above) /E (spelled above) >>',
    '<< /Type /StructElem /S /P /P 7 0 R /Pg 3 0 R /K 1 /ActualText (said below) >>',
    rawStream(
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
      'A',
    ),
  ]);
}

it('removes the text in tags of redacted content, and keeps that of the rest', async () => {
  const at = workspace();
  const areas = [{ page: 1, x: 0, y: 0, w: 14, h: 4 }];
  const output = await redacted(tagged(at('in.pdf')), at('out.pdf'), { areas });
  expect(hits(output, ['upper', 'said above', 'told above', 'spelled above'])).toEqual([]);
  expect(hits(output, ['said below'])).not.toEqual([]);
  expect(run('pdftotext', output, '-')).toContain('lower');
});

it('removes the thumbnail of a page, and its private data of applications', async () => {
  const at = workspace();
  const input = tagged(at('in.pdf'));
  const images = (path: string): number =>
    run('qpdf', '--qdf', path, '-').split('/Subtype /Image').length - 1;
  expect(images(input)).toBe(1);
  const output = await redacted(input, at('out.pdf'), { areas: [{ page: 1, x: 0, y: 0, w: 14, h: 4 }] });
  expect(images(output)).toBe(0);
  expect(hits(output, ['kept draft'])).toEqual([]);
});
