import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  effectOf,
  OPTION_NAMES,
} from '../../packages/contract/src/option-effects.ts';
import { renderOptionsSchema } from '../../packages/contract/src/options.ts';

const page = readFileSync('docs/options.md', 'utf8');
const namesIn = (cell = ''): string[] => Array.from(cell.matchAll(/`(\w+)`/g), ([, name = '']) => name);

it('the table of effects has every option', () => {
  expect(OPTION_NAMES.toSorted()).toEqual(Object.keys(renderOptionsSchema.shape).toSorted());
});

it('docs/options.md lists every option once, with the documents that it works for and is refused for', () => {
  const tables = page.matchAll(/^\| option +\| works for +\| refused for +\|\n\|[- |]+\|\n((?:\|.*\n)+)/gm);
  const listed = Array.from(tables, ([, rows = '']) => rows.trim().split('\n')).flatMap((rows) =>
    rows.flatMap((row) => {
      const [, options, works, refused] = row.split('|');
      return namesIn(options).map(
        (option) => [option, { works: namesIn(works), refused: namesIn(refused) }] as const,
      );
    }),
  );
  const kinds = Object.keys(DOCUMENT_KINDS) as DocumentKind[];
  const where = (option: (typeof OPTION_NAMES)[number], effect: string): string[] =>
    kinds.filter((kind) => effectOf(option, kind) === effect);
  const known = OPTION_NAMES.map(
    (option) => [option, { works: where(option, 'honoured'), refused: where(option, 'refused') }] as const,
  );
  const byName = <T extends readonly [string, unknown]>(rows: readonly T[]): T[] =>
    rows.toSorted(([a], [b]) => a.localeCompare(b));
  expect(byName(listed)).toEqual(byName(known));
});

it('each task of docs/options.md has options that are valid', () => {
  const tasks = Array.from(
    page.matchAll(/^\| [^|`]+ \| `(\{.*\})` +\|$/gm),
    ([, json = '']) => JSON.parse(json) as object,
  );
  expect(tasks.length).toBeGreaterThan(10);
  for (const options of tasks) {
    expect(renderOptionsSchema.safeParse(options).error, JSON.stringify(options)).toBeUndefined();
    expect(Object.keys(options).filter((name) => !(name in renderOptionsSchema.shape))).toEqual([]);
  }
});
