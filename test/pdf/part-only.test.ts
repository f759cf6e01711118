import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { splitPdf } from '../../packages/pdf/src/operations/split.ts';
import { processPdfs } from '../../packages/pdf/src/steps/index.ts';
import { expectSound, rawPdf, rawStream, run, workspace } from './fixtures.ts';

/**
 * Two pages. Page 1 has a text field of the name `private.note` and a note, both with the value HIDDEN; page 2 has
 * what the test gives, among it objects that refer to those of page 1.
 */
function twoPages(
  path: string,
  { annots, page = '', more = [] }: { annots: string; page?: string; more?: readonly string[] },
): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 9 0 R] >> /MarkInfo << /Marked true >> /StructTreeRoot 10 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 200 200] >>',
    '<< /Type /Page /Parent 2 0 R /Annots [7 0 R 8 0 R] /StructParents 0 /Contents 14 0 R >>',
    `<< /Type /Page /Parent 2 0 R /Annots [5 0 R 9 0 R] /StructParents 1 /Contents 14 0 R ${page} >>`,
    annots,
    '<< /T (private) /Kids [7 0 R] >>',
    '<< /Type /Annot /Subtype /Widget /Parent 6 0 R /P 3 0 R /FT /Tx /T (note) /V (HIDDEN field) /Rect [9 9 99 29] >>',
    '<< /Type /Annot /Subtype /Text /P 3 0 R /Contents (HIDDEN note) /Rect [9 50 29 70] >>',
    '<< /Type /Annot /Subtype /Widget /P 4 0 R /FT /Tx /T (own) /V (shown) /Rect [9 90 99 110] >>',
    '<< /Type /StructTreeRoot /K [11 0 R] /ParentTree << /Nums [0 [12 0 R] 1 [13 0 R]] >> >>',
    '<< /Type /StructElem /S /Document /P 10 0 R /K [12 0 R 13 0 R] >>',
    '<< /Type /StructElem /S /P /P 11 0 R /Pg 3 0 R /K 0 /ActualText (HIDDEN tag) >>',
    '<< /Type /StructElem /S /P /P 11 0 R /Pg 4 0 R /K 0 /ActualText (own tag) >>',
    rawStream('', '/P << /MCID 0 >> BDC EMC'),
    ...more,
  ]);
}

/** All objects, also those that nothing refers to. */
function contentOf(path: string): string {
  run('qpdf', '--qdf', '--preserve-unreferenced', '--object-streams=disable', path, `${path}.plain`);
  return readFileSync(`${path}.plain`, 'latin1');
}

const LINK = '/Type /Annot /Subtype /Link /P 4 0 R /Rect [9 9 99 29]';
const THREADS = [
  '<< /N 16 0 R /V 16 0 R /P 4 0 R /R [0 0 9 9] /T 17 0 R >>',
  '<< /N 15 0 R /V 15 0 R /P 3 0 R /R [0 0 9 9] >>',
  '<< /F 15 0 R /I << /Title (HIDDEN article) >> >>',
];

const CASES: [string, { annots: string; page?: string; more?: readonly string[] }][] = [
  ['an action that resets it', { annots: `<< ${LINK} /A << /S /ResetForm /Fields [7 0 R] >> >>` }],
  [
    'an action in an object of its own',
    { annots: `<< ${LINK} /A 15 0 R >>`, more: ['<< /S /SubmitForm /F (x) /Fields [7 0 R (own)] >>'] },
  ],
  [
    'a list in an object of its own',
    { annots: `<< ${LINK} /A << /S /ResetForm /Fields 15 0 R >> >>`, more: ['[6 0 R]'] },
  ],
  ['an action that hides it and a note', { annots: `<< ${LINK} /A << /S /Hide /T [7 0 R 8 0 R] >> >>` }],
  ['an action of the page', { annots: `<< ${LINK} >>`, page: '/AA << /O << /S /Hide /T 7 0 R >> >>' }],
  [
    'a further action',
    { annots: `<< ${LINK} /A << /S /Named /N /NextPage /Next [<< /S /Hide /T 8 0 R >>] >> >>` },
  ],
  [
    'a note that answers',
    { annots: '<< /Type /Annot /Subtype /Text /IRT 8 0 R /Contents (x) /P 4 0 R /Rect [9 9 29 29] >>' },
  ],
  ['a pop-up', { annots: '<< /Type /Annot /Subtype /Popup /Parent 8 0 R /P 4 0 R /Rect [9 9 29 29] >>' }],
  [
    'a destination in the tags',
    { annots: `<< ${LINK} /A << /S /GoTo /D [3 0 R /Fit] /SD [12 0 R /Fit] >> >>` },
  ],
  ['an article', { annots: `<< ${LINK} >>`, page: '/B [15 0 R]', more: THREADS }],
  [
    'a document part',
    {
      annots: `<< ${LINK} >>`,
      page: '/DPart 15 0 R',
      more: [
        '<< /Type /DPart /Parent 16 0 R /Start 4 0 R >>',
        '<< /Type /DPart /DParts [[15 0 R 17 0 R]] >>',
        '<< /Type /DPart /Parent 16 0 R /Start 3 0 R /DPM << /Name (HIDDEN part) >> >>',
      ],
    },
  ],
];

describe('a part has no object of another page that is reached through', () => {
  it.each(CASES)('%s', async (_, given) => {
    const at = workspace();
    const path = twoPages(at('a.pdf'), given);
    await splitPdf({ path }, [2], at('s.pdf'));
    await processPdfs({
      inputs: [{ path }],
      output: at('p.pdf'),
      steps: [{ name: 'pages', options: { pages: '2,2' } }],
      fonts: null,
      breakSignatures: false,
      place: null,
    });
    for (const part of [at('s.pdf'), at('p.pdf')]) {
      expectSound(part);
      expect(contentOf(part).match(/HIDDEN \w+/g)).toBeNull();
      expect(contentOf(part)).toMatch(/shown[^]*own tag|own tag[^]*shown/);
    }
  });

  it('actions, which name the fields instead', async () => {
    const at = workspace();
    const path = twoPages(at('a.pdf'), {
      annots: `<< ${LINK} /A << /S /ResetForm /Fields [7 0 R 9 0 R] >> >>`,
    });
    await splitPdf({ path }, [2], at('s.pdf'));
    expect(contentOf(at('s.pdf'))).toMatch(/\/Fields \[\s+\(private\.note\)\s+\d+ 0 R\s+\]/);
  });
});
