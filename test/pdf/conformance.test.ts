import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { withAlternateText } from '../../packages/pdf/src/conformance/alternate-text.ts';
import { conform } from '../../packages/pdf/src/conformance/index.ts';
import { openPdf } from '../../packages/pdf/src/model/index.ts';
import { pagePixels, plainPdf } from '../conformance/look.ts';
import { change, fieldsByPikepdf, makeForm } from './form-material.ts';
import { isRef, type PdfValue } from '../../packages/pdf/src/model/values.ts';
import { expectSound, rawPdf, rawStream, run, workspace } from './fixtures.ts';
import { python } from '../support/python.ts';

const { dist } = await buildFontsLayer();
const FONTS = join(dist, 'fonts', 'files');

/** What conformance repairs (I-43). `npm run verify -- conformance` has veraPDF judge a whole corpus. */

/** A document of one page with a paragraph of a type, and what the types of its tags stand for. */
function tagged(type: string, roles: string, untagged = '', trailer = ''): Buffer {
  const path = rawPdf(
    workspace()('tagged.pdf'),
    [
      '<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R /MarkInfo << /Marked true >> /Lang (en) >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /StructParents 0 /Contents 7 0 R >>',
      `<< /Type /StructTreeRoot /K 5 0 R /ParentTree 6 0 R /RoleMap << ${roles} >> >>`,
      `<< /Type /StructElem /S /${type} /P 4 0 R /Pg 3 0 R /K 0 >>`,
      '<< /Nums [0 [5 0 R]] >>',
      rawStream('', `/${type} << /MCID 0 >> BDC 9 9 9 9 re f EMC ${untagged}`),
    ],
    trailer,
  );
  return readFileSync(path);
}

async function rolesOf(pdf: Buffer): Promise<unknown> {
  const conformed = await conform(pdf, { levels: ['pdf/a-2a', 'pdf/ua-1'], title: 'x' });
  const path = workspace()('conformed.pdf');
  writeFileSync(path, conformed.pdf);
  expectSound(path);
  const file = await openPdf(conformed.pdf);
  return file.dict(file.dict(file.catalog['/StructTreeRoot'])['/RoleMap']);
}

it('removes mappings of standard types to themselves, which LibreOffice writes (ISO 14289-1, 7.1)', async () => {
  expect(await rolesOf(tagged('H1', '/H1 /H1 /Document /Document /Standard /P'))).toEqual({
    '/Standard': '/P',
  });
  expect(await rolesOf(tagged('P', '/P /Span'))).toEqual({});
});

it('breaks circular mappings (ISO 14289-1, 7.1)', async () => {
  expect(await rolesOf(tagged('One', '/One /Two /Two /One'))).toEqual({
    '/One': '/NonStruct',
    '/Two': '/One',
  });
});

it('names text of LibreOffice that is in no tag, which is content and nothing that repeats on the pages', async () => {
  const report = async (producer: string): Promise<unknown> => {
    const shown = 'BT /F 9 Tf (cell) Tj 3 0 Td (cell) Tj ET BT (cell) Tj ET';
    const pdf = tagged('P', '', shown, `/Info << /Producer (${producer}) >>`);
    const { violations } = await conform(pdf, { levels: ['pdf/ua-1'], title: 'x', onViolation: 'warn' });
    return violations.filter(({ detail }) => detail.startsWith('Text is not tagged'));
  };
  expect(await report('LibreOffice 7.4')).toMatchObject([
    { rule: 'ISO 14289-1, 7.1', page: 1, element: null },
  ]);
  expect(await report('Skia/PDF m153')).toEqual([]);
});

/** A document of one page with an annotation, which is a field of its form too. */
function annotated(annotation: string, more: readonly string[] = []): Buffer {
  const path = rawPdf(workspace()('annotated.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] /SigFlags 3 >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Annots [4 0 R] >>',
    `<< /Type /Annot /Rect [0 0 0 0] /F 4 ${annotation} >>`,
    ...more,
  ]);
  return readFileSync(path);
}

it('names annotations of an unknown type (ISO 19005-2, 6.3.1)', async () => {
  const rulesOf = async (type: string): Promise<unknown> =>
    (await conform(annotated(type), { levels: ['pdf/a-2b'], onViolation: 'warn' })).violations;
  const wrong = { rule: 'ISO 19005-2, 6.3.1', page: 1 };
  expect(await rulesOf('/Subtype /Wodget')).toMatchObject([{ ...wrong, element: 'annotation Wodget 1' }]);
  expect(await rulesOf('')).toMatchObject([wrong]);
  expect(await rulesOf('/Subtype /Square')).toEqual([]);
});

it('adds an empty content to states of a button without one (ISO 19005-2, 6.3.3)', async () => {
  const statesOf = async (states: string): Promise<unknown> => {
    const button = `/Subtype /Widget /FT /Btn /T (box) /AS /Off /AP << /N ${states} >>`;
    const form = rawStream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', '');
    const { pdf } = await conform(annotated(button, [form]), { levels: ['pdf/a-2b'] });
    const file = await openPdf(pdf);
    const [page = {}] = file.pageDicts();
    const found = file.dict(file.dict(file.dict(file.array(page['/Annots'])[0])['/AP'])['/N']);
    const isForm = (value: PdfValue): boolean => isRef(value) && file.get(value)?.stream !== undefined;
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, isForm(value)]));
  };
  expect(await statesOf('<< /Off 5 0 R /Yes << /Type /XObject >> /No 7 >>')).toEqual({
    '/Off': true,
    '/Yes': true,
    '/No': true,
  });
  expect(await statesOf('<< >>')).toEqual({ '/Off': true });
  expect(await statesOf('7')).toEqual({ '/Off': true });
});

it('ends at a cycle among the parents of a field (ISO 32000-1, 12.7.3.1)', async () => {
  const parents = [
    '<< /FT /Tx /T (a) /Kids [4 0 R] /Parent 6 0 R >>',
    '<< /T (b) /Kids [5 0 R] /Parent 5 0 R >>',
  ];
  const { pdf } = await conform(annotated('/Subtype /Widget /Parent 5 0 R', parents), {
    levels: ['pdf/a-2b'],
  });
  const file = await openPdf(pdf);
  const [page = {}] = file.pageDicts();
  const way: PdfValue[] = [];
  let [at = null] = file.array(page['/Annots']);
  for (; isRef(at) && way.length < 10; at = file.dict(at)['/Parent'] ?? null)
    way.push(file.dict(at)['/T'] ?? null);
  expect(way).toEqual([null, 'u:a', 'u:b']);
});

it('checks the fonts of each state of a button (ISO 19005-2, 6.2.11.4.1)', async () => {
  const states = '<< /Off 5 0 R /Yes 6 0 R >>';
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>';
  const form = `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F ${font} >> >>`;
  const box = annotated(`/Subtype /Widget /FT /Btn /T (box) /AS /Off /AP << /N ${states} >>`, [
    rawStream(form, ''),
    rawStream(form, 'BT /F 9 Tf (4) Tj ET'),
  ]);
  const { violations } = await conform(box, { levels: ['pdf/a-2b'], onViolation: 'warn' });
  expect(violations).toMatchObject([{ rule: 'ISO 19005-2, 6.2.11.4.1', page: 1 }]);
});

it('names unknown operators (ISO 19005-2, 6.2.2)', async () => {
  const rules = async (content: string): Promise<unknown> =>
    (await conform(tagged('P', '', content), { levels: ['pdf/a-2b'], onViolation: 'warn' })).violations;
  expect(await rules('q 1 0 0 1 0 0 cm 0 0 9 9 re W* n [] 0 d 1 w Q BX D. EX')).toMatchObject([
    { rule: 'ISO 19005-2, 6.2.2', page: 1 },
  ]);
  const all = `q 1 w 1 J 1 j 9 M [] 0 d 0 i /P MP /P /Q DP 1 1 m 2 2 l 3 3 4 4 5 5 c 3 3 4 4 v 3 3 4 4 y h b*
    BI /W 1 /H 1 /BPC 8 /CS /G ID x EI BT 0 Tc 0 Tw 100 Tz 9 TL 0 Tr 0 Ts 1 0 0 1 0 0 Tm 1 1 Td 1 1 TD T* ET
    0 g 0 G 0 0 0 rg 0 0 0 RG /DeviceGray cs 0 sc 0 scn /DeviceGray CS 0 SC 0 SCN Q`;
  expect(await rules(all)).toEqual([]);
});

it('names streams with an unknown filter (ISO 19005-2, 6.1.7.2)', async () => {
  const packed = (filter: string): Buffer =>
    annotated('/Subtype /Square /AP << /N 5 0 R >>', [
      rawStream(`/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Filter ${filter}`, ''),
    ]);
  const rules = async (filter: string): Promise<unknown> =>
    (await conform(packed(filter), { levels: ['pdf/a-2b'], onViolation: 'warn' })).violations;
  expect(await rules('/Flatejecode')).toMatchObject([{ rule: 'ISO 19005-2, 6.1.7.2' }]);
  expect(await rules('[/FlateDecode /Fl]')).toMatchObject([{ rule: 'ISO 19005-2, 6.1.7.2' }]);
  expect(await rules('/FlateDecode')).toEqual([]);
});

it('claims nothing for a document with a signature, which the change would break (ISO 19005-2, 6.4.3)', async () => {
  const signature = '<< /Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 10 20 30] /Contents <00> >>';
  const pdf = annotated('/Subtype /Widget /FT /Sig /T (seal) /V 5 0 R', [signature]);
  const options = { levels: ['pdf/a-3b'], onViolation: 'warn' } as const;
  const { pdf: kept, violations } = await conform(pdf, options);
  expect(violations).toMatchObject([{ rule: 'ISO 19005-3, 6.4.3', page: 1, element: 'field seal' }]);
  expect(plainPdf(kept)).toContain('/ByteRange');
  const broken = await conform(pdf, { ...options, breakSignatures: true });
  expect(broken.violations).toEqual([]);
  expect(plainPdf(broken.pdf)).not.toMatch(/\/ByteRange|\/SigFlags/);
  expect(plainPdf(broken.pdf)).toContain('/T (seal)');
});

it('sets the parent of structure elements (ISO 14289-1, 7.1)', async () => {
  const damaged = Buffer.from(tagged('P', '').toString('latin1').replace('/P 4 0 R', '/P 4     '), 'latin1');
  const { pdf } = await conform(damaged, { levels: ['pdf/ua-1'], title: 'x' });
  const file = await openPdf(pdf);
  const { '/StructTreeRoot': root } = file.catalog;
  const [paragraph = null] = [file.dict(root)['/K'] ?? null].flat();
  expect(file.dict(paragraph)).toMatchObject({ '/S': '/P', '/P': root });
});

describe('the XMP packet of a document (ISO 19005-2, 6.6.4)', () => {
  const packetAfter = async (packet: string): Promise<string> => {
    const path = rawPdf(workspace()('described.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
      rawStream('/Type /Metadata /Subtype /XML', packet),
    ]);
    const file = await openPdf((await conform(readFileSync(path), { levels: ['pdf/a-3b'] })).pdf);
    const { '/Metadata': ref } = file.catalog;
    return Buffer.from((isRef(ref) ? file.streamData(ref)?.data : undefined) ?? []).toString();
  };
  const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

  it.each([
    ['has nothing in it', `<rdf:RDF xmlns:rdf="${rdf}"/>`],
    ['names the elements of RDF by another prefix', `<r:RDF xmlns:r="${rdf}"><r:Description/></r:RDF>`],
    ['cannot be read', '<x:xmpmeta><rdf:RDF'],
  ])('claims the level where the one before %s', async (_, before) => {
    const packet = await packetAfter(before);
    expect(packet).toContain('<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>');
    expect(packet.match(/<\w+:RDF[ >]/g)).toHaveLength(1);
  });
});

const APPEARANCES = `
import sys, json, pikepdf
pdf = pikepdf.open(sys.argv[1])
found = []
for widget in pdf.pages[0].Annots:
    normal = widget.AP.N if '/AP' in widget and '/N' in widget.AP else None
    kind = widget.get('/FT', widget.get('/Parent', {}).get('/FT'))
    found.append([str(kind), 'none' if normal is None else 'stream' if isinstance(normal, pikepdf.Stream) else 'states'])
print(json.dumps(found))
`;

describe('fields of a form', () => {
  it('get the appearance that they lack, of the kind that their type has (ISO 19005-2, 6.3.3)', async () => {
    const at = workspace();
    makeForm(at('form.pdf'));
    // A push button with one appearance, and a text with one for each of its states.
    change(
      at('form.pdf'),
      `form = {str(f.T): f for f in pdf.Root.AcroForm.Fields}
one = lambda: pdf.make_stream(b'', Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9])
form['photo'].AP = Dictionary(N=one())
form['turned'].AP = Dictionary(N=Dictionary(Off=one()))
form['name'].V = String('Ada äöü')
form['bare'].V = Name.Yes`,
    );
    const options = { levels: ['pdf/a-2b'], title: 'x' } as const;
    const { pdf } = await conform(readFileSync(at('form.pdf')), { ...options, fonts: FONTS });
    writeFileSync(at('conformed.pdf'), pdf);
    expectSound(at('conformed.pdf'));
    const found = JSON.parse(python(APPEARANCES, at('conformed.pdf'))) as [string, string][];
    expect(found.length).toBeGreaterThan(15);
    for (const [type, looks] of found) expect(looks, type).toBe(type === '/Btn' ? 'states' : 'stream');
    expect(run('pdftotext', at('conformed.pdf'), '-')).toContain('Ada äöü');
    expect(fieldsByPikepdf(at('conformed.pdf'))['bare']?.states).toEqual(['/Yes']);
  });

  it('are named where they cannot be drawn', async () => {
    const at = workspace();
    makeForm(at('form.pdf'));
    change(
      at('form.pdf'),
      `for f in pdf.Root.AcroForm.Fields:
    if str(f.T) == 'notes': f.V = String(chr(0x10fffd))`,
    );
    const options = { levels: ['pdf/a-2b'], title: 'x', onViolation: 'warn' } as const;
    const form = readFileSync(at('form.pdf'));
    const { violations } = await conform(form, { ...options, fonts: FONTS });
    expect(violations).toMatchObject([{ rule: 'ISO 19005-2, 6.3.3', page: 1, element: 'field notes' }]);
    const without = await conform(form, options);
    expect(without.violations.length).toBeGreaterThan(10);
  });
});

it('adds a tag with an alternate text to pages that are pictures (ISO 14289-1, 7.3)', async () => {
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents';
  const path = rawPdf(workspace()('plain.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    `${page} 5 0 R >>`,
    `${page} [5 0 R 5 0 R] >>`,
    rawStream('', '1 0 0 rg 9 9 50 50 re f'),
  ]);
  const tags = { levels: ['pdf/a-3a', 'pdf/ua-1'], title: 'x', language: 'de' } as const;
  const { pdf } = await conform(await withAlternateText(readFileSync(path), 'Ein Quadrat'), tags);
  const saved = workspace()('conformed.pdf');
  writeFileSync(saved, pdf);
  expectSound(saved);
  expect(run('pdfinfo', '-struct', saved).trim().split(/\s+/)).toEqual(['Document', 'Figure', 'Figure']);
  expect(plainPdf(pdf).match(/\/Alt \(Ein Quadrat\)/g)).toHaveLength(2);
  expect(pagePixels(pdf)).toEqual(pagePixels(readFileSync(path)));
  await expect(conform(readFileSync(path), tags)).rejects.toMatchObject({ code: 'not_conformant' });
});
