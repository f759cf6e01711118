import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serveInProcess } from '../support/served.ts';
import { docx, p } from './build.ts';
import { odf, tp } from './odf.ts';
import { FRAGMENTS } from './rich-fragments.ts';
import { fragmentsOf, INDENTS, type Structure } from './rich-structure.ts';
import { readTree } from './struct-tree.ts';

/**
 * Prints a hundred fragments of html in Word and OpenDocument, and compares them with Chromium: texts in their order,
 * headings, items of lists with their depth and numbers, rows and columns of tables, as the tags of the PDFs tell
 * them.
 *
 * A folder as an argument keeps the PDFs, and their pages as PNG.
 */

/** What is not as in Chromium, and why: docs/rich-content.md tells it. By the number of the fragment, from 1. */
const KNOWN: Readonly<Record<number, string>> = {
  73: 'lists of OpenDocument hold no tables: the text of their cells stands in the item',
  74: 'LibreOffice tags a heading in an item as a heading alone; its bullet is drawn',
  88: 'rows with fewer cells are filled up',
  89: 'Chromium tags no cells that are empty',
  92: 'Chromium tags no tables of one cell',
};

const folder = process.argv[2] ?? null;
const service = await serveInProcess();
let differences = 0;
try {
  const tags = ['{% for f in fs %}', '§{{ loop.index }}§', '{{ f | html }}', '{% endfor %}'];
  const page = FRAGMENTS.map((html, index) => `<p>§${index + 1}§</p><div>${html}</div>`).join('\n');
  const style = '<style>table { border-collapse: collapse } td, th { border: 1px solid }</style>';
  const chromium = await structures(
    'html',
    Buffer.from(`<!doctype html><meta charset="utf-8">${style}${page}`),
  );
  const ours = {
    docx: await structures('docx', await docx(tags.map((tag) => p(tag)).join(''))),
    odt: await structures('odt', await odf('odt', tags.map((tag) => tp(tag)).join(''))),
  };
  const listed = new Set<number>();
  for (const [format, found] of Object.entries(ours)) {
    for (const [index, html] of FRAGMENTS.entries()) {
      const [mine, theirs] = [found.get(index + 1), chromium.get(index + 1)];
      const differing = differingOf(mine, theirs);
      if (differing.length === 0) continue;
      if (KNOWN[index + 1] !== undefined) {
        listed.add(index + 1);
        continue;
      }
      differences += 1;
      console.log(`${format} ${index + 1}: ${html.slice(0, 200)}`);
      for (const name of differing) {
        console.log(`  ${name}: ${JSON.stringify(mine?.[name])}`);
        console.log(`  ${' '.repeat(name.length)}  ${JSON.stringify(theirs?.[name])} in Chromium`);
      }
    }
  }
  for (const number of Object.keys(KNOWN))
    if (!listed.has(Number(number))) console.log(`${number} is as in Chromium, and listed`);
  console.log(
    `${FRAGMENTS.length} fragments in docx and odt: ${differences} differences that are not listed, ${listed.size} fragments that are`,
  );
} finally {
  await service.stop();
}
process.exitCode = differences === 0 ? 0 : 1;

/** Has a template with all fragments printed, and reads the tags of the PDF. */
async function structures(
  format: 'html' | 'docx' | 'odt',
  template: Buffer,
): Promise<Map<number, Structure>> {
  const body = new FormData();
  body.append('file_data', new Blob([Uint8Array.from(template)]), `rich.${format}`);
  const isHtml = format === 'html';
  body.append(
    'template_data',
    JSON.stringify({ name: 'rich', format, templating_engine: isHtml ? 'none' : 'jinja2' }),
  );
  body.append('render_data', JSON.stringify({ fs: FRAGMENTS }));
  if (isHtml) body.append('render_options', '{"display_header_footer": false}');
  const headers = { authorization: service.token };
  const answer = await fetch(`${service.url}/v1/render/pdf`, { method: 'POST', headers, body });
  if (answer.status !== 200) throw new Error(`${format}: ${await answer.text()}`);
  const pdf = Buffer.from(await answer.arrayBuffer());
  const place = folder ?? service.dataDirectory;
  mkdirSync(place, { recursive: true });
  const file = path.join(place, `${format}.pdf`);
  writeFileSync(file, pdf);
  if (folder !== null) execFileSync('pdftoppm', ['-r', '60', '-png', file, path.join(folder, format)]);
  const text = (...how: string[]): string =>
    execFileSync('pdftotext', [...how, '-nopgbrk', file, '-'], { encoding: 'utf8' });
  // It complains of elements of PDF 2.0, which it does not know.
  const told = execFileSync('pdfinfo', ['-struct-text', file], {
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return fragmentsOf(readTree(told.toString()), [text('-raw'), text()], INDENTS[format]);
}

function differingOf(mine: Structure | undefined, theirs: Structure | undefined): (keyof Structure)[] {
  const names = ['headings', 'items', 'tables'] as const;
  const differing: (keyof Structure)[] = names.filter(
    (name) => JSON.stringify(mine?.[name]) !== JSON.stringify(theirs?.[name]),
  );
  // Glyphs of another font may be drawn behind their line, and cells beside each other.
  const isSame = mine?.texts.some((text, index) => text === theirs?.texts[index]) ?? false;
  return isSame ? differing : ['texts', ...differing];
}
