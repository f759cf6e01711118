import { expect, it } from 'vitest';
import { formControls } from '../../packages/office/src/form-controls.ts';
import { docx, odfWith, xlsx } from '../convert/documents.ts';

/** The names of form controls in office documents. */

const sdt = (properties: string): string => `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent/></w:sdt>`;

it('finds content controls that can be filled, old fields and ActiveX in Word documents', async () => {
  const body = [
    sdt('<w:alias w:val="A &amp; B"/><w:tag w:val="tag"/><w:text/>'),
    sdt('<w:tag w:val="only tag"/><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox>'),
    sdt('<w:alias w:val="Rich"/>'),
    sdt('<w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'),
    sdt('<w:date/>'),
    '<w:p><w:ffData><w:name w:val="Text1"/><w:textInput/></w:ffData></w:p>',
    '<w:control r:id="rId1" w:name="Box1" w:shapeid="s"/>',
  ].join('');
  const found = await formControls(await docx(`<w:p/>${body}`));
  expect(found).toEqual(['A & B', 'only tag', 'w:sdtPr', 'Text1', 'Box1']);
});

it('finds the controls of OpenDocument files and of Excel', async () => {
  const forms =
    '<office:forms><form:form form:name="Form"><form:text form:id="c" form:name="name"/>' +
    '<form:listbox form:name="list"><form:option form:label="x"/></form:listbox></form:form></office:forms>';
  const odf = forms.replace(
    '<office:forms>',
    '<office:forms xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0">',
  );
  expect(await formControls(await odfWith('odt', odf, ''))).toEqual(['name', 'list']);
  const controls =
    '<controls><control shapeId="1025" r:id="rId4" name="Check Box 1"><controlPr/></control></controls>';
  expect(await formControls(await xlsx('', controls))).toEqual(['Check Box 1']);
});

it('reads elements without an end in linear time', async () => {
  const open = '<w:sdtPr>'.repeat(200_000);
  expect(await formControls(await docx(`<w:p/>${open}`))).toEqual([]);
});
