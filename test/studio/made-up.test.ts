import { describe, expect, it } from 'vitest';
import type { Schema } from '../../packages/studio/src/api/types.ts';
import { madeUp, madeUpText } from '../../packages/studio/src/editor/made-up.ts';
import { withColumns } from '../../packages/studio/src/screens/batch-rows.ts';
import { fittingColumns, matchingOf } from '../../packages/studio/src/screens/columns.ts';

/** Data that the Studio makes up from the fields of a template, and columns that it matches with them. */

const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });

describe('made-up data', () => {
  it.each<[string, Schema, unknown]>([
    [
      'by its name',
      object({ email: {}, dueDate: {}, city: {}, unit_price: {} }),
      { email: 'ada@example.org', dueDate: '2026-03-14', city: 'Hamburg', unit_price: 1250 },
    ],
    [
      'by its type',
      object({ a: { type: 'number' }, b: { type: 'boolean' }, price: { type: 'string' } }),
      { a: 12, b: true, price: '1250' },
    ],
    ['by its format', object({ a: { format: 'date' } }), { a: '2026-03-14' }],
    ['by its choices', object({ a: { enum: ['x', 'y'] } }), { a: 'x' }],
    ['with the words of an unknown name', object({ gradeOfPaper: {} }), { gradeOfPaper: 'Grade of paper' }],
    [
      'in three rows',
      object({ items: { items: object({ name: {} }) } }),
      { items: [{ name: 'Paper' }, { name: 'Ink' }, { name: 'Envelopes' }] },
    ],
    [
      'by the object around it',
      object({ customer: object({ name: {} }) }),
      { customer: { name: 'Ada Lovelace' } },
    ],
    [
      'for names that nobody knows',
      { type: 'object', additionalProperties: { type: 'number' } },
      { first: 12, second: 12 },
    ],
  ])('has a value %s', (_, schema, value) => {
    expect(madeUp(schema)).toEqual(value);
  });

  it('keeps what is given, and fits the schema that data must match', () => {
    const fields = object({ a: {}, items: { items: object({ price: {}, note: {} }) } });
    const declared = object({ a: { type: 'integer' } });
    const text = madeUpText(fields, declared, { items: [{ price: 0 }], own: null });
    expect(JSON.parse(text)).toEqual({
      own: null,
      a: 12,
      items: [{ price: 0, note: 'A short text for this place.' }],
    });
  });

  it('ends for a schema that is wide and deep', () => {
    const wide = (depth: number): Schema =>
      depth === 0 ? {} : { items: object({ a: wide(depth - 1), b: wide(depth - 1), c: wide(depth - 1) }) };
    expect(madeUpText(object({ a: wide(6) }), null).length).toBeLessThan(1_000_000);
  });
});

describe('columns of a batch', () => {
  const schema = object({
    customer: object({ name: {}, city: {} }),
    items: { items: object({ price: { type: 'number' } }) },
  });

  it('are matched with nested fields by their names', () => {
    const columns = ['customer.name', 'Person', 'items[0].price', 'items[1].price'];
    expect(matchingOf(schema, { columns }, false)).toEqual({
      used: new Set(['customer.name', 'items[0].price', 'items[1].price']),
      missing: ['customer.city'],
    });
    // A cell of a table is no object, a value of JSON may be one.
    expect(matchingOf(schema, { columns: ['customer'] }, false).missing).toContain('customer.name');
    expect(matchingOf(schema, { columns: ['customer'] }, true).missing).toEqual(['items[0].price']);
  });

  it('are offered for fields that their values fit', () => {
    const rows = { columns: ['Person', 'cost'], rows: [{ Person: 'Ada', cost: '3.5' }], count: 1 };
    expect(fittingColumns(schema, 'items[0].price', rows)).toEqual(['cost']);
    expect(fittingColumns(schema, 'customer.name', rows)).toEqual(['Person', 'cost']);
  });

  it('become nested values in JSON, and nested names in tables', async () => {
    const names = new Map([
      ['Person', 'customer.name'],
      ['cost', 'items[0].price'],
    ]);
    const json = new File([JSON.stringify([{ Person: 'Ada', cost: 3, 'a.b': 1 }])], 'a.json');
    expect(JSON.parse(await (await withColumns(json, names)).text())).toEqual([
      { customer: { name: 'Ada' }, items: [{ price: 3 }], 'a.b': 1 },
    ]);
    const csv = new File(['Person,cost\nAda,3\n'], 'a.csv');
    expect(await (await withColumns(csv, names)).text()).toBe(
      '"customer.name","items[0].price"\r\n"Ada","3"\r\n',
    );
  });
});
