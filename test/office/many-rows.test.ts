import { describe, expect, it } from 'vitest';
import { RowMap } from '../../packages/office/src/calc/row-map.ts';
import { all, Element } from '../../packages/office/src/xml/tree.ts';
import { docx, p, png } from './build.ts';
import { fill, type Options, paragraphs, part } from './fill.ts';
import { odf, odfTable, tp } from './odf.ts';
import { cells, xlsx } from './xlsx.ts';

/** Documents of very many rows: the work grows with them, not with their square. */

/** Milliseconds of the processor that some work takes. */
async function cost(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const LOOPS = 8;
/** Passes of a loop, each with loops of its own and a sum of each. */
const NESTED = [
  ['{% for g in gs %}'],
  ...Array.from({ length: LOOPS }, (_, i) => [
    ['{% for v in g.vs %}'],
    ['{{ v }}'],
    ['{% endfor %}'],
    [`SUM A${i * 4 + 3}`],
  ]).flat(),
  ['{% endfor %}'],
];

function passes(count: number, values: readonly number[]): unknown {
  return { gs: Array.from({ length: count }, () => ({ vs: values })) };
}

describe('a sum of no rows in each iteration', () => {
  const written = (formula: (cell: string) => string): string[][] =>
    NESTED.map((row) => row.map((text) => text.replace(/^SUM (\w+)$/, (_, cell: string) => formula(cell))));

  it('costs hardly more than a sum of something, over very many passes', async () => {
    const rows = written((cell) => `=SUM(${cell}:${cell})`);
    const template = await xlsx([{ name: 'S', rows }]);
    const done = async (count: number, values: readonly number[]): Promise<Uint8Array> =>
      await fill(template, passes(count, values), { format: 'xlsx' });
    expect(await cells(await done(2, []))).toEqual(
      Object.fromEntries(
        Array.from({ length: 2 * LOOPS }, (_, i) => [`A${2 * i + 2}`, `=SUM(A${2 * i + 1}:A${2 * i + 1})`]),
      ),
    );
    await done(100, [1]);
    const something = await cost(async () => await done(4000, [1]));
    expect(await cost(async () => await done(4000, []))).toBeLessThan(2 * something + 200);
  }, 60_000);

  it('finds an empty row of its own in a spreadsheet of OpenDocument', async () => {
    const body = odfTable(...written((cell) => `[.${cell}:.${cell}]`)).replace(
      /<table:table-cell><text:p>(\[[^<]+)<\/text:p>/g,
      '<table:table-cell table:formula="of:=SUM($1)">',
    );
    const filled = await fill(await odf('ods', body), passes(2, []), { format: 'ods' });
    const rows = all(await part(filled, 'content.xml'), 'table:table-row');
    expect(rows.map((row) => row.elements()[0]?.get('table:formula') ?? '')).toEqual(
      Array.from({ length: 2 * LOOPS }, (_, i) => ['', `of:=SUM([.A${2 * i + 1}:.A${2 * i + 1}])`]).flat(),
    );
  });
});

it('finds merged cells in each of very many iterations', async () => {
  const element = new Element('x:row', 'row', []);
  const template = { origin: 1, count: 1, element };
  const repeated = new Map([[1, [element]]]);
  const filled = Array.from({ length: 40_000 }, (_, i) => ({
    template,
    row: i + 1,
    scope: { loop: 1, parent: null },
  }));
  let map = new RowMap([template], filled, repeated);
  const making = await cost(() => (map = new RowMap([template], filled, repeated)));
  const finding = await cost(() => expect(map.each(1, 1).at(-1)).toEqual([40_000, 40_000]));
  expect(finding).toBeLessThan(20 * making + 200);
});

describe('links, styles and pictures that all differ', () => {
  const loop = ['{%p for r in rows %}', '{{r r }}', '{%p endfor %}'];
  const link = (i: number): unknown => ({ text: 'a', url: `https://example.com/${i}` });
  const style = (i: number): unknown => ({ text: 'a', size: 5 + i / 100 });
  const picture = (i: number): unknown =>
    `data:image/png;base64,${png(1, 1, 96, [i % 256, i >> 8, 0]).toString('base64')}`;
  const image = '<image src="{{ r }}">';
  const odtImages = ['{%p for r in rows %}', image, '{%p endfor %}'];
  const odsImages = odfTable(['{%tr for r in rows %}'], [image], ['{%tr endfor %}']);
  const cases: [NonNullable<Options['format']>, string, () => Promise<Uint8Array>, (i: number) => unknown][] =
    [
      ['docx', 'links', async () => await docx(loop.map((text) => p(text)).join('')), link],
      ['odt', 'styles', async () => await odf('odt', loop.map((text) => tp(text)).join('')), style],
      ['odt', 'pictures', async () => await odf('odt', odtImages.map((text) => tp(text)).join('')), picture],
      ['ods', 'pictures', async () => await odf('ods', odsImages), picture],
    ];

  it.each(cases)('are filled in linear time in %s: %s', async (format, _, make, value) => {
    const template = await make();
    const done = async (count: number): Promise<Uint8Array> =>
      await fill(template, { rows: Array.from({ length: count }, (_, i) => value(i)) }, { format });
    await done(500);
    const few = await cost(async () => await done(1500));
    expect(await cost(async () => await done(12_000))).toBeLessThan(24 * few + 500);
  });
});

it('many blocks with one tag alone in its paragraph take linear time', async () => {
  const each = [p('{% if yes %}x'), p('{% endif %}'), p('q {% if yes %}x'), p('{% endif %}')].join('');
  const costOf = async (count: number): Promise<number> => {
    const template = await docx(each.repeat(count));
    return await cost(async () => {
      expect(await paragraphs(await fill(template, { yes: true }))).toHaveLength(3 * count);
    });
  };
  await costOf(100);
  // Eight times the blocks: a square would take sixty-four times as long.
  expect(await costOf(4000)).toBeLessThan(24 * (await costOf(500)));
});
