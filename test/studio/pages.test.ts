import { describe, expect, it } from 'vitest';
import { POSITIONS } from '../../packages/pdf/src/steps/types.ts';
import type { Report } from '../../packages/studio/src/api/types.ts';
import { findingsOf } from '../../packages/studio/src/editor/findings.ts';
import { differenceOf } from '../../packages/studio/src/editor/page-diff.ts';
import { inLines } from '../../packages/studio/src/editor/parts.ts';
import { areaBetween, moved } from '../../packages/studio/src/pdf/area.ts';
import { ranges, stepsFor, withMoved } from '../../packages/studio/src/pdf/page-order.ts';
import { withColumns, withRows } from '../../packages/studio/src/screens/batch-rows.ts';
import { formOf, TOOLS } from '../../packages/studio/src/screens/pdf-operations.ts';
import { ROUTES } from '../../packages/contract/src/routes.ts';

/** What the Studio makes of pages, boxes on them, reports and rows, without a browser. */

const tool = (name: string) => {
  const found = TOOLS.find(({ operation }) => operation === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
};

describe('PDF tools', () => {
  it('are routes, with fields that these have', () => {
    for (const each of TOOLS) {
      const route = ROUTES.find(({ path }) => path === `/v1/pdf/${each.operation}`);
      expect(route, each.operation).toBeDefined();
      const values = Object.fromEntries(each.fields.map(({ name, initial }) => [name, initial || '1']));
      const area = { page: 1, x: 1, y: 1, w: 1, h: 1 };
      const sent = formOf(each, values, each.areas === undefined ? [] : [area]);
      const form = route !== undefined && 'form' in route ? Object.keys(route.form.shape) : [];
      expect(form, each.operation).toEqual(expect.arrayContaining(Object.keys(sent)));
    }
  });

  it('offer the places on a page that stamps can have', () => {
    const { choices } = tool('stamp').fields.find(({ name }) => name === 'position') ?? {};
    expect([...(choices ?? [])].toSorted()).toEqual([...POSITIONS].toSorted());
  });

  it('sign where a box was drawn, and nowhere without one', () => {
    const values = { key: 'seal', seen: 'Paid' };
    expect(formOf(tool('sign'), values)).toEqual({ key: 'seal' });
    const { appearance = '' } = formOf(tool('sign'), values, [{ page: 2, x: 1, y: 2, w: 3, h: 4 }]);
    expect(JSON.parse(appearance)).toEqual({ page: 2, x: 1, y: 2, w: 3, h: 4, text: 'Paid' });
  });
});

describe('boxes on pages', () => {
  const page = { number: 3, width: 72 * 10, height: 72 * 20 };

  it('are centimetres from the top left corner, in every direction of drawing', () => {
    const area = { page: 3, x: 2.54, y: 5.08, w: 5.08, h: 10.16 };
    expect(areaBetween(page, { x: 0.1, y: 0.1 }, { x: 0.3, y: 0.3 })).toEqual(area);
    expect(areaBetween(page, { x: 0.3, y: 0.3 }, { x: 0.1, y: 0.1 })).toEqual(area);
  });

  it('end at the edge of the page, and are ignored if the mouse hardly moved', () => {
    expect(areaBetween(page, { x: 0.9, y: 0.9 }, { x: 4, y: 4 })).toMatchObject({ w: 2.54, h: 5.08 });
    expect(areaBetween(page, { x: 0.5, y: 0.5 }, { x: 0.501, y: 0.9 })).toBeNull();
  });

  it('are moved and sized within the page, and keep a minimum size', () => {
    const area = { page: 1, x: 0.05, y: 1, w: 0.15, h: 1 };
    expect(moved(area, -0.1, 0.1, false)).toEqual({ ...area, x: 0, y: 1.1 });
    expect(moved(area, -0.1, 0.1, true)).toEqual({ ...area, w: 0.1, h: 1.1 });
  });
});

it('puts pages into order by the steps of one request', () => {
  expect(ranges([1, 2, 3, 7, 6, 6])).toBe('1-3,7,6,6');
  expect(withMoved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  const pages = [
    { number: 3, turn: 90 },
    { number: 1, turn: 0 },
    { number: 2, turn: 90 },
  ];
  expect(stepsFor(pages)).toEqual([{ pages: { pages: '3,1-2' } }, { rotate: { angle: 90, pages: '1,3' } }]);
});

it('marks added, removed and unchanged pixels of a page', () => {
  const [white, black] = [
    [255, 255, 255, 255],
    [0, 0, 0, 255],
  ];
  const pixels = (...points: number[][]) => Uint8ClampedArray.from(points.flat());
  const nearly = [230, 230, 230, 255];
  const { pixels: shown, changed } = differenceOf(
    pixels(white, black, black, white),
    pixels(black, white, black, nearly),
  );
  expect(changed).toBe(2);
  const [r = [], g = [], pale = [], same = []] = [0, 4, 8, 12].map((at) => [...shown.slice(at, at + 3)]);
  expect(r).toEqual([18, 132, 74]);
  expect(g).toEqual([200, 38, 30]);
  expect(Math.min(...pale)).toBeGreaterThan(150);
  expect(Math.min(...same)).toBeGreaterThan(240);
});

it('lists every problem in a report', () => {
  const report: Report = {
    pages: 1,
    bytes: 1,
    timings: { total: 1 },
    resources: [
      { address: 'a.png', status: 404, bytes: null, error: 'not found' },
      { address: 'b.png', status: 200, bytes: 1, error: null },
    ],
    console: null,
    fonts: { requested: ['X'], used: ['Arimo'], substituted: [{ requested: 'X', used: 'Arimo' }] },
    missing_glyphs: [{ character: '͸', code: 'U+0378', page: 2 }],
    overflow: [{ element: 'table', page: 1, by: 1.25 }],
    images: [{ element: null, page: 1, dpi: 71.6 }],
    undefined_names: [],
    printed_markup: [],
    violations: [{ rule: 'pdf/ua-1', page: null, element: null, detail: 'no title' }],
  };
  const said = findingsOf(report).map(({ kind, said: words, page }) => `${kind} ${page}: ${words}`);
  expect(said).toEqual([
    'violations null: pdf/ua-1: no title',
    'overflow 1: table by 1.3 cm',
    'glyphs 2: ͸ (U+0378) is shown as an empty box',
    'substituted null: Arimo instead of X',
    'resources null: a.png: not found',
    'images 1: An image: 72 dpi',
  ]);
});

describe('rows that failed', () => {
  it.each([
    [
      'a.csv',
      'name;n\r\n"A; ""B""";1\r\nC;2\r\n"D\nE";3\r\n',
      '"name","n"\r\n"D\nE","3"\r\n"A; ""B""","1"\r\n',
    ],
    ['a.jsonl', '{"n":1}\n\n{"n":2}\n{"n":3}\n', '{"n":3}\n{"n":1}\n'],
    ['a.json', '[{"n":1},{"n":2},{"n":3}]', '[\n  {\n    "n": 3\n  },\n  {\n    "n": 1\n  }\n]'],
  ])('are extracted from %s into a file of the same kind', async (name, content, expected) => {
    const file = await withRows(new File([content], name), [2, 0]);
    expect(file.name).toBe(name);
    expect(await file.text()).toBe(expected);
  });
});

it.each([
  ['a.csv', 'Full name;n\nA;1\n', '"name","n"\r\n"A","1"\r\n'],
  ['a.jsonl', '{"Full name":"A","n":1}\n', '{"name":"A","n":1}\n'],
  ['a.json', '[{"Full name":"A","n":1}]', '[{"name":"A","n":1}]'],
])('gives columns of %s the names of fields', async (name, content, expected) => {
  const file = await withColumns(new File([content], name), new Map([['Full name', 'name']]));
  expect(await file.text()).toBe(expected);
  const same = new File([content], name);
  expect(await withColumns(same, new Map())).toBe(same);
});

it('writes long data that are one line in lines, and leaves others as they are', () => {
  const long = JSON.stringify({ text: 'x'.repeat(30_000), n: 1 });
  expect(inLines(long).split('\n')).toHaveLength(4);
  expect(inLines('{"n":1}')).toBe('{"n":1}');
  expect(inLines(`{${' '.repeat(30_000)}`)).toHaveLength(30_001);
});
