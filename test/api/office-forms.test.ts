import { expect, test } from 'vitest';
import { docx, odfWith } from '../convert/documents.ts';
import { fieldsByPikepdf } from '../pdf/form-material.ts';
import { type Answer, asFile, call, checkPdf, expectStatus, form, pdfText } from './client.ts';

/** Forms in office documents, whose fields stay fields in the PDF on request (I-48). */

const NAMESPACE = 'xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"';
const CONTROLS = ['name', 'agree', 'colour', 'city'];

/** A text document with a control of each of these kinds, a tag and a word beside them. */
async function odtForm(): Promise<Buffer> {
  const options = ['red', 'green', 'blue'].map((label) => {
    const selected = label === 'green' ? ' form:selected="true" form:current-selected="true"' : '';
    return `<form:option form:label="${label}"${selected}/>`;
  });
  const controls = [
    '<form:text form:name="name" form:id="c0" form:current-value="Zoë Ж"/>',
    '<form:checkbox form:name="agree" form:id="c1" form:label="I agree" form:current-state="checked"/>',
    `<form:listbox form:name="colour" form:id="c2" form:dropdown="true" form:bound-column="1">${options.join('')}</form:listbox>`,
    '<form:combobox form:name="city" form:id="c3" form:dropdown="true" form:current-value="Rome"><form:item form:label="Rome"/></form:combobox>',
  ];
  const shown = controls.map(
    (_, index) =>
      `<text:p>{{ word }} ${index}: <draw:control text:anchor-type="as-char" svg:width="5cm" svg:height="0.8cm" draw:control="c${index}"/></text:p>`,
  );
  const forms = `<office:forms ${NAMESPACE}><form:form form:name="Form">${controls.join('')}</form:form></office:forms>`;
  return await odfWith('odt', forms + shown.join(''), '');
}

const textRun = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

/** A Word document with two content controls and a field of an older release. */
async function wordForm(): Promise<Buffer> {
  const control = (title: string, kind: string, text: string): string =>
    `<w:p>${textRun(`${title}: `)}<w:sdt><w:sdtPr><w:alias w:val="${title}"/>${kind}</w:sdtPr><w:sdtContent>${textRun(text)}</w:sdtContent></w:sdt></w:p>`;
  const legacy =
    '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="Old1"/><w:enabled/><w:textInput/></w:ffData></w:fldChar></w:r>' +
    '<w:r><w:instrText> FORMTEXT </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>' +
    `${textRun('older')}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
  const list = '<w:dropDownList><w:listItem w:displayText="Rome" w:value="r"/></w:dropDownList>';
  return await docx(control('Full name', '<w:text/>', 'Zoë') + control('Town', list, 'Rome') + legacy);
}

async function pdfOf(document: Buffer, format: 'docx' | 'odt', options: object): Promise<Answer> {
  const body = form({
    file_data: [document, `form.${format}`],
    template_data: JSON.stringify({ name: 'Form', format }),
    render_data: JSON.stringify({ word: 'Field' }),
    render_options: JSON.stringify(options),
  });
  return expectStatus(await call('POST', '/v1/render/pdf', { body }), 200);
}

function fieldsOf({ bytes }: Pick<Answer, 'bytes'>): ReturnType<typeof fieldsByPikepdf> {
  return asFile(bytes, (path) => fieldsByPikepdf(path));
}

test('without the option, a form becomes a PDF that shows its values and has no fields', async () => {
  const answer = await pdfOf(await odtForm(), 'odt', {});
  expect(fieldsOf(answer)).toEqual({});
  for (const shown of ['Field 0', 'Zoë Ж', 'I agree', 'green', 'Rome'])
    expect(pdfText(answer.bytes)).toContain(shown);
});

test('with form_fields the fields of an odt are in the PDF, with their kinds, names and values, and are drawn', async () => {
  const { bytes, headers } = await pdfOf(await odtForm(), 'odt', { form_fields: true });
  checkPdf(bytes);
  expect(headers.get('warning')).toBeNull();
  const fields = fieldsOf({ bytes });
  expect(Object.keys(fields).toSorted()).toEqual(CONTROLS.toSorted());
  expect(fields['name']).toMatchObject({ type: '/Tx', value: 'Zoë Ж' });
  expect(fields['agree']).toMatchObject({ type: '/Btn', value: '/Yes' });
  expect(fields['colour']).toMatchObject({ type: '/Ch', value: 'green' });
  // Readers are not asked to draw them: the appearances are there, in fonts that the file embeds.
  for (const shown of ['Field 3', 'Zoë Ж', 'green', 'Rome']) expect(pdfText(bytes)).toContain(shown);
  const filled = await call('POST', '/v1/pdf/form/fill', {
    body: form({ file: [bytes, 'form.pdf'], data: JSON.stringify({ name: 'Łukasz', colour: 'blue' }) }),
  });
  expect(fieldsOf(expectStatus(filled, 200))).toMatchObject({
    name: { value: 'Łukasz' },
    colour: { value: 'blue' },
    city: { value: 'Rome' },
  });
  for (const shown of ['Łukasz', 'blue', 'Rome']) expect(pdfText(filled.bytes)).toContain(shown);
});

test.each([
  // The standard font of the fields is replaced by one that is embedded.
  [
    'PDF/A and PDF/UA',
    { conformance: ['pdf/a-3a', 'pdf/ua-1'], language: 'en' },
    /^[^,]*Helvetica by Arimo"$/,
  ],
  [
    'steps and compression',
    { steps: [{ page_numbers: {} }, { stamp: { text: 'Draft' } }], compress: true },
    /^$/,
  ],
  ['page ranges', { page_range: '1' }, /^$/],
])('fields and their values are kept by %s', async (_, options, warning) => {
  const { bytes, headers } = await pdfOf(await odtForm(), 'odt', { form_fields: true, ...options });
  expect(headers.get('warning') ?? '').toMatch(warning);
  const fields = fieldsOf({ bytes });
  expect(Object.keys(fields).toSorted()).toEqual(CONTROLS.toSorted());
  for (const shown of ['Zoë Ж', 'green', 'Rome']) expect(pdfText(bytes)).toContain(shown);
});

test('flattened fields are a part of the page, which can be PDF/A and PDF/UA', async () => {
  const claims = { conformance: ['pdf/a-3a', 'pdf/ua-1'], language: 'en' };
  const steps = [{ flatten: {} }];
  const answer = await pdfOf(await odtForm(), 'odt', { form_fields: true, steps, ...claims });
  expect(answer.headers.get('warning')).toBeNull();
  expect(fieldsOf(answer)).toEqual({});
  for (const shown of ['Zoë Ж', 'green', 'Rome']) expect(pdfText(answer.bytes)).toContain(shown);
});

test('controls that LibreOffice does not export as fields are named in a Warning, and shown', async () => {
  const answer = await pdfOf(await wordForm(), 'docx', { form_fields: true });
  const warning = answer.headers.get('warning') ?? '';
  expect(warning).toContain('form_fields');
  expect(warning).toContain('Old1');
  // LibreOffice 25.2 exports content controls as fields, and 7.4 does not.
  const names = Object.keys(fieldsOf(answer));
  for (const title of ['Full name', 'Town'])
    expect(names.includes(title) ? !warning.includes(title) : warning.includes(title)).toBe(true);
  for (const shown of ['Zoë', 'Rome', 'older']) expect(pdfText(answer.bytes)).toContain(shown);
  const without = await pdfOf(await wordForm(), 'docx', {});
  expect(without.headers.get('warning')).toBeNull();
  expect(fieldsOf(without)).toEqual({});
});
