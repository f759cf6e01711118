import type { Block, ListDefinition, ParagraphStyle, RunStyle } from './model.ts';
import { runsOf, XML } from './parts.ts';
import { escapeXml, runProperties } from './write.ts';

/** The styles and lists of a docx, derived from the document. */

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

const PLAIN: RunStyle = {
  font: 'Times New Roman',
  size: 16,
  bold: false,
  italic: false,
  smallCaps: false,
  underline: false,
  strike: false,
  colour: '000000',
  shade: null,
  raised: null,
  spacing: 0,
  rightToLeft: false,
  language: null,
};

/** The style names that word processors recognize in every language. */
const NAMES: Readonly<Record<ParagraphStyle, string>> = {
  Normal: 'Normal',
  Heading1: 'heading 1',
  Heading2: 'heading 2',
  Heading3: 'heading 3',
  Heading4: 'heading 4',
  Heading5: 'heading 5',
  Heading6: 'heading 6',
  ListBullet: 'List Bullet',
  ListNumber: 'List Number',
  Caption: 'caption',
};

/** Returns the most frequent look of each kind of paragraph. */
export function baseStyles(blocks: readonly Block[]): Map<ParagraphStyle, RunStyle> {
  const counts = new Map<ParagraphStyle, Map<string, { style: RunStyle; count: number }>>();
  for (const { paragraph, style, length } of runsOf(blocks)) {
    const kind = paragraph.startsWith('List') ? 'Normal' : paragraph;
    const plain = { ...style, underline: false, strike: false, shade: null, raised: null };
    const key = JSON.stringify(plain);
    const known = counts.get(kind) ?? new Map<string, { style: RunStyle; count: number }>();
    counts.set(kind, known);
    const entry = known.get(key) ?? { style: plain, count: 0 };
    entry.count += length;
    known.set(key, entry);
  }
  const most = (kind: ParagraphStyle): RunStyle | undefined => {
    const entries = [...(counts.get(kind)?.values() ?? [])];
    return entries.reduce<(typeof entries)[number] | undefined>(
      (best, entry) => (best === undefined || entry.count > best.count ? entry : best),
      undefined,
    )?.style;
  };
  const normal = most('Normal') ?? PLAIN;
  return new Map(
    (Object.keys(NAMES) as ParagraphStyle[]).map((kind) => {
      const level = /^Heading(\d)$/.exec(kind)?.[1];
      const own = kind.startsWith('List') ? undefined : most(kind);
      return [kind, own ?? (level === undefined ? normal : heading(normal, Number(level)))];
    }),
  );
}

/** Heading sizes relative to the text, as in browsers. */
const HEADING_SIZES = [2, 1.5, 1.17, 1, 0.83, 0.67];

/** The look of a heading level that the document does not use. */
function heading(normal: RunStyle, level: number): RunStyle {
  return { ...normal, bold: true, size: normal.size * (HEADING_SIZES[level - 1] ?? 1) };
}

export function stylesXml(
  styles: ReadonlyMap<ParagraphStyle, RunStyle>,
  language: string | null,
  scale: number,
): string {
  const normal = styles.get('Normal') ?? PLAIN;
  const tag = language ?? normal.language;
  const lang =
    tag === null
      ? ''
      : `<w:lang w:val="${escapeXml(tag)}" w:eastAsia="${escapeXml(tag)}" w:bidi="${escapeXml(tag)}"/>`;
  const one = ([id, style]: [ParagraphStyle, RunStyle]): string => {
    const level = /^Heading(\d)$/.exec(id)?.[1];
    const outline = level === undefined ? '' : `<w:outlineLvl w:val="${Number(level) - 1}"/>`;
    const isNormal = id === 'Normal';
    return [
      `<w:style w:type="paragraph"${isNormal ? ' w:default="1"' : ''} w:styleId="${id}"><w:name w:val="${NAMES[id]}"/>`,
      isNormal ? '' : '<w:basedOn w:val="Normal"/>',
      level === undefined ? '' : '<w:next w:val="Normal"/>',
      `<w:qFormat/><w:pPr>${level === undefined ? '' : '<w:keepNext/>'}<w:spacing w:before="0" w:after="0"/>${outline}</w:pPr>`,
      `<w:rPr>${runProperties(style, isNormal ? null : normal, scale)}</w:rPr></w:style>`,
    ].join('');
  };
  return [
    `${XML}<w:styles ${W}><w:docDefaults><w:rPrDefault><w:rPr>${lang}</w:rPr></w:rPrDefault><w:pPrDefault><w:pPr>${NO_AUTOSPACE}</w:pPr></w:pPrDefault></w:docDefaults>`,
    ...Array.from(styles, one),
    '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/></w:style>',
    '<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/></w:style>',
    '</w:styles>',
  ].join('');
}

/** Browsers add no space between ideographs and other characters; word processors do by default. */
const NO_AUTOSPACE = '<w:autoSpaceDE w:val="0"/><w:autoSpaceDN w:val="0"/>';

/** Word processors have nine levels in each list. */
const LEVELS = 9;

/** Each list has its own numbering, which starts with the list. */
export function numberingXml(lists: readonly ListDefinition[], scale: number): string {
  const twips = (length: number): number => Math.round(length * 15 * scale);
  const level = (list: ListDefinition, at: number): string => {
    const text = list.format === 'bullet' ? list.text : list.text.replace(/%\d/, `%${at + 1}`);
    const mark = list.colour === null ? '' : `<w:color w:val="${list.colour}"/>`;
    return [
      `<w:lvl w:ilvl="${at}"><w:start w:val="${list.start}"/><w:numFmt w:val="${list.format}"/>`,
      list.isInside ? '<w:suff w:val="space"/>' : '',
      `<w:lvlText w:val="${escapeXml(text)}"/><w:lvlJc w:val="left"/>`,
      `<w:pPr><w:ind w:left="${twips(list.left)}" w:hanging="${list.isInside ? 0 : twips(list.hanging)}"/></w:pPr>`,
      `<w:rPr><w:b w:val="0"/><w:i w:val="0"/><w:u w:val="none"/>${mark}</w:rPr></w:lvl>`,
    ].join('');
  };
  const abstract = lists.map((list, at) => {
    const levels = Array.from({ length: LEVELS }, (_, one) => level(list, one));
    return `<w:abstractNum w:abstractNumId="${at + 1}"><w:multiLevelType w:val="multilevel"/>${levels.join('')}</w:abstractNum>`;
  });
  const numbers = lists.map(
    (_, at) => `<w:num w:numId="${at + 1}"><w:abstractNumId w:val="${at + 1}"/></w:num>`,
  );
  return `${XML}<w:numbering ${W}>${abstract.join('')}${numbers.join('')}</w:numbering>`;
}
