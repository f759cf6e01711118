import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { selfContained } from '../../functions/convert/libreoffice/contained/html.ts';
import { cleanFile, selfContainedPackage } from '../../functions/convert/libreoffice/contained/package.ts';
import { readZip } from '../../packages/core/src/zip.ts';
import { zip } from '../formats/build.ts';

/** What is left of a document when everything has been taken out that leads out of it (I-22). */

const part = (text: string, path = 'word/document.xml'): string =>
  cleanFile(Buffer.from(text), path).toString();
const drawing = (inside: string): string => `<svg xmlns:xlink="http://www.w3.org/1999/xlink">${inside}</svg>`;

async function partsOf(bytes: Buffer): Promise<Record<string, string>> {
  const { wanted } = await readZip(bytes, () => true);
  return Object.fromEntries([...wanted].map(([name, content]) => [name, content.toString()]));
}

describe('a part of a document', () => {
  // A time that grows with the square of these would be minutes.
  test.each([
    ['the beginning of a scheme, again and again', `<x>${'vnd.'.repeat(200_000)}</x>`],
    ['a formula of bars without an end', `<x><f>${'|'.repeat(800_000)}`],
    ['a formula of bars', `<x><f>${'|'.repeat(800_000)}</f></x>`],
  ])('%s is read in time', (_, text) => {
    try {
      expect(part(text)).toContain('<x>');
    } catch (error) {
      expect(error).toMatchObject({ code: 'office_file_damaged' });
    }
  });

  test.each([
    ['<a:p><w:t>Profile: x &amp; y</w:t></a:p>', 'text'],
    ['<draw:image xlink:href="Pictures/1000 01.png"/>', 'a picture of the package'],
    ['<draw:object xlink:href="./Object 1"/>', 'an object of the package'],
    ['<text:a xlink:href="file:///x"/>', 'a link'],
    ['<draw:area-circle xlink:href="https://x/"/>', 'a link in a picture'],
    ['<v:shape href="https://x/"/>', 'a link of VML'],
    ['<a:hlinkClick action="ppaction://hlinksldjump"/>', 'a link between slides'],
    ["<f>SUM(Table1[[#All],[A]:[B]])+T[A]+'My Sheet'!A1+[1]Sheet1!A1</f>", 'a formula of the workbook'],
    ['<x table:formula="of:=[.A1]+[$\'My Sheet\'.A1]"/>', 'a formula of the document'],
    ['<w:instrText> PAGE </w:instrText>', 'a field'],
    ['<oddHeader>&amp;L&amp;F&amp;&amp;Z</oddHeader>', 'the name in a header'],
  ])('%s stays: %s', (text) => {
    const clean = part(`<root>${text}</root>`).replace(/^<\?xml[^>]*>\n/, '');
    expect(clean.replace(/<([\w:-]+)([^<>]*)><\/\1>/g, '<$1$2/>')).toBe(`<root>${text}</root>`);
  });

  test.each([
    ['<draw:image xlink:href="file:///x.png"/>', 'href'],
    ['<draw:image xlink:href="../../x.png"/>', 'href'],
    ['<draw:image xlink:href="https://x/y.png"/>', 'href'],
    ['<draw:image xlink:href="ftp://x/y.png"/>', 'href'],
    ['<draw:image xlink:href="/x.png"/>', 'href'],
    ["<q:image q:href = 'x:y'/>", 'href'],
    ['<draw:image xlink:href="&#46;&#46;/x.png"/>', 'href'],
    ['<text:section-source xlink:href="https://x/"/>', 'href'],
    ['<form:image form:image-data="file:///x.png"/>', 'image-data'],
    ['<xforms:instance src="file:///x.xml"/>', 'src'],
    ['<v:imagedata src="file:///x.png"/>', 'src'],
    ['<x:webPr url="file:///x.html"/>', 'url'],
    ['<office:dde-source office:dde-topic="/x"/>', 'dde-topic'],
    ['<x table:formula="of:=&apos;file:///x.ods&apos;#$S.A1"/>', 'formula'],
    ['<x table:formula="of:=WEBSERVICE(&quot;http://x&quot;)"/>', 'formula'],
    ['<x table:formula="of:=&#87;EBSERVICE(&quot;http://x&quot;)"/>', 'formula'],
    ['<x some:thing="file:///x"/>', 'thing'],
    ['<draw:image xlink:href="Pictures/../../x"/>', 'href'],
  ])('%s loses its address', (text, name) => {
    const clean = part(`<root>${text}</root>`);
    expect(clean).toContain('<root>');
    expect(clean).not.toMatch(new RegExp(`${name}\\s*=`));
  });

  test.each([
    "'/x/[y.xlsx]S'!A1",
    '[y.xlsx]S!A1',
    "cmd|'/c x'!A1",
    'WEBSERVICE("http://x")',
    "'\\\\s\\[y.xlsx]S'!A1",
  ])('the formula %s is left out', (formula) =>
    expect(part(`<c><f>${formula}</f><v>1</v></c>`)).toContain('<f></f><v>1</v>'),
  );

  test('no formula is hidden by being cut in two', () => {
    for (const cut of ['<!-- -->', '<![CDATA[]]>', '<?x?>']) {
      expect(part(`<c><f>WEB${cut}SERVICE("x")</f></c>`)).toContain('<f></f>');
    }
  });

  test('fields that read files are text, and those of the file show no folder, in pieces too', () => {
    const field = (...pieces: string[]): string =>
      `<w:fldChar w:fldCharType="begin"/>${pieces.map((piece) => `<w:instrText>${piece}</w:instrText>`).join('')}<w:fldChar w:fldCharType="end"/>`;
    expect(part(`<r>${field(' INCLU', 'DEPICTURE "x" ')}</r>`)).toContain(
      '<w:instrText></w:instrText><w:instrText></w:instrText>',
    );
    expect(part(`<r>${field(' FILENAME \\', 'p ')}${field(' PAGE ')}</r>`)).toMatch(
      /<w:instrText> FILENAME +<\/w:instrText><w:instrText><\/w:instrText>.*> PAGE </,
    );
    expect(part('<r><w:fldSimple w:instr="DDEAUTO x"/></r>')).toContain('w:instr=""');
    expect(part('<r><oddHeader>&amp;Z&amp;F</oddHeader></r>')).toContain('>&amp;F<');
    expect(part('<r><text:file-name text:display="full"/></r>')).toContain('"name-and-extension"');
  });

  test('relationships keep their parts and links, and lose references to other files', () => {
    const relation = (type: string, target: string, mode = ' TargetMode="External"'): string =>
      `<Relationship Type="http://x/${type}" Target="${target}"${mode}/>`;
    const clean = part(
      `<Relationships>${relation('image', 'media/1.png', '')}${relation('hyperlink', 'https://x/')}${relation('image', 'file:///1')}` +
        `${relation('attachedTemplate', 'file:///2')}${relation('image', 'file:///3', '')}${relation('externalLinkPath', 'file:///4')}</Relationships>`,
      'word/_rels/document.xml.rels',
    );
    expect(clean).toContain('media/1.png');
    expect(clean).toContain('https://x/');
    expect(clean).toContain('https://outside.invalid/');
    expect(clean).not.toContain('file:');
  });

  test('an encoding does not hide it', () => {
    const hostile = '<a><draw:image xlink:href="file:///x.png"/></a>';
    for (const bytes of [
      Buffer.from(`\ufeff${hostile}`, 'utf16le'),
      Buffer.from(hostile, 'utf16le'),
      Buffer.from(`\ufeff${hostile}`, 'utf16le').swap16(),
      Buffer.from(`\ufeff${hostile}`),
      Buffer.from(`<?xml version="1.0" encoding="windows-1252"?>${hostile}`),
    ]) {
      const clean = cleanFile(bytes, 'content.xml').toString();
      expect(clean).toContain('<draw:image></draw:image>');
    }
    for (const encoding of ['UTF-7', 'nonsense']) {
      const text = `<?xml version="1.0" encoding="${encoding}"?>+ADw-a/+AD4-`;
      expect(() => part(text, 'content.xml')).toThrow('office file');
    }
  });

  test('entities are expanded, default attributes removed, and unbounded expansion refused', () => {
    const declared = '<!DOCTYPE a [<!ENTITY e "file:///x"><!ATTLIST i href CDATA "file:///y">]>';
    const clean = part(`${declared}<a><i x:href="&e;"/><t>&e;</t></a>`, 'content.xml');
    expect(clean).toContain('<a><i></i><t>file:///x</t></a>');
    expect(clean).not.toContain('DOCTYPE');
    const bomb = `<!DOCTYPE a [<!ENTITY e "${'x'.repeat(900)}">]><a>${'&e;'.repeat(100_000)}</a>`;
    expect(() => part(bomb, 'content.xml')).toThrow('grows');
    expect(() => part('<a href="file:///x"><b></a>', 'content.xml')).toThrow('not well-formed');
  });
});

describe('a drawing', () => {
  test.each([
    '<image href="file:///x.png"/>',
    '<image xlink:href="x.png"/>',
    '<use href="x.svg#a"/>',
    `<image href="data:image/png;base64,${Buffer.from(drawing('')).toString('base64')}"/>`,
    '<style>@import "file:///x"; a { fill: url(file:///x) }</style>',
    '<rect fill="url(file:///x#a)"/>',
    '<rect style="fill: u\\72l(file:///x)"/>',
    '<g xml:base="file:///x/"/>',
    '<foreignObject><img src="file:///x"/></foreignObject>',
    '<script href="file:///x"/>',
  ])('%s loses its references', (text) => {
    const before = Buffer.from(drawing(text));
    for (const file of [before, gzipSync(before)]) {
      const clean = cleanFile(file, 'media/1.png').toString();
      expect(clean).toContain('<svg');
      expect(clean).not.toMatch(/href=|url\(|src=|base=|@import/);
    }
  });

  test('references within it and embedded pixel images stay', () => {
    const inside =
      '<rect fill="url(#a)"></rect><use href="#a"></use><image href="data:image/png;base64,iVBORw0KGgo="></image>';
    expect(part(drawing(inside), 'media/1.svg')).toContain(inside);
  });

  test('a compressed metafile, and a font that begins like XML, are left unchanged', () => {
    for (const file of [gzipSync(Buffer.from([1, 0, 0, 0, 9])), Buffer.from('<\0\x01\x02font', 'latin1')]) {
      expect(cleanFile(file, 'word/fonts/font1.odttf')).toBe(file);
    }
  });
});

describe('a package', () => {
  test('the inspected entries are packed again, including nested packages', async () => {
    const inner = await zip({ 'content.xml': '<i xlink:href="file:///x"/>', 'b.xml': '<b/>' });
    const outer = await zip({ 'a.xml': '<a/>', mimetype: 'm', 'inner.odt': inner, 'x.rtf': '{\\rtf1 x}' });
    const clean = await selfContainedPackage(outer);
    const parts = await partsOf(clean);
    expect(Object.keys(parts)[0]).toBe('mimetype');
    expect(parts).toMatchObject({ 'a.xml': '<a/>', mimetype: 'm', 'x.rtf': '' });
    const { wanted } = await readZip(clean, () => true);
    const innerParts = await partsOf(wanted.get('inner.odt') ?? Buffer.alloc(0));
    expect(innerParts['content.xml']).not.toContain('file:');
    expect(innerParts['b.xml']).toBe('<b/>');
  });

  test('packages within packages end somewhere', async () => {
    let nested = await zip({ 'a.xml': '<a/>' });
    for (let depth = 0; depth < 6; depth += 1) nested = await zip({ 'a.zip': nested });
    expect((await selfContainedPackage(nested)).length).toBeLessThan(1_000);
  });
});

test('drawings in addresses of html lose their references, with every media type', () => {
  const address = (type: string): string =>
    `data:${type};base64,${Buffer.from(drawing('<image href="file:///x"/>')).toString('base64')}`;
  for (const type of ['image/svg+xml', 'image/png', 'text/plain']) {
    const clean = selfContained(`<img src="${address(type)}"><p style="background: url(${address(type)})">`);
    expect(clean).not.toContain('url(');
    const [, base64 = ''] = /base64,([^"]*)/.exec(clean) ?? [];
    expect(Buffer.from(base64, 'base64').toString()).toMatch(/<svg[^>]*><image><\/image>/);
  }
});
