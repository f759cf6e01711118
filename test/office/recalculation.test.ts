import { beforeAll, describe, expect, it } from 'vitest';
import { fill } from './fill.ts';
import { recalculated } from './recalculated.ts';
import { type Rows, spreadsheet, SPREADSHEETS } from './sheets.ts';

/** The numbers of filled spreadsheets, as LibreOffice calculates them. */

interface Case {
  sheets: Readonly<Record<string, Rows>>;
  data: unknown;
  /** Sheets as shown, by name. */
  shown: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Parts of the warnings. */
  warnings?: readonly string[];
}

const LEDGER = { rows: [{ t: 'x', a: 10 }, { t: 'y', a: -30 }, { t: 'z', a: 5 }] }; // prettier-ignore
const GROUPS = { gs: [{ n: 'g', vs: [1, 2] }, { n: 'h', vs: [] }, { n: 'i', vs: [4] }] }; // prettier-ignore
const FOR = ['{% for r in rows %}'];
const END = ['{% endfor %}'];
const TWO_WAYS = 'can be read in two ways';

const CASES: Readonly<Record<string, Case>> = {
  'numbers beside block tags': {
    sheets: {
      S: [
        ['{% for r in rows %}{{ r.t }}', '{{ r.a }}{% endfor %}'],
        ['Total', '=SUM(B1)'],
        ['{% if paid %}{{ paid }}{% endif %}', '=A3*2'],
        ['{% if paid > 9 %}{{ rows[0].a }}{% else %}{{ paid }}{% endif %}', '=A4*2'],
        ['{% set t = paid * 3 %}{{ t }}', '=A5+1', '{% set u %}{{ paid }}{% endset %}{{ u }}0'],
        ['{% for r in rows %}{% if r.t == "y" %}{{ r.a }}{% endif %}{% endfor %}', '=A6+1'],
        [
          '{{ paid }} of {{ rows|length }}',
          '{{ 1.0 }}{{ true }}{{ none }}',
          '{% if paid %}{{ true }}{% endif %}',
        ],
      ],
    },
    data: { ...LEDGER, paid: 7 },
    shown: {
      S: [
        ['x', '10'],
        ['y', '-30'],
        ['z', '5'],
        ['Total', '-15'], // prettier-ignore
        ['7', '14'],
        ['7', '14'],
        ['21', '22', '70'],
        ['-30', '-29'],
        ['7 of 3', '1.0TrueNone', 'TRUE'], // prettier-ignore
      ],
    },
  },
  'addresses in texts of formulas, which are told': {
    sheets: {
      S: [
        FOR,
        ['{{ r.t }}', '{{ r.a }}'],
        END,
        ['last', 7],
        ['moved', '=INDIRECT("B4")', '=INDIRECT("S!B"&4)'],
      ],
      T: [[1, '=INDIRECT("A1")', '=INDIRECT("S!A"&1)']],
    },
    data: LEDGER,
    shown: {
      S: [['x', '10'], ['y', '-30'], ['z', '5'], ['last', '7'], ['moved', '7', '7']], // prettier-ignore
      T: [['1', '1', 'x']],
    },
    warnings: [],
  },
  'addresses in texts of formulas that do not lead to the same cells': {
    sheets: {
      S: [
        FOR,
        ['{{ r.t }}', '{{ r.a }}'],
        END,
        ['last', 7],
        ['moved', '=INDIRECT("B4")', '=INDIRECT("S!B"&4)'],
      ],
      T: [[1, '=INDIRECT("A1")', '=SUM(INDIRECT("S!B2:B4"))', '=INDIRECT("S!B4")']],
    },
    data: { rows: [...LEDGER.rows, { t: 'w', a: 1 }] },
    shown: {
      S: [['x', '10'], ['y', '-30'], ['z', '5'], ['w', '1'], ['last', '7'], ['moved', '1', '1']], // prettier-ignore
      T: [['1', '1', '-24', '1']],
    },
    warnings: ['The addresses in texts of the formulas of S!B5, T!C1, T!D1 are not adjusted'],
  },
  'addresses in texts of formulas that lead to a sheet that is gone': {
    sheets: {
      S: [['=IF(1>2,INDIRECT("Old!B"&2),5)', '=INDIRECT("T.A1")', '=HYPERLINK("#T!A1","t")']],
      Old: [['{%sheet if old %}'], [1, 2]],
      T: [[8]],
    },
    data: { old: false },
    shown: { T: [['8']] },
    warnings: ['The addresses in texts of the formulas of S!A1 are not adjusted'],
  },
  'a running balance': {
    sheets: {
      S: [['Opening', null, 100], FOR, ['{{ r.t }}', '{{ r.a }}', '=C1+B3'], END, ['Closing', null, '=C3']],
    },
    data: LEDGER,
    shown: {
      S: [['Opening', '', '100'], ['x', '10', '110'], ['y', '-30', '80'], ['z', '5', '85'], ['Closing', '', '85']], // prettier-ignore
    },
  },
  'lookups in a single cell of a repeated row': {
    sheets: {
      S: [
        FOR,
        ['{{ r.t }}', '{{ r.a }}'],
        END,
        ['=MATCH("y",A2,0)', '=INDEX(B2,2)', '=LOOKUP("y",A2,B2)', '=RANK(-30,B2)', '=COUNTIF(A2,A2)'],
      ],
    },
    data: LEDGER,
    shown: { S: [['x', '10'], ['y', '-30'], ['z', '5'], ['2', '-30', '-30', '3', '1']] }, // prettier-ignore
    warnings: [],
  },
  'a single cell of repeated rows within an argument of a sum, which is told': {
    sheets: {
      S: [
        FOR,
        ['{{ r.t }}', '{{ r.a }}'],
        END,
        ['=SUM(B2*2)', '=SUMPRODUCT((B2>0)*B2)', '=SUM(ROUND(B2,0))'],
      ],
      T: [['=IF(SUM(S!B2)<0,S!B2,0)']],
    },
    data: LEDGER,
    shown: { S: [['x', '10'], ['y', '-30'], ['z', '5'], ['10', '5', '5']], T: [['5']] }, // prettier-ignore
    warnings: ['S!A4, S!B4, S!C4', TWO_WAYS],
  },
  'a closing balance of no rows, which is told': {
    sheets: {
      S: [
        ['Opening', null, 100],
        FOR,
        ['{{ r.t }}', '{{ r.a }}', '=C1+B3'],
        END,
        ['Closing', '=SUM(B3)', '=C3'],
      ],
    },
    data: { rows: [] },
    shown: { S: [['Opening', '', '100'], [], ['Closing', '0', '0']] },
    warnings: ['S!C5', TWO_WAYS],
  },
  'totals of three nested loops of which an inner one has no passes': {
    sheets: {
      S: [
        ['{% for g in gs %}'],
        ['{{ g.n }}'],
        ['{% for x in g.xs %}'],
        ['{% for e in x.d %}'],
        ['{{ e }}', '=A5*2'],
        END,
        ['sx', '=SUM(B5)'],
        END,
        ['sg', '=SUM(B7)'],
        END,
        ['all', '=SUM(B9)'],
      ],
    },
    data: {
      gs: [
        { n: 'a', xs: [{ d: [1, 2] }] },
        { n: 'b', xs: [] },
      ],
    },
    shown: {
      S: [['a'], ['1', '2'], ['2', '4'], ['sx', '6'], ['sg', '6'], ['b'], [], ['sg', '0'], ['all', '6']], // prettier-ignore
    },
    warnings: [],
  },
  'a running balance that names the row of tags, in a block of two rows': {
    sheets: {
      S: [
        ['Opening', null, 100],
        FOR,
        ['{{ r.t }}', '{{ r.a }}', '=C2+B3'],
        ['note'],
        END,
        ['Closing', null, '=C3'],
      ],
    },
    data: LEDGER,
    shown: {
      S: [['Opening', '', '100'], ['x', '10', '110'], ['note'], ['y', '-30', '80'], ['note'], ['z', '5', '85'], ['note'], ['Closing', '', '85']], // prettier-ignore
    },
  },
  'a running total': {
    sheets: {
      S: [
        ['Text', 'Amount', 'Total'],
        FOR,
        ['{{ r.t }}', '{{ r.a }}', '=SUM(B$3:B3)', '=SUM(B$1:B3)', '=SUM(B3:B$3)'],
        END,
      ],
    },
    data: LEDGER,
    shown: { S: [['Text', 'Amount', 'Total'], ['x', '10', '10', '10', '-15'], ['y', '-30', '-20', '-20', '-25'], ['z', '5', '-15', '-15', '5']] }, // prettier-ignore
  },
  'shares and ranks': {
    sheets: {
      S: [
        FOR,
        [
          '{{ r.t }}',
          '{{ r.a }}',
          '=B2/SUM(B$2:B$2)',
          '=B2/B$4',
          '=B2/B4',
          '=RANK(B2,B$2:B$2)',
          '=COUNTIF(B$2:B$2,">"&B2)+1',
        ],
        END,
        ['Total', '=SUM(B2)', '=SUM(C2)', '=SUMPRODUCT(B2,C2)'],
      ],
    },
    data: { rows: [{ t: 'x', a: 5 }, { t: 'y', a: 10 }, { t: 'z', a: 25 }] }, // prettier-ignore
    shown: {
      S: [
        ['x', '5', '0.125', '0.125', '0.125', '3', '3'],
        ['y', '10', '0.25', '0.25', '0.25', '2', '2'],
        ['z', '25', '0.625', '0.625', '0.625', '1', '1'], // prettier-ignore
        ['Total', '40', '1', '18.75'],
      ],
    },
  },
  'a running balance over groups': {
    sheets: {
      S: [
        ['Opening', 100],
        ['{% for g in gs %}'],
        ['{{ g.n }}'],
        ['{% for v in g.vs %}'],
        ['{{ v }}', '=B4+A5', '=A5/SUM(A$5:A$5)'],
        END,
        END,
        ['Closing', '=B5', '=SUM(A5)'],
      ],
    },
    data: GROUPS,
    shown: { S: [['Opening', '100'], ['g'], ['1', '101', '0.333333333333333'], ['2', '103', '0.666666666666667'], ['h'], ['i'], ['4', '107', '1'], ['Closing', '107', '7']] }, // prettier-ignore
    warnings: [TWO_WAYS],
  },
  'the difference to the previous row': {
    sheets: { S: [['Start', 4], FOR, ['{{ r.t }}', '{{ r.a }}', '=B3-B1', '=B3*B$1'], END] },
    data: LEDGER,
    shown: { S: [['Start', '4'], ['x', '10', '6', '40'], ['y', '-30', '-40', '-120'], ['z', '5', '35', '20']] }, // prettier-ignore
    warnings: ['S!C3'],
  },
  'a rate above the block in a column that the block lacks': {
    sheets: { S: [['Rate', null, null, 0.5], FOR, ['{{ r.t }}', '{{ r.a }}', '=B3*D1'], END] },
    data: LEDGER,
    shown: { S: [['Rate', '', '', '0.5'], ['x', '10', '5'], ['y', '-30', '-15'], ['z', '5', '2.5']] }, // prettier-ignore
  },
  'the next row': {
    sheets: { S: [FOR, ['{{ r.t }}', '{{ r.a }}', '=B3-B2'], END, ['End', 0]] },
    data: LEDGER,
    shown: { S: [['x', '10', '-40'], ['y', '-30', '35'], ['z', '5', '-5'], ['End', '0']] }, // prettier-ignore
  },
  'a fixed cell of the block': {
    sheets: { S: [FOR, ['{{ r.a }}', '=A2/A$2'], END] },
    data: LEDGER,
    shown: { S: [['10', '1'], ['-30', '-3'], ['5', '0.5']] }, // prettier-ignore
    warnings: ['S!B2'],
  },
  'rows of another sheet': {
    sheets: {
      S: [FOR, ['{{ r.t }}', '{{ r.a }}'], END],
      T: [['=SUM(S!B2)', '=S!B2', '=VLOOKUP("y",S!$A$2:$B$2,2,0)', '=SUMIF(S!A2,"y",S!B2)']],
    },
    data: LEDGER,
    shown: { S: [['x', '10'], ['y', '-30'], ['z', '5']], T: [['-15', '5', '-30', '-30']] }, // prettier-ignore
    warnings: ['T!B1'],
  },
  'totals of subtotals': {
    sheets: {
      S: [
        ['{% for g in gs %}'],
        ['{{ g.n }}', '{{ g.vs|length }}'],
        ['{% for v in g.vs %}'],
        ['{{ v }}', '{{ v * 2 }}'],
        END,
        ['Subtotal', '=SUM(B4:B4)'],
        END,
        ['Total', '=SUM(B6)', '=COUNT(B6)', '=MAX(B6)', '=AVERAGE(B6)', '=LARGE(B6,2)', '=SUM(B4:B4)'],
      ],
    },
    data: { gs: [{ n: 'g', vs: [1, 2] }, { n: 'h', vs: [4] }] }, // prettier-ignore
    shown: {
      S: [
        ['g', '2'],
        ['1', '2'],
        ['2', '4'],
        ['Subtotal', '6'],
        ['h', '1'],
        ['4', '8'],
        ['Subtotal', '8'],
        ['Total', '14', '2', '8', '7', '6', '14'],
      ],
    },
  },
  'sums over two columns of one row of a block': {
    sheets: {
      S: [FOR, ['{{ r.a }}', '{{ r.a * 2 }}'], ['=SUM(A2:B2)', 9], END, ['=SUM(A2:B2)', '=SUM(A3:B3)']],
    },
    data: { rows: [{ a: 1 }, { a: 2 }] },
    shown: { S: [['1', '2'], ['3', '9'], ['2', '4'], ['6', '9'], ['9', '27']] }, // prettier-ignore
  },
  'amounts above taxes': {
    sheets: {
      S: [
        ['Net', '=SUM(B4)', '=COUNTA(A4)', '=SUM(C4)'],
        ['Item', 'Amount', 'Share', 'So far', 'Rank', 'Rest'],
        FOR,
        ['{{ r.t }}', '{{ r.a }}', '=B4/SUM(B$4:B$4)', '=SUM(B$4:B4)', '=RANK(B4,B$4:B$4)', '=SUM(B4:B$4)'],
        ['Tax', '=B4/5', 'note'],
        END,
        ['Taxes', '=SUM(B5:B5)', '=SUM(B4:B5)'],
      ],
      T: [['=SUM(S!B4)', '=SUM(S!B5)/SUM(S!B4:B4)']],
    },
    data: { rows: [{ t: 'x', a: 30 }, { t: 'y', a: 10 }, { t: 'z', a: 60 }] }, // prettier-ignore
    shown: {
      S: [
        ['Net', '100', '3', '1'],
        ['Item', 'Amount', 'Share', 'So far', 'Rank', 'Rest'],
        ['x', '30', '0.3', '30', '2', '100'],
        ['Tax', '6', 'note'],
        ['y', '10', '0.1', '40', '3', '70'],
        ['Tax', '2', 'note'],
        ['z', '60', '0.6', '100', '1', '60'],
        ['Tax', '12', 'note'],
        ['Taxes', '20', '120'],
      ],
      T: [['100', '0.2']],
    },
  },
  'amounts above taxes, in a function of one range': {
    sheets: { S: [FOR, ['{{ r.a }}', 1], ['=A2*2', 1], END, ['=SUMPRODUCT(A2:A2,B2:B2)']] },
    data: { rows: [{ a: 1 }, { a: 2 }] },
    shown: { S: [['1', '1'], ['2', '1'], ['2', '1'], ['4', '1'], ['5']] }, // prettier-ignore
    warnings: ['S!A5', TWO_WAYS],
  },
  'the same cell of several sheets, below rows of any number': {
    sheets: {
      Jan: [['{% for v in jan %}'], ['{{ v }}'], END, ['=SUM(A2)']],
      Feb: [['{% for v in feb %}'], ['{{ v }}'], END, ['=SUM(A2)']],
      Mar: [['{% for v in mar %}'], ['{{ v }}'], END, ['=SUM(A2)']],
      Year: [['=SUM(Jan:Mar!A4)', '=SUM(Mar:Feb!A2:A4)/2', '=MAX(Feb:Mar!A4)', '=COUNT(Jan:Feb!A1:A9)']],
    },
    data: { jan: [1, 2], feb: [10, 20, 30, 40], mar: [100, 200, 300, 400] },
    shown: {
      Jan: [['1'], ['2'], ['3']],
      Feb: [['10'], ['20'], ['30'], ['40'], ['100']],
      Mar: [['100'], ['200'], ['300'], ['400'], ['1000']],
      Year: [['1103', '1100', '1000', '8']],
    },
  },
};

describe('a filled spreadsheet that LibreOffice calculates shows', () => {
  const warnings: Record<string, string[]> = {};
  let shown: Record<string, string[][]> = {};
  beforeAll(async () => {
    const files: Record<string, Uint8Array> = {};
    for (const [i, { sheets, data }] of Object.values(CASES).entries()) {
      for (const format of SPREADSHEETS) {
        const list: string[] = [];
        const template = await spreadsheet(format, sheets);
        files[`c${i}.${format}`] = await fill(template, data, { format, warn: (text) => list.push(text) });
        warnings[`c${i}.${format}`] = list;
      }
    }
    shown = await recalculated(files);
  });

  Object.entries(CASES).forEach(([title, { shown: wanted, warnings: expected = [] }], i) => {
    it.each(SPREADSHEETS)(`${title} (%s)`, (format) => {
      const file = `c${i}.${format}`;
      for (const [sheet, rows] of Object.entries(wanted)) expect(shown[`${file}/${sheet}`]).toEqual(rows);
      const found = warnings[file] ?? [];
      expect(found.length > 0).toBe(expected.length > 0);
      for (const part of expected) expect(found.join(' ')).toContain(part);
    });
  });
});
