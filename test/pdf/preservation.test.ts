import { expect, it } from 'vitest';
import { mergePdfs } from '../../packages/pdf/src/operations/merge.ts';
import { describePdf, type OutlineEntry, type PdfDescription } from './describe.ts';
import { run, workspace } from './fixtures.ts';
import { richPdf } from './rich.ts';

/** How much of two documents each tool keeps when it merges them. */
interface Kept {
  fields: number;
  outlines: number;
  destinations: number;
  links: number;
  attachments: number;
  labels: number;
  layers: number;
  tags: number;
  orphanPages: number;
}

const NAMES = ['alpha', 'beta'];
const ALL: Kept = {
  fields: 8,
  outlines: 8,
  destinations: 10,
  links: 18,
  attachments: 2,
  labels: 6,
  layers: 4,
  tags: 6,
  orphanPages: 0,
};

const LABELS = ['i', 'ii', 'A-1', 'i', 'ii', 'A-1'];

function kept(merged: PdfDescription): Kept {
  const page = (file: number, number: number): number => file * 3 + number;
  const values = Object.values(merged.fields);
  const entries = merged.outline.flatMap(function all(entry: OutlineEntry): OutlineEntry[] {
    return [entry, ...entry.below.flatMap((below) => all(below))];
  });
  let fields = 0;
  let outlines = 0;
  let links = 0;
  for (const [file, name] of NAMES.entries()) {
    for (const n of [1, 2, 3]) {
      const pages = [page(file, n)];
      fields += count(values, ({ value, pages: on }) => value === `${name} value ${n}` && same(on, pages));
      outlines += count(
        entries,
        (entry) => entry.title === `${name} entry ${n}` && entry.page === page(file, n),
      );
      const targets = [page(file, (n % 3) + 1), page(file, 1), page(file, 1)];
      const found = merged.pages[page(file, n) - 1]?.links ?? [];
      links += targets.filter((target, slot) => found[slot] === target).length;
    }
    // One field, with a widget on two pages.
    const both = [page(file, 1), page(file, 2)];
    fields += count(values, ({ value, pages: on }) => value === `${name} both` && same(on, both));
    outlines += count(entries, (entry) => entry.title === `${name} child` && entry.page === page(file, 3));
  }
  return {
    fields,
    outlines,
    destinations: Object.values(merged.destinations).filter((target) => target !== null).length,
    links,
    attachments: merged.attachments.filter(({ content }) => NAMES.some((name) => content === `${name} note`))
      .length,
    labels: LABELS.filter((label, index) => merged.labels[index] === label).length,
    layers: NAMES.flatMap((name) => [
      merged.layers[`${name} layer`] === true,
      merged.layers[`${name} hidden`] === false,
    ]).filter(Boolean).length,
    tags: merged.tagged
      .flat()
      .filter(({ text, page: on }) => text === `${NAMES[on > 3 ? 1 : 0]} page ${((on - 1) % 3) + 1}`).length,
    orphanPages: merged.orphanPages,
  };
}

function count<T>(items: readonly T[], matches: (item: T) => boolean): number {
  return items.some(matches) ? 1 : 0;
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

it('keeps everything of both documents, as no other tool does (I-29)', async () => {
  const at = workspace();
  const paths = NAMES.map((name) => richPdf(at(`${name}.pdf`), name));
  const [first = '', second = ''] = paths;
  const tools: Record<string, () => unknown> = {
    platen: () =>
      mergePdfs(
        paths.map((path) => ({ path })),
        at('platen.pdf'),
      ),
    'qpdf --empty': () => void run('qpdf', '--empty', '--pages', first, second, '--', at('qpdf --empty.pdf')),
    'qpdf, first as primary': () =>
      void run('qpdf', first, '--pages', '.', second, '--', at('qpdf, first as primary.pdf')),
    'mutool merge': () => void run('mutool', 'merge', '-o', at('mutool merge.pdf'), first, second),
    pdfunite: () => void run('pdfunite', first, second, at('pdfunite.pdf')),
    ghostscript: () =>
      void run(
        'gs',
        '-q',
        '-dBATCH',
        '-dNOPAUSE',
        '-sDEVICE=pdfwrite',
        `-sOutputFile=${at('ghostscript.pdf')}`,
        first,
        second,
      ),
  };
  const table: Record<string, Kept> = {};
  for (const [name, merge] of Object.entries(tools)) {
    await merge();
    table[name] = kept(describePdf(at(`${name}.pdf`)));
  }
  console.table({ all: ALL, ...table });
  expect(table['platen']).toEqual(ALL);
  for (const [name, row] of Object.entries(table)) {
    if (name !== 'platen') expect([name, row]).not.toEqual([name, ALL]);
  }
});
