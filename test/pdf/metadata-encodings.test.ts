import { expect, it } from 'vitest';
import { editPdfMetadata } from '../../packages/pdf/src/operations/metadata.ts';
import { pdfInfo } from '../../packages/pdf/src/look/index.ts';
import { expectSound, rawPdf, rawStream, run, workspace } from './fixtures.ts';

const PACKET = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:own="http://own.test/" own:note="gr\u00fcn &amp; \u20ac">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old</rdf:li><rdf:li xml:lang="de">Alt</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

const ENCODINGS: [string, (text: string) => Buffer][] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16BE', (text) => Buffer.from(text, 'utf16le').swap16()],
  ['UTF-16LE', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16BE with a byte order mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  [
    'UTF-16LE with a declaration',
    (text) => Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${text}`, 'utf16le'),
  ],
  ['Windows-1252', (text) => Buffer.from(text.replace('\ufeff', '').replace('\u20ac', '\x80'), 'latin1')],
];

it.each(ENCODINGS)('XMP in %s is read, and kept when metadata is set', async (_, encode) => {
  const at = workspace();
  const data = encode(PACKET);
  const path = rawPdf(at('a.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 99 99] >>',
    '<< /Type /Page /Parent 2 0 R >>',
    rawStream('/Type /Metadata /Subtype /XML', data.toString('latin1')),
  ]);
  expect((await pdfInfo({ path })).xmp).toContain('own:note="gr\u00fcn &amp; \u20ac"');
  await editPdfMetadata({ path }, at('m.pdf'), { Subject: 'new' });
  // qpdf does the same for files that are protected.
  run('qpdf', '--encrypt', '', 'owner', '256', '--', path, at('d.pdf'));
  await editPdfMetadata({ path: at('d.pdf') }, at('n.pdf'), { Subject: 'new' });
  for (const output of [at('m.pdf'), at('n.pdf')]) {
    expectSound(output);
    const xmp = run('pdfinfo', '-meta', output);
    expect(xmp).toContain('gr\u00fcn &amp; \u20ac');
    expect(xmp).toContain('<rdf:li xml:lang="de">Alt</rdf:li>');
    expect(xmp).toContain('>new<');
    expect(xmp).not.toContain('UTF-16');
  }
});
