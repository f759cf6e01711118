import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printableSlides } from '../../packages/office/src/pptx/printable.ts';
import { unzip, zip } from '../office/build.ts';
import { fill } from '../office/fill.ts';
import { odf, page } from '../office/odf.ts';
import { ap, atable, pptx } from '../office/pptx.ts';
import { startOffice, type TestOffice } from './support.ts';

/** Links between the slides of a presentation, read with poppler from the PDF. */

const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide';

let started: TestOffice;
let folder: string;
beforeAll(() => {
  started = startOffice();
  folder = mkdtempSync(path.join(tmpdir(), 'platen-slide-links-'));
});
afterAll(async () => {
  await started.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a presentation whose slides are named after other places, with a link to the file in `links` on each. */
async function presentation(order: readonly number[], links: readonly string[]): Promise<Buffer> {
  const template = await pptx(links.map((_, i) => ({ shapes: [ap(`slide ${i + 1}`), ap(`link ${i + 1}`)] })));
  const parts = new Map(await unzip(template));
  const change = (name: string, from: string | RegExp, to: string): void => {
    const text = parts.get(name)?.toString() ?? '';
    expect(text).toMatch(from);
    parts.set(name, Buffer.from(text.replace(from, to)));
  };
  const list = order.map((slide) => `<p:sldId id="${255 + slide}" r:id="rId${slide + 1}"/>`).join('');
  change('ppt/presentation.xml', /<p:sldIdLst>.*<\/p:sldIdLst>/, `<p:sldIdLst>${list}</p:sldIdLst>`);
  for (const [i, target] of links.entries()) {
    const link = '<a:hlinkClick r:id="rId7" action="ppaction://hlinksldjump"/>';
    const run = `<a:rPr lang="en-GB">${link}</a:rPr><a:t>link`;
    change(`ppt/slides/slide${i + 1}.xml`, '<a:rPr lang="en-GB"/><a:t>link', run);
    const relation = `<Relationship Id="rId7" Type="${RELATION}" Target="${target}"/></Relationships>`;
    change(`ppt/slides/_rels/slide${i + 1}.xml.rels`, '</Relationships>', relation);
  }
  return await zip(Object.fromEntries(parts));
}

/** Changes a part of a presentation: the replacements of `changes`, each of which has to apply. */
async function changed(
  document: Buffer,
  part: string,
  changes: readonly (readonly [string | RegExp, string])[],
): Promise<Buffer> {
  const parts = Object.fromEntries(await unzip(document));
  let text = parts[part]?.toString() ?? '';
  for (const [from, to] of changes) {
    expect(text).toMatch(from);
    text = text.replaceAll(new RegExp(from, 'g'), to);
  }
  return await zip({ ...parts, [part]: text });
}

async function converted(
  document: Buffer,
  from: 'pptx' | 'odp',
  to: 'pdf' | 'odp' = 'pdf',
): Promise<{ bytes: Buffer; warnings: string[] }> {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const bytes = await started.office.convert({ document, from, to, title: null, warn, timeout: 120_000 });
  return { bytes, warnings };
}

/** Returns the slide on each page and the page that its link leads to. */
async function shown(
  document: Buffer,
  from: 'pptx' | 'odp' = 'pptx',
): Promise<{ pages: unknown[]; warnings: string[] }> {
  const { bytes, warnings } = await converted(document, from);
  writeFileSync(path.join(folder, 'slides.pdf'), bytes);
  const arguments_ = ['-xml', '-i', '-stdout', 'slides.pdf'];
  const stdio: ('ignore' | 'pipe')[] = ['ignore', 'pipe', 'ignore'];
  const xml = execFileSync('pdftohtml', arguments_, { cwd: folder, encoding: 'utf8', stdio });
  const pages = xml.split('<page ').slice(1);
  return {
    pages: pages.map((page) => [/slide \d/.exec(page)?.[0], /<a href="[^"#]*#(\d+)"/.exec(page)?.[1]]),
    warnings,
  };
}

describe('links between slides', () => {
  it('lead to the slide, whatever place the name of its file has', async () => {
    const document = await presentation([2, 3, 1], ['slide3.xml', 'slide1.xml', 'slide2.xml']);
    expect(await shown(document)).toEqual({
      pages: [
        ['slide 2', '3'],
        ['slide 3', '1'],
        ['slide 1', '2'],
      ],
      warnings: [],
    });
  });

  it('to slides that the presentation does not show are removed, and a warning names them', async () => {
    const document = await presentation([1, 2], ['slide2.xml', 'slide3.xml', 'slide1.xml']);
    expect(await shown(document)).toEqual({
      pages: [
        ['slide 1', '2'],
        ['slide 2', undefined],
      ],
      warnings: ['Links to slides that the presentation does not show are gone: ppt/slides/slide3.xml.'],
    });
  });

  const LINK = '<a:hlinkClick r:id="rId7" action="ppaction://hlinksldjump"/>';

  /** Has the shapes with the links be links as a whole. */
  async function shapesLinked(document: Buffer, slides: number): Promise<Buffer> {
    let result = document;
    for (let i = 1; i <= slides; i += 1)
      result = await changed(result, `ppt/slides/slide${i}.xml`, [
        [LINK, ''],
        ['name="S1"/>', `name="S1">${LINK}</p:cNvPr>`],
      ]);
    return result;
  }

  it.each(['pptx', 'odp'] as const)(
    'of whole shapes lead to slides without a name, in %s',
    async (format) => {
      const slides = await presentation([1, 2, 3], ['slide3.xml', 'slide1.xml', 'slide2.xml']);
      const pptxFile = await shapesLinked(slides, 3);
      const document = format === 'odp' ? (await converted(pptxFile, 'pptx', 'odp')).bytes : pptxFile;
      expect(await shown(document, format)).toEqual({
        pages: [
          ['slide 1', '3'],
          ['slide 2', '1'],
          ['slide 3', '2'],
        ],
        warnings: [],
      });
    },
  );

  it.each(['pptx', 'odp'] as const)('lead to the right page if slides are hidden, in %s', async (format) => {
    const links = ['slide3.xml', 'slide1.xml', 'slide4.xml', 'slide2.xml'];
    const slides = await presentation([1, 2, 3, 4], links);
    const pptxFile = await changed(slides, 'ppt/slides/slide2.xml', [['<p:sld ', '<p:sld show="0" ']]);
    const document = format === 'odp' ? (await converted(pptxFile, 'pptx', 'odp')).bytes : pptxFile;
    expect(await shown(document, format)).toEqual({
      pages: [
        ['slide 1', '2'],
        ['slide 3', '3'],
        ['slide 4', undefined],
      ],
      warnings: ['Links to hidden slides lead nowhere: slide 2.'],
    });
  });

  it('of other languages lead to their slides, and a warning names those that lead nowhere, in odp', async () => {
    const slides = await presentation([1, 2, 3], ['slide3.xml', 'slide1.xml', 'slide2.xml']);
    const odp = await converted(slides, 'pptx', 'odp');
    const document = await changed(odp.bytes, 'content.xml', [
      ['draw:name="Slide\u00a0', 'draw:name="page'],
      ['#Slide\u00a03', '#Folie 3'],
      ['#Slide\u00a01', '#Dia 1'],
      ['#Slide\u00a02', '#Zwei'],
    ]);
    expect(await shown(document, 'odp')).toEqual({
      pages: [
        ['slide 1', '3'],
        ['slide 2', '1'],
        ['slide 3', undefined],
      ],
      warnings: ['Links to slides that the presentation does not have: Zwei.'],
    });
  });

  it('to shapes are not taken for links to slides, in odp', async () => {
    const slides = await presentation([1, 2], ['slide2.xml', 'slide1.xml']);
    const odp = await converted(slides, 'pptx', 'odp');
    const document = await changed(odp.bytes, 'content.xml', [['#Slide\u00a01', '#S1']]);
    expect((await shown(document, 'odp')).warnings).toEqual([]);
  });

  it('a presentation of hidden slides alone is refused by name', async () => {
    const slides = await presentation([1], ['slide1.xml']);
    const document = await changed(slides, 'ppt/slides/slide1.xml', [['<p:sld ', '<p:sld show="0" ']]);
    await expect(shown(document)).rejects.toMatchObject({
      code: 'print_failed',
      message: 'All slides of the presentation are hidden.',
    });
  });
});

it.each([
  ['pptx', async () => await pptx([{ shapes: ['{%slide if shown %}', 'x'] }])],
  ['odp', async () => await odf('odp', page('a', '{%slide if shown %}', 'x'))],
] as const)('a presentation of which no slide is left is refused, in %s', async (format, template) => {
  const filled = Buffer.from(await fill(await template(), { shown: false }, { format }));
  await expect(converted(filled, format)).rejects.toMatchObject({
    code: 'print_failed',
    message: 'The presentation has no slides.',
  });
  const left = Buffer.from(await fill(await template(), { shown: true }, { format }));
  expect((await converted(left, format)).warnings).toEqual([]);
});

it('a table with a style that neither the file nor PowerPoint has, which ends LibreOffice 25.2, has none', async () => {
  const known = '{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}';
  const own = '{11111111-7EE6-4342-B048-85BDC9FD1C3A}';
  const unknown = '{22222222-7EE6-4342-B048-85BDC9FD1C3A}';
  const template = await pptx([known, own, unknown].map(() => ({ shapes: [atable(['cell'])] })));
  const parts = new Map(await unzip(template));
  for (const [i, id] of [known, own, unknown].entries()) {
    const text = parts.get(`ppt/slides/slide${i + 1}.xml`)?.toString() ?? '';
    const styled = text.replace('<a:tblPr/>', `<a:tblPr><a:tableStyleId>${id}</a:tableStyleId></a:tblPr>`);
    expect(styled).not.toBe(text);
    parts.set(`ppt/slides/slide${i + 1}.xml`, Buffer.from(styled));
  }
  const relations = 'ppt/_rels/presentation.xml.rels';
  const styles = `<Relationship Id="rId99" Type="${RELATION.replace('/slide', '/tableStyles')}" Target="tableStyles.xml"/></Relationships>`;
  parts.set(relations, Buffer.from(String(parts.get(relations)).replace('</Relationships>', styles)));
  parts.set(
    'ppt/tableStyles.xml',
    Buffer.from(
      `<a:tblStyleLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" def="${known}"><a:tblStyle styleId="${own}" styleName="Own"/></a:tblStyleLst>`,
    ),
  );
  const printed = printableSlides(parts);
  const left = [1, 2, 3].map(
    (number) => /\{[^}]*\}/.exec(String(printed.get(`ppt/slides/slide${number}.xml`)))?.[0],
  );
  expect(left).toEqual([known, own, undefined]);
  const pdf = await started.office.convert({
    document: await zip(Object.fromEntries(parts)),
    from: 'pptx',
    to: 'pdf',
    title: 'x',
    timeout: 60_000,
  });
  expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-');
});
