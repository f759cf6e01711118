import { contentTypes, type Parts, relationships, XML, zip } from './build.ts';

/** Presentations of PowerPoint, written by hand. */

const NAMES =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
const TYPE = 'application/vnd.openxmlformats-officedocument.presentationml.';
const GROUP =
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>';
const CM = 360_000;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A paragraph of one run for each text. */
export function ap(...runs: string[]): string {
  return `<a:p>${runs.map((text) => `<a:r><a:rPr lang="en-GB"/><a:t>${escaped(text)}</a:t></a:r>`).join('')}</a:p>`;
}

/** A shape with text, or a table; `at` counts from the top. */
function shape(content: string, at: number): string {
  const xfrm = (prefix: string): string =>
    `<${prefix}:xfrm><a:off x="${2 * CM}" y="${(1 + 4 * at) * CM}"/><a:ext cx="${20 * CM}" cy="${3 * CM}"/></${prefix}:xfrm>`;
  if (content.startsWith('<a:tbl>')) {
    return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${at + 2}" name="T${at}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>${xfrm('p')}<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table">${content}</a:graphicData></a:graphic></p:graphicFrame>`;
  }
  const body = content.startsWith('<a:p>') ? content : ap(content);
  return `<p:sp><p:nvSpPr><p:cNvPr id="${at + 2}" name="S${at}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr>${xfrm('a')}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${body}</p:txBody></p:sp>`;
}

export function atable(...rows: (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  return `<a:tbl><a:tblPr/><a:tblGrid>${`<a:gridCol w="${3 * CM}"/>`.repeat(columns)}</a:tblGrid>${rows
    .map(
      (row) =>
        `<a:tr h="${CM}">${row.map((text) => `<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>`).join('')}</a:tr>`,
    )
    .join('')}</a:tbl>`;
}

/** A slide: its shapes, and its notes if it has any. */
export interface Slide {
  shapes: readonly string[];
  notes?: string;
}

export async function pptx(slides: readonly Slide[]): Promise<Buffer> {
  const tree = (shapes: string): string => `<p:cSld><p:spTree>${GROUP}${shapes}</p:spTree></p:cSld>`;
  const parts: Record<string, string> = {};
  const types: Record<string, string> = {
    'ppt/presentation.xml': `${TYPE}presentation.main+xml`,
    'ppt/slideMasters/slideMaster1.xml': `${TYPE}slideMaster+xml`,
    'ppt/slideLayouts/slideLayout1.xml': `${TYPE}slideLayout+xml`,
  };
  slides.forEach(({ shapes, notes }, i) => {
    const path = `ppt/slides/slide${i + 1}.xml`;
    types[path] = `${TYPE}slide+xml`;
    parts[path] = `${XML}<p:sld ${NAMES}>${tree(shapes.map(shape).join(''))}</p:sld>`;
    const list = [{ id: 'rId1', type: 'slideLayout', target: '../slideLayouts/slideLayout1.xml' }];
    if (notes !== undefined) {
      const notesPath = `ppt/notesSlides/notesSlide${i + 1}.xml`;
      types[notesPath] = `${TYPE}notesSlide+xml`;
      parts[notesPath] = `${XML}<p:notes ${NAMES}>${tree(shape(notes, 0))}</p:notes>`;
      list.push({ id: 'rId2', type: 'notesSlide', target: `../notesSlides/notesSlide${i + 1}.xml` });
      parts[`ppt/notesSlides/_rels/notesSlide${i + 1}.xml.rels`] = relationships([
        { id: 'rId1', type: 'slide', target: `../slides/slide${i + 1}.xml` },
      ]);
    }
    parts[`ppt/slides/_rels/slide${i + 1}.xml.rels`] = relationships(list);
  });
  const fixed: Parts = {
    '[Content_Types].xml': contentTypes(types),
    '_rels/.rels': relationships([{ id: 'rId1', type: 'officeDocument', target: 'ppt/presentation.xml' }]),
    'ppt/presentation.xml': `${XML}<p:presentation ${NAMES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 2}"/>`).join('')}</p:sldIdLst><p:sldSz cx="${25.4 * CM}" cy="${19.05 * CM}"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships([
      { id: 'rId1', type: 'slideMaster', target: 'slideMasters/slideMaster1.xml' },
      ...slides.map((_, i) => ({ id: `rId${i + 2}`, type: 'slide', target: `slides/slide${i + 1}.xml` })),
    ]),
    'ppt/slideMasters/slideMaster1.xml': `${XML}<p:sldMaster ${NAMES}>${tree('')}<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relationships([
      { id: 'rId1', type: 'slideLayout', target: '../slideLayouts/slideLayout1.xml' },
    ]),
    'ppt/slideLayouts/slideLayout1.xml': `${XML}<p:sldLayout ${NAMES}>${tree('')}</p:sldLayout>`,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships([
      { id: 'rId1', type: 'slideMaster', target: '../slideMasters/slideMaster1.xml' },
    ]),
  };
  return await zip({ ...fixed, ...parts });
}
