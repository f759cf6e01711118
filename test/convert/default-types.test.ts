import { afterAll, beforeAll, expect, it } from 'vitest';
import { pdfText } from '../chrome/pdf.ts';
import { docx, p, unzip, zip } from '../office/build.ts';
import { fill } from '../office/fill.ts';
import { pptx } from '../office/pptx.ts';
import { xlsx } from '../office/xlsx.ts';
import { startOffice, type TestOffice } from './support.ts';

/** Documents of programs, such as ClosedXML, that state the type of the main part for all files of its extension. */

let started: TestOffice;
beforeAll(() => {
  started = startOffice();
});
afterAll(() => started.close());

const TEMPLATES = {
  docx: () => docx(p('Sum {{ n }}')),
  xlsx: () => xlsx([{ name: 'A', rows: [['Sum {{ n }}', '=SUM(1,2)']] }]),
  pptx: () => pptx([{ shapes: ['Sum {{ n }}'] }]),
};

/** The document with the type of its main part as the type of all files of XML without one. */
async function withDefaultType(bytes: Uint8Array): Promise<Buffer> {
  const parts = Object.fromEntries(await unzip(bytes));
  const types = parts['[Content_Types].xml']?.toString() ?? '';
  const [main = '', type = ''] =
    /<Override PartName="[^"]*" ContentType="([^"]*\.main\+xml)"\/>/.exec(types) ?? [];
  const changed = types.replace(main, '').replace('ContentType="application/xml"', `ContentType="${type}"`);
  expect(changed).toContain(`Extension="xml" ContentType="${type}"`);
  return await zip({ ...parts, '[Content_Types].xml': changed });
}

it.each(['docx', 'xlsx', 'pptx'] as const)('a %s is filled and printed', async (format) => {
  const template = await withDefaultType(await TEMPLATES[format]());
  const document = await fill(template, { n: 42 }, { format });
  const pdf = await started.office.convert({
    document,
    from: format,
    to: 'pdf',
    title: null,
    timeout: 120_000,
  });
  expect(pdfText(pdf)).toContain('Sum 42');
});
