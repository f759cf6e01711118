import yazl from 'yazl';
import type { Block, ListDefinition, WordModel } from './model.ts';
import { SharedParts, Parts, RELATIONS, relationshipsXml, XML } from './parts.ts';
import { baseStyles, numberingXml, stylesXml } from './styles.ts';
import { BlockWriter, escapeXml } from './write.ts';

/** The package of a docx (ECMA-376 part 2, and part 1, 11). */

export interface WordParts {
  body: WordModel;
  lists: readonly ListDefinition[];
  header: WordModel | null;
  footer: WordModel | null;
  /** Distance of the footer from the edge of the paper, in twentieths of a point. */
  footerDistance: number;
  title: string;
  language: string | null;
  scale: number;
  /** Whether page 1 has no header and footer. */
  skipsFirst: boolean;
  /** In twentieths of a point. */
  page: { width: number; height: number; top: number; right: number; bottom: number; left: number };
}

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"' +
  ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"' +
  ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"' +
  ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"' +
  ' xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"';

const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.';
/** The date of every entry: the same document always gives the same bytes. */
const WRITTEN = new Date(Date.UTC(1980, 0, 1));

export async function wordPackage(parts: WordParts): Promise<Uint8Array> {
  const { body, header, footer, lists, scale, page } = parts;
  const blocks: Block[] = [body, header, footer].flatMap((model) => model?.blocks ?? []);
  const styles = baseStyles(body.blocks);
  const commons = new SharedParts(styles, lists, blocks);
  const zip = new yazl.ZipFile();
  const add = (path: string, content: string | Uint8Array): void => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
    const compress = typeof content === 'string';
    zip.addBuffer(bytes, path, { mtime: WRITTEN, forceDosTimestamp: true, compress });
  };
  const main = new Parts(commons);
  for (const name of ['styles', 'numbering', 'settings']) main.relationship(name, `${name}.xml`);
  const furniture = (
    [
      ['header', header, 'hdr'],
      ['footer', footer, 'ftr'],
    ] as const
  ).flatMap(([name, model, tag]) => {
    if (model === null) return [];
    const own = new Parts(commons);
    const content = new BlockWriter(own, 1).write(shifted(model.blocks, page), 0);
    return [{ name, xml: `${XML}<w:${tag} ${NAMESPACES}>${content}</w:${tag}>`, relationships: own.xml() }];
  });
  const references = furniture.map(({ name }) => {
    const id = main.relationship(name, `${name}1.xml`);
    return `<w:${name}Reference w:type="default" r:id="${id}"/>`;
  });
  const background = body.background === null ? '' : `<w:background w:color="${body.background}"/>`;
  const document = new BlockWriter(main, scale).write(body.blocks, 0);
  const round = (length: number): number => Math.round(length);
  const section = [
    '<w:sectPr>',
    ...references,
    `<w:pgSz w:w="${round(page.width)}" w:h="${round(page.height)}"${page.width > page.height ? ' w:orient="landscape"' : ''}/>`,
    `<w:pgMar w:top="${round(page.top)}" w:right="${round(page.right)}" w:bottom="${round(page.bottom)}" w:left="${round(page.left)}" w:header="0" w:footer="${round(parts.footerDistance)}" w:gutter="0"/>`,
    parts.skipsFirst && references.length > 0 ? '<w:titlePg/>' : '',
    '</w:sectPr>',
  ].join('');
  add('[Content_Types].xml', contentTypes(furniture.map(({ name }) => name)));
  add(
    '_rels/.rels',
    relationshipsXml([
      `<Relationship Id="rId1" Type="${RELATIONS}officeDocument" Target="word/document.xml"/>`,
      '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>',
    ]),
  );
  add(
    'word/document.xml',
    `${XML}<w:document ${NAMESPACES}>${background}<w:body>${document}${section}</w:body></w:document>`,
  );
  add('word/_rels/document.xml.rels', main.xml());
  add('word/styles.xml', stylesXml(styles, parts.language, scale));
  add('word/numbering.xml', numberingXml(lists, scale));
  add('word/settings.xml', settingsXml(body.background !== null));
  add('docProps/core.xml', coreXml(parts.title, parts.language));
  for (const { name, xml, relationships } of furniture) {
    add(`word/${name}1.xml`, xml);
    add(`word/_rels/${name}1.xml.rels`, relationships);
  }
  for (const [path, bytes] of commons.media) add(`word/${path}`, bytes);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A header is as wide as the paper, but begins at the left edge of the text. */
function shifted(blocks: readonly Block[], { left, right }: WordParts['page']): Block[] {
  return blocks.map((block) =>
    block.kind === 'table'
      ? { ...block, indent: block.indent - left / 15 }
      : {
          ...block,
          indent: {
            ...block.indent,
            left: block.indent.left - left / 15,
            right: block.indent.right - right / 15,
          },
        },
  );
}

function contentTypes(furniture: readonly string[]): string {
  const override = (path: string, type: string): string =>
    `<Override PartName="/${path}" ContentType="${type}"/>`;
  return [
    `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    ...['png', 'jpeg', 'gif'].map((type) => `<Default Extension="${type}" ContentType="image/${type}"/>`),
    override('word/document.xml', `${MAIN}document.main+xml`),
    ...['styles', 'numbering', 'settings'].map((name) => override(`word/${name}.xml`, `${MAIN}${name}+xml`)),
    ...furniture.map((name) => override(`word/${name}1.xml`, `${MAIN}${name}+xml`)),
    override('docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'),
    '</Types>',
  ].join('');
}

function settingsXml(hasBackground: boolean): string {
  return [
    `${XML}<w:settings ${NAMESPACES}>`,
    hasBackground ? '<w:displayBackgroundShape/>' : '',
    '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>',
    '</w:settings>',
  ].join('');
}

function coreXml(title: string, language: string | null): string {
  return [
    `${XML}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"`,
    ' xmlns:dc="http://purl.org/dc/elements/1.1/">',
    `<dc:title>${escapeXml(title)}</dc:title>`,
    language === null ? '' : `<dc:language>${escapeXml(language)}</dc:language>`,
    '</cp:coreProperties>',
  ].join('');
}
