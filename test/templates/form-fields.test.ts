import { expect, it } from 'vitest';
import { formSchema } from '../../functions/templates/form-fields.ts';
import { PDFDocument } from 'pdf-lib';

it('returns fields with hostile names or JavaScript keywords unchanged (I-48)', async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  const deep = Array.from({ length: 60 }, () => 'a').join('.');
  for (const name of ['__proto__.x', 'constructor', deep])
    document.getForm().createTextField(name).addToPage(page);
  const { properties } = await formSchema(await document.save());
  expect(Object.entries(properties as object)).toEqual([
    ['__proto__', { type: 'object', properties: { x: { type: 'string' } } }],
    ['constructor', { type: 'string' }],
    [deep, { type: 'string' }],
  ]);
});
