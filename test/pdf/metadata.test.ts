import { describe, expect, it } from 'vitest';
import { editPdfMetadata } from '../../packages/pdf/src/operations/metadata.ts';
import type { MetadataValues } from '../../packages/pdf/src/metadata-values.ts';
import type { PdfNote } from '../../packages/pdf/src/notes.ts';
import type { Step } from '../../packages/pdf/src/steps/index.ts';
import { runSteps } from '../../packages/pdf/src/steps/run.ts';
import { editXmp } from '../../packages/pdf/src/operations/xmp.ts';
import { describePdf } from './describe.ts';
import {
  expectSound,
  noEngine,
  pageTexts,
  rawPdf,
  rawStream,
  run,
  textPages,
  workspace,
} from './fixtures.ts';
import { richPdf } from './rich.ts';

/** Describes a sound document, for which qpdf is not needed. */
async function described(
  at: (name: string) => string,
  path: string,
  options: MetadataValues,
): Promise<PdfNote[]> {
  const steps: Step[] = [{ name: 'metadata', options }];
  const task = { inputs: [{ path }], output: at('m.pdf'), steps, now: '2026-01-02T03:04:05Z' };
  const rest = { breakSignatures: false, place: null, fonts: null };
  return (await runSteps(noEngine(at), { ...task, ...rest })).notes;
}

const ALL = {
  '/Title': 'Tïtle €uro <&> 日本',
  Author: 'Ann "A" O’Neill',
  Subject: 'Sub',
  '/Producer': 'Prod',
  Creator: 'Cr',
};

/** Info as poppler reads it. */
function info(path: string, password?: string): Record<string, string> {
  const text = run('pdfinfo', ...(password === undefined ? [] : ['-upw', password]), path);
  return Object.fromEntries(
    [...text.matchAll(/^(\w+): +(.*)$/gm)].map(([, key = '', value = '']) => [key, value]),
  );
}

describe('metadata (I-31)', () => {
  it.each([
    ['Ghostscript', (path: string) => textPages(path, ['one'])],
    ['hand, without Info and XMP', bare],
    ['hand, with Info and XMP', (path: string) => richPdf(path, 'alpha')],
  ])('is set in Info and in XMP of a file written by %s', async (_by, write) => {
    const at = workspace();
    const path = write(at('a.pdf'));
    await editPdfMetadata({ path }, at('m.pdf'), ALL);
    expectSound(at('m.pdf'));
    expect(info(at('m.pdf'))).toMatchObject({
      Title: ALL['/Title'],
      Author: ALL.Author,
      Subject: 'Sub',
      Producer: 'Prod',
      Creator: 'Cr',
    });
    const xmp = run('pdfinfo', '-meta', at('m.pdf'));
    expect(xmp).toContain('<rdf:li xml:lang="x-default">Tïtle €uro &lt;&amp;&gt; 日本</rdf:li>');
    expect(xmp).toMatch(
      /<dc:creator[^>]*><rdf:Seq><rdf:li>Ann "A" O’Neill<\/rdf:li><\/rdf:Seq><\/dc:creator>/,
    );
    expect(xmp).toContain('>Prod</pdf:Producer>');
    expect(xmp).toContain('>Cr</xmp:CreatorTool>');
    expect(xmp.match(/x-default">/g)).toHaveLength(2);
  });

  it('removes a key by null or an empty text, and leaves the others', async () => {
    const at = workspace();
    await editPdfMetadata({ path: richPdf(at('a.pdf'), 'alpha') }, at('m.pdf'), { Title: null, Subject: '' });
    expect(info(at('m.pdf'))).toMatchObject({ Author: 'alpha author' });
    expect(info(at('m.pdf'))).not.toHaveProperty('Title');
    expect(run('pdfinfo', '-meta', at('m.pdf'))).not.toContain('alpha title');
  });

  it('is set in XMP alone where a document claims PDF/A-4, whose Info has no more than a time (ISO 19005-4, 6.1.3)', async () => {
    const at = workspace();
    const claim =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
      'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="4" pdfaid:rev="2020"/></rdf:RDF></x:xmpmeta>';
    const path = rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
      rawStream('/Type /Metadata /Subtype /XML', claim),
    ]);
    await editPdfMetadata({ path }, at('m.pdf'), { Title: 'Neü' });
    expectSound(at('m.pdf'));
    expect(run('qpdf', '--show-object=trailer', at('m.pdf'))).not.toContain('/Info');
    expect(run('pdfinfo', '-meta', at('m.pdf'))).toContain('x-default">Neü<');
  });

  it('changes no other key', async () => {
    const at = workspace();
    const path = richPdf(at('a.pdf'), 'alpha');
    await editPdfMetadata({ path }, at('m.pdf'), { Title: 'New' });
    const same = { title: '', xmp: '', catalog: {} };
    expect({ ...describePdf(at('m.pdf')), ...same }).toEqual({ ...describePdf(path), ...same });
  });

  it.each([[], ['--encrypt', '', 'owner', '256', '--']])(
    'sets them if Info and catalog are in an object stream, too (ISO 32000-1, 7.5.7) %j',
    async (...protection) => {
      const at = workspace();
      run(
        'qpdf',
        textPages(at('a.pdf'), ['one']),
        ...protection,
        '--object-streams=generate',
        at('packed.pdf'),
      );
      await editPdfMetadata({ path: at('packed.pdf') }, at('m.pdf'), { Title: 'New', Author: 'Ada' });
      expect(info(at('m.pdf'))).toMatchObject({ Title: 'New', Author: 'Ada' });
      expect(run('pdfinfo', '-meta', at('m.pdf'))).toMatch(/New[^]*Ada|Ada[^]*New/);
      expect(pageTexts(at('m.pdf'))).toEqual(['one']);
      expectSound(at('m.pdf'));
    },
  );

  it('keeps a protected document protected', async () => {
    const at = workspace();
    const path = textPages(at('a.pdf'), ['one']);
    run('qpdf', path, '--encrypt', 'user', 'owner', '256', '--modify=none', '--', at('e.pdf'));
    await editPdfMetadata({ path: at('e.pdf'), password: 'user' }, at('m.pdf'), { Title: 'Secret' });
    expect(info(at('m.pdf'), 'user')['Title']).toBe('Secret');
    expect(pageTexts(at('m.pdf'), 'user')).toEqual(['one']);
    expect(() => run('pdfinfo', at('m.pdf'))).toThrow('Incorrect password');
    expectSound(at('m.pdf'), 'owner');
  });

  it('is set in a sound document in one read and one write, without qpdf (decision 0058)', async () => {
    const at = workspace();
    const path = richPdf(at('a.pdf'), 'alpha');
    await described(at, path, { Title: 'New' });
    expectSound(at('m.pdf'));
    expect(info(at('m.pdf'))).toMatchObject({ Title: 'New', Author: 'alpha author' });
  });

  it.each([
    ['/Lang (en)', { Title: 'New', Subject: 'S' }, null],
    ['/Lang (en)', { Title: null }, '7.1'],
    ['/Lang (en)', { Subject: null, Author: null }, null],
    // XMP leaves the language of a text to the document.
    ['', { Title: 'New' }, '7.2'],
    ['', { Subject: 'S' }, '7.2'],
    ['', { Subject: null, Author: 'A', Producer: 'P' }, null],
  ])('keep PDF/UA if it still holds: %s %j (ISO 14289-1, 7.1 and 7.2)', async (language, values, clause) => {
    const at = workspace();
    const claim = (prefix: string, text: string): string =>
      `<rdf:Description xmlns:${prefix}="http://www.aiim.org/${prefix.slice(0, -2)}/ns/id/">${text}</rdf:Description>`;
    const claims =
      claim('pdfuaid', '<pdfuaid:part>1</pdfuaid:part>') +
      claim('pdfaid', '<pdfaid:part>2</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>');
    const packet = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${claims}</rdf:RDF>`;
    const path = rawPdf(at('a.pdf'), [
      `<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R ${language} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
      rawStream('/Type /Metadata /Subtype /XML', packet),
    ]);
    const notes = await described(at, path, values);
    const found = run('pdfinfo', '-meta', at('m.pdf'));
    expect(found).toContain('<pdfaid:part>2<');
    expect(found.includes('<pdfuaid:part>1<')).toBe(clause === null);
    const note = { claimed: ['pdf/a-2a', 'pdf/ua-1'], now: ['pdf/a-2a'] };
    expect(notes).toMatchObject(clause === null ? [] : [note]);
    expect(JSON.stringify(notes)).toContain(clause === null ? '' : `ISO 14289-1, ${clause}:`);
  });

  it('replace a packet that cannot be decoded', async () => {
    const at = workspace();
    const path = rawPdf(at('a.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>',
      '<< /Type /Metadata /Subtype /XML /Filter /FlateDecode /Length 4 >>\nstream\nnone\nendstream',
    ]);
    await editPdfMetadata({ path }, at('m.pdf'), { Title: 'New' });
    expect(run('pdfinfo', '-meta', at('m.pdf'))).toContain('New');
    expectSound(at('m.pdf'));
  });
});

describe('XMP', () => {
  const packet = (body: string): string =>
    `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${body}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

  it('keeps the claim of PDF/A', () => {
    const before = packet(
      '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="2" pdfaid:conformance="B"/>',
    );
    const after = editXmp(before, { Title: 'New' });
    expect(after).toContain('pdfaid:part="2"');
    expect(after).toContain('>New</rdf:li>');
  });

  it('replaces a property with any prefix, as an element or an attribute', () => {
    const before = packet(
      `<rdf:Description rdf:about="" xmlns:p="http://ns.adobe.com/pdf/1.3/" p:Producer="Old one" p:Keywords="kept"/>
       <rdf:Description rdf:about="" xmlns:d="http://purl.org/dc/elements/1.1/"><d:title><rdf:Alt><rdf:li xml:lang="de">Alt</rdf:li></rdf:Alt></d:title></rdf:Description>`,
    );
    const after = editXmp(before, { Producer: 'New', Title: 'New title' });
    expect(after).not.toMatch(/Old one|Alt<\/rdf:li>/);
    expect(after).toContain('p:Keywords="kept"');
    expect(after.match(/New/g)).toHaveLength(2);
  });

  it('writes a new packet where the old one is no XML, or expands without end', () => {
    const laughs = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${[...'bcdefgh'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefg'[at]};`.repeat(10)}">`).join('')}]>${packet('<rdf:Description rdf:about="">&h;</rdf:Description>')}`;
    for (const before of ['<not xml', '', laughs]) {
      const after = editXmp(before, { Title: 'New' });
      expect(after).toContain('New');
      expect(after.length).toBeLessThan(10_000);
    }
  });
});

function bare(path: string): string {
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>';
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    page,
  ]);
}
