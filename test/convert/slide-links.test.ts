import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unzip, zip } from '../office/build.ts';
import { ap, pptx } from '../office/pptx.ts';
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

/** Returns the slide on each page and the page that its link leads to. */
async function shown(document: Buffer): Promise<{ pages: unknown[]; warnings: string[] }> {
  const warnings: string[] = [];
  const pdf = await started.office.convert({
    document,
    from: 'pptx',
    to: 'pdf',
    title: null,
    warn: (text) => warnings.push(text),
    timeout: 120_000,
  });
  writeFileSync(path.join(folder, 'slides.pdf'), pdf);
  const arguments_ = ['-xml', '-i', '-stdout', 'slides.pdf'];
  const xml = execFileSync('pdftohtml', arguments_, { cwd: folder, encoding: 'utf8' });
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
});
