import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FontConfiguration } from '../functions/convert/fonts.ts';
import type { SourceFormat } from '../functions/shared/convert/protocol.ts';
import { buildFontsLayer } from '../layers/fonts/build.ts';
import { docx, p, table } from '../test/office/build.ts';
import { odf, odfTable, tp } from '../test/office/odf.ts';
import { ap, atable, pptx } from '../test/office/pptx.ts';
import { xlsx } from '../test/office/xlsx.ts';

/** Office templates for measurements, and the fonts with which LibreOffice prints them. */

const TEXT = 'We thank you for your order, {{ name }}, and are pleased to confirm it as follows. ';
const ROW = ['{{ item.name }}', '{{ item.count }}', '{{ item.price }}'];
const FOR = '{% for item in items %}';
/** A letter with a table. */
export const LETTER = (): Promise<Buffer> =>
  docx(p('Dear {{ name }}') + p(TEXT.repeat(6)) + table([FOR], ROW, ['{% endfor %}']) + p(TEXT));
/** Returns an office template of each kind, whose table has a row for each item. */
export const OFFICE_TEMPLATES: Partial<Record<SourceFormat, () => Promise<Buffer>>> = {
  docx: LETTER,
  odt: () => odf('odt', tp('Dear {{ name }}') + tp(TEXT.repeat(6)) + odfTable([FOR], ROW, ['{% endfor %}'])),
  xlsx: () =>
    xlsx([
      { name: 'Items', rows: [['Item', 'Count', 'Price'], [FOR], [...ROW, '=B3*C3'], ['{% endfor %}']] },
    ]),
  pptx: () =>
    pptx([
      { shapes: [ap('Order of {{ name }}')] },
      { shapes: [ap('{%slide for item in items %}{{ item.name }}')] },
      { shapes: [atable([FOR], ROW, ['{% endfor %}'])] },
    ]),
};

/** Returns the fonts of the convert function. @param folder for its configuration and cache */
export async function officeFonts(folder: string): Promise<FontConfiguration> {
  const { dist } = await buildFontsLayer();
  const file = join(folder, 'fonts.conf');
  await mkdir(join(folder, 'fontcache'));
  const own = `<dir>${join(dist, 'fonts')}</dir><cachedir>${join(folder, 'fontcache')}</cachedir>`;
  await writeFile(
    file,
    `<?xml version="1.0"?><fontconfig><include>/etc/fonts/fonts.conf</include>${own}</fontconfig>`,
  );
  return { file, reads: [file, dist], writes: [join(folder, 'fontcache')] };
}
