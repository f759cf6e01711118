import { describe, expect, it } from 'vitest';
import type { MultipartPart } from '../support/gateway-event.ts';
import { type Answer, field, file, post } from './ask.ts';
import { expectSound, rawPdf, rawStream, run, textPages, workspace } from './fixtures.ts';

/** All metadata by the route and by the step: Info and XMP say the same, as two readers see it (I-31, I-46). */

type Fields = Readonly<Record<string, unknown>>;

const BY_ROUTE = (metadata: Fields): MultipartPart[] => [field('metadata', metadata)];
const BY_STEP = (metadata: Fields): MultipartPart[] => [field('steps', [{ metadata }])];

const ALL = {
  Title: 'T',
  Keywords: 'Öl, gas; water',
  CreationDate: '2020-02-29T12:30:00+05:30',
  ModDate: '2021-03-04T05:06:07Z',
  Trapped: 'False',
  '/Cost Centre': 'Ж 42',
  Department: 'Sales',
};

const NONE = Object.fromEntries(Object.keys(ALL).map((key) => [key, null]));

describe.each([
  ['/v1/pdf/metadata', BY_ROUTE],
  ['/v1/pdf/process', BY_STEP],
])('%s', (path, partsOf) => {
  const change = async (input: string, output: string, metadata: Fields): Promise<Answer> =>
    await post(path, [file(input), ...partsOf(metadata)], output);
  const xmp = (of: string): string => run('pdfinfo', '-meta', of);
  const trailer = (of: string): string =>
    run('qpdf', '--qdf', '--object-streams=disable', '--no-original-object-ids', of, '-');

  it.each([[], ['--encrypt', '', 'owner', '256', '--']])(
    'sets and removes all keys in Info and in XMP %j',
    async (...protection) => {
      const at = workspace();
      run('qpdf', textPages(at('plain.pdf'), ['one']), ...protection, at('a.pdf'));
      expect(await change(at('a.pdf'), at('m.pdf'), ALL)).toMatchObject({ status: 200 });
      expectSound(at('m.pdf'), protection.length > 0 ? 'owner' : '');
      const shown = run('pdfinfo', '-custom', at('m.pdf'));
      expect(shown).toMatch(
        /Cost Centre: +Ж 42\n[^]*Department: +Sales\n|Department: +Sales\n[^]*Cost Centre: +Ж 42/,
      );
      const info = run('pdfinfo', '-rawdates', at('m.pdf'));
      expect(info).toMatch(/Keywords: +Öl, gas; water/);
      expect(info).toMatch(/CreationDate: +D:20200229123000\+05'30/);
      expect(info).toMatch(/ModDate: +D:20210304050607Z/);
      expect(trailer(at('m.pdf'))).toContain('/Trapped /False');
      expect(xmp(at('m.pdf'))).toMatch(/<pdf:Keywords[^>]*>Öl, gas; water</);
      expect(xmp(at('m.pdf'))).toMatch(
        /<dc:subject[^>]*><rdf:Bag><rdf:li>Öl<\/rdf:li><rdf:li>gas<\/rdf:li><rdf:li>water<\/rdf:li><\/rdf:Bag>/,
      );
      expect(xmp(at('m.pdf'))).toMatch(/<xmp:CreateDate[^>]*>2020-02-29T12:30:00\+05:30</);
      expect(xmp(at('m.pdf'))).toMatch(/<xmp:ModifyDate[^>]*>2021-03-04T05:06:07Z</);
      expect(xmp(at('m.pdf'))).toMatch(/<pdf:Trapped[^>]*>False</);
      expect(xmp(at('m.pdf'))).toMatch(/<pdfx:Costↂ0020Centre[^>]*>Ж 42</);
      expect(await change(at('m.pdf'), at('n.pdf'), NONE)).toMatchObject({ status: 200 });
      expect(run('pdfinfo', '-custom', at('n.pdf'))).not.toMatch(
        /Cost|Department|Keywords|Date|Title|Trapped/,
      );
      expect(xmp(at('n.pdf'))).not.toMatch(/pdfx:|Keywords|dc:subject|CreateDate|ModifyDate|dc:title/);
    },
  );

  it.each([
    ['2024', 'D:2024', '2024'],
    ['2024-05', 'D:202405', '2024-05'],
    ['2024-05-06', 'D:20240506', '2024-05-06'],
    ['2024-05-06T07:08', 'D:20240506070800', '2024-05-06T07:08:00'],
    ['2024-05-06T07:08:09.5-0330', "D:20240506070809-03'30", '2024-05-06T07:08:09-03:30'],
  ])('writes the date %s in PDF as %s and in XMP as %s', async (date, inInfo, inXmp) => {
    const at = workspace();
    await change(textPages(at('a.pdf'), ['one']), at('m.pdf'), { CreationDate: date });
    expect(run('pdfinfo', '-rawdates', at('m.pdf'))).toContain(`  ${inInfo}\n`);
    expect(xmp(at('m.pdf'))).toContain(`>${inXmp}</xmp:CreateDate>`);
  });

  it.each([
    [{ CreationDate: '2023-02-29' }, 'CreationDate'],
    [{ CreationDate: '29.02.2024' }, 'CreationDate'],
    [{ ModDate: '2024-05-06T24:00' }, 'ModDate'],
    [{ ModDate: '2024-05-06T10:00+24:00' }, 'ModDate'],
    [{ ModDate: 'D:20240506' }, 'ModDate'],
    [{ Trapped: 'yes' }, 'Trapped'],
    [{ keywords: 'x' }, 'keywords'],
    [{ '': 'x' }, ''],
    [{ ['x'.repeat(128)]: 'x' }, 'x'],
  ])('refuses %j', async (metadata, key) => {
    const at = workspace();
    const { status, problem } = await change(textPages(at('a.pdf'), ['one']), at('m.pdf'), metadata);
    expect({ status, problem }).toMatchObject({ status: 422, problem: { code: 'invalid_field' } });
    expect(JSON.stringify(problem['errors'])).toContain(`metadata.${key}`);
  });

  it('adds to PDF/A-2 no property of XMP that would need a description (ISO 19005-2, 6.6.2.3)', async () => {
    const at = workspace();
    const claim =
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
      'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="2" pdfaid:conformance="B"/></rdf:RDF>';
    const input = rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
      rawStream('/Type /Metadata /Subtype /XML', claim),
    ]);
    expect(await change(input, at('m.pdf'), ALL)).toMatchObject({ status: 200 });
    expect(run('pdfinfo', '-custom', at('m.pdf'))).toMatch(/Department: +Sales/);
    expect(xmp(at('m.pdf'))).toContain('Öl, gas; water');
    expect(xmp(at('m.pdf'))).not.toMatch(/pdfx|Trapped/);
  });
});
