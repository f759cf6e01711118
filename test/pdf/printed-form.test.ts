import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { conform } from '../../packages/pdf/src/conformance/index.ts';
import { settlePrintedForm } from '../../packages/pdf/src/forms/index.ts';
import { expectSound, run, workspace } from './fixtures.ts';
import { change, fieldsByPikepdf, makeForm } from './form-material.ts';
import { python } from '../support/python.ts';

/** Forms as LibreOffice exports them from office documents. */

const { dist } = await buildFontsLayer('local');
const fontFolder = `${dist}/fonts/files`;

/** Lines of Python that make one field, which readers are asked to draw, what LibreOffice writes for a content control. */
const control = (field: string, { name, title, value }: Record<string, string>): string => `
for field in pdf.Root.AcroForm.Fields:
    if str(field.T) == '${field}':
        field.T = '${name}'
        field.TU = '${title}'
        field.V = '${value}'
        field.AP = Dictionary(N=pdf.make_stream(b'/Tx BMC EMC', Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9]))`;

it('names fields after their controls, each by one name, and leaves names that the author gave', async () => {
  const at = workspace();
  const input = makeForm(at('form.pdf'));
  change(input, control('name', { name: 'Widget', title: 'Full name', value: 'Ada' }));
  change(input, control('auto', { name: '_2', title: 'Full name', value: 'Bob' }));
  change(input, control('secret', { name: '_3', title: 'E.g. this', value: '' }));
  change(input, control('notes', { name: '_4', title: '', value: '' }));
  const output = at('output.pdf');
  const names = await settlePrintedForm({ input: { path: input }, output, fontFolder });
  expectSound(output);
  const fields = fieldsByPikepdf(output);
  expect(fields['Full name']).toMatchObject({ value: 'Ada' });
  expect(fields['Full name 2']).toMatchObject({ value: 'Bob' });
  for (const name of ['E_g_ this', '_4', 'iban']) {
    expect(names).toContain(name);
    expect(Object.keys(fields)).toContain(name);
  }
});

it('draws values in fields as narrow as their text, and does not set NeedAppearances', async () => {
  const at = workspace();
  const input = makeForm(at('form.pdf'));
  change(
    input,
    `${control('notes', { name: 'Widget', title: 'City', value: 'Zoë' })}
        field.DA = '/TiBo 11 Tf 0 g'
        field.Rect = [100, 700, 121, 714.65]
        del field.MK`,
  );
  const output = at('output.pdf');
  await settlePrintedForm({ input: { path: input }, output, fontFolder });
  expect(run('pdftotext', output, '-')).toContain('Zoë');
  expect(run('qpdf', '--qdf', '--object-streams=disable', output, '-')).not.toContain('NeedAppearances');
});

it('finds no fields in a document without a form', async () => {
  const at = workspace();
  const input = makeForm(at('form.pdf'));
  change(input, 'del pdf.Root.AcroForm; del pdf.pages[0].Annots');
  expect(await settlePrintedForm({ input: { path: input }, output: at('output.pdf'), fontFolder })).toEqual(
    [],
  );
});

/** Lines of Python that tag a form as LibreOffice does: an element with content and a widget, and one with content alone. */
const TAGS = `
tree = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
document = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Document, P=tree, K=Array()))
page = pdf.pages[0].obj
def element(*kids):
    made = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Form, P=document, Pg=page, K=Array(kids)))
    document.K.append(made)
    return made
widgets = list(page.Annots)
reference = lambda widget: Dictionary(Type=Name.OBJR, Obj=widget)
shared, printed = element(0, reference(widgets[0]), reference(widgets[1])), element(1)
numbers = Array([0, pdf.make_indirect(Array([shared, printed])), 1, shared, 2, shared])
for widget, key in zip(widgets, [1, 2]): widget.StructParent = key
page.StructParents = 0
page.Contents = pdf.make_stream(b'/Form <</MCID 0>> BDC EMC /Form <</MCID 1>> BDC EMC')
tree.K = document
tree.ParentTree = pdf.make_indirect(Dictionary(Nums=numbers))
tree.ParentTreeNextKey = 3
pdf.Root.StructTreeRoot = tree
pdf.Root.MarkInfo = Dictionary(Marked=True)
pdf.Root.Lang = 'en'`;

/** What pikepdf finds: the types of kids of each Form element, and fields without descriptions. */
const LOOK = `
import sys, json, pikepdf
pdf = pikepdf.open(sys.argv[1])
forms, spans, owners = [], [], True
def walk(node):
    global owners
    if not isinstance(node, pikepdf.Dictionary) or '/S' not in node: return
    kids = list(node.K) if isinstance(node.K, pikepdf.Array) else [node.K]
    if str(node.S) == '/Span': spans.append(len(kids))
    if str(node.S) == '/Form':
        forms.append([str(kid.get('/Type', '')) if isinstance(kid, pikepdf.Dictionary) else 'content' for kid in kids])
        key = int(kids[0].Obj.StructParent)
        nums = list(pdf.Root.StructTreeRoot.ParentTree.Nums)
        owners = owners and nums[nums.index(key, 0) + 1].objgen == node.objgen
    for kid in kids: walk(kid)
walk(pdf.Root.StructTreeRoot.K)
undescribed = [str(f.T) for f in pdf.Root.AcroForm.Fields if '/TU' not in f and '/FT' in f]
print(json.dumps([forms, spans, owners, undescribed]))
`;

it('gives each widget an element of its own, and each field a description, in PDF/UA (ISO 14289-1, 7.18)', async () => {
  const at = workspace();
  const input = makeForm(at('form.pdf'));
  change(input, TAGS);
  const { pdf, violations } = await conform(await readFile(input), {
    levels: ['pdf/ua-1'],
    title: 'x',
    onViolation: 'warn',
  });
  expect(violations).toEqual([]);
  const output = at('output.pdf');
  writeFileSync(output, pdf);
  expectSound(output);
  const [forms, spans, owners, undescribed] = JSON.parse(python(LOOK, output)) as unknown[];
  expect(forms).toEqual(expect.arrayContaining([['/OBJR']]));
  expect((forms as string[][]).every((kids) => kids.join() === '/OBJR')).toBe(true);
  expect(spans).toEqual([3, 1]);
  expect(owners).toBe(true);
  expect(undescribed).toEqual([]);
});
