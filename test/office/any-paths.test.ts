import { expect, it } from 'vitest';
import { formControls } from '../../packages/office/src/form-controls.ts';
import { namedFonts } from '../../packages/office/src/named-fonts.ts';
import { printedText } from '../../packages/office/src/printed-text.ts';
import { docx, p, png, unzip, zip } from './build.ts';
import { fill } from './fill.ts';
import { ap, pptx } from './pptx.ts';
import { xlsx } from './xlsx.ts';

/** Parts of OOXML files lie anywhere: relationships lead to them. */

const FOLDERS = { docx: 'word/', xlsx: 'xl/', pptx: 'ppt/' } as const;

/** Moves the folder of the main part, and gives that part another name. */
async function moved(bytes: Uint8Array, format: keyof typeof FOLDERS): Promise<Buffer> {
  const folder = FOLDERS[format];
  const rename = (path: string): string =>
    path.replace(folder, 'inner/').replace(/^inner\/((?:_rels\/)?)(document|workbook|presentation)\.xml/, 'inner/$1main.xml'); // prettier-ignore
  const parts = Array.from(await unzip(bytes), ([path, content]): [string, string | Buffer] => {
    const named = content
      .toString()
      .replaceAll(/(?:Target|PartName)="[^"]*"/g, (attribute) =>
        attribute.replace(/(?<=["/])(?:word|xl|ppt)\/[^"]*/, rename),
      );
    return [rename(path), /^\[|^_rels/.test(path) ? named : content];
  });
  return await zip(Object.fromEntries(parts));
}

async function contents(bytes: Uint8Array): Promise<Record<string, string>> {
  const parts = Array.from(await unzip(bytes), ([path, part]): [string, string] => [path, part.toString()]);
  return Object.fromEntries(parts.filter(([path]) => path.endsWith('.xml')));
}

const control =
  '<w:sdt><w:sdtPr><w:alias w:val="Town"/><w:text/></w:sdtPr><w:sdtContent><w:p><w:r><w:rPr><w:rFonts w:ascii="Lora"/></w:rPr><w:t>x</w:t></w:r></w:p></w:sdtContent></w:sdt>';
const numbered =
  '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>{{ x }}</w:t></w:r></w:p>';
const TEMPLATES = {
  docx: () =>
    docx(
      `${p('{{ t }}')}${control}${p('{% for x in xs %}')}${p('a')}${numbered}${numbered}${p('{% endfor %}')}`,
      {
        'word/numbering.xml':
          '<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>',
      },
      [{ id: 'rId1', type: 'numbering', target: 'numbering.xml' }],
    ),
  xlsx: () =>
    xlsx([
      { name: '{{ x }}', rows: [['{%sheet for x in xs %}{{ t }}', 'same', '=SUM(A3:A3)'], ['{% for i in xs %}'], ['@2 {{ i }}'], ['{% endfor %}']] }, // prettier-ignore
      { name: 'Sum', rows: [['{{ t }}\n{{ t }}']] },
    ]),
  pptx: () => pptx([{ shapes: [ap('{%slide for x in xs %}{{ x }}')], notes: '{{ x }}' }, { shapes: ['{{ t }}'] }]), // prettier-ignore
};
const DATA = { t: 'Title', xs: [1, 2, 3] };

it.each(['docx', 'xlsx', 'pptx'] as const)(
  'a %s is filled in the same way in other folders',
  async (format) => {
    const template = await TEMPLATES[format]();
    const usual = await fill(template, DATA, { format, images: { logo: png(9, 9) } });
    const other = await fill(await moved(template, format), DATA, { format, images: { logo: png(9, 9) } });
    expect(await contents(other)).toEqual(await contents(await moved(usual, format)));
    expect(await printedText(other)).toEqual(await printedText(usual));
    expect((await printedText(other))?.join('')).toContain('Title');
    expect(await formControls(other)).toEqual(format === 'docx' ? ['Town'] : []);
    expect(await namedFonts(other)).toEqual(await namedFonts(usual));
  },
);
