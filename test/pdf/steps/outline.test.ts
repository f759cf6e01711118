import { expect, it } from 'vitest';
import { rawPdf, rawStream, workspace } from '../fixtures.ts';
import { chain } from './chain.ts';
import { python } from '../../support/python.ts';

/** The outline that a document gets, as pikepdf reads it (I-46). */

const SCRIPT = `
import sys, json, pikepdf
pdf = pikepdf.open(sys.argv[1]); found = []
pages = [page.objgen for page in pdf.pages]
def walk(entry, level):
    while entry is not None:
        d = entry.Dest
        found.append([level, str(entry.Title), pages.index(d[0].objgen) + 1, round(float(d[2])), round(float(d[3]))])
        if '/First' in entry: walk(entry.First, level + 1)
        entry = entry.get('/Next')
walk(pdf.Root.Outlines.First, 0)
print(json.dumps(found))
`;

it('has the top of each visible page as its target, also of cropped and rotated pages', async () => {
  const at = workspace();
  const page = (entries: string): string => `<< /Type /Page /Parent 2 0 R /Contents 6 0 R ${entries} >>`;
  const input = rawPdf(at('in.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3 /MediaBox [0 0 400 300] >>',
    page(''),
    page('/CropBox [50 20 350 280]'),
    page('/Rotate 90'),
    rawStream('', '0 0 9 9 re f'),
  ]);
  const items = [
    { title: 'Cropped', page: 2, items: [{ title: 'Whole', page: 1 }] },
    { title: 'Turned – Ж', page: 3 },
  ];
  const output = await chain([input], at('out.pdf'), [{ name: 'outline', options: { items } }]);
  expect(JSON.parse(python(SCRIPT, output))).toEqual([
    [0, 'Cropped', 2, 50, 280],
    [1, 'Whole', 1, 0, 300],
    // Turned clockwise, the lower left corner is at the upper left.
    [0, 'Turned – Ж', 3, 0, 0],
  ]);
});
