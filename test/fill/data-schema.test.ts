import { describe, expect, it } from 'vitest';
import { dataFaults, schemaFault } from '@platen/templating/data-schema';

/** Data that are checked by a template's schema. */

const schema = {
  type: 'object',
  required: ['number'],
  properties: {
    number: { type: 'string', pattern: '^[A-Z]-' },
    'a/b~c': { type: 'integer' },
    items: { type: 'array', items: { $ref: '#/$defs/item' } },
    either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  additionalProperties: false,
  $defs: { item: { type: 'object', properties: { price: { type: 'number', minimum: 0 } } } },
};
const pointers = (data: object): string[] =>
  dataFaults(JSON.stringify(schema), JSON.stringify(data)).map(({ pointer }) => pointer);

describe('data', () => {
  it('have no fault if they fit the schema', () => {
    expect(schemaFault(schema)).toBeNull();
    expect(pointers({ number: 'A-1', items: [{ price: 1.5 }, {}], either: null, 'a/b~c': 3 })).toEqual([]);
  });

  it('have each fault with its JSON pointer, once, if they do not fit the schema', () => {
    const data = { number: '1', items: [{ price: 1 }, { price: -1 }, 7], either: 5, 'a/b~c': 1.5, more: 1 };
    expect(pointers(data).toSorted()).toEqual(
      ['/number', '/items/1/price', '/items/2', '/either', '/a~1b~0c', '/more'].toSorted(),
    );
    expect(pointers({})).toEqual(['']);
  });
});

describe('a schema', () => {
  it.each<[string, object]>([
    ['a type there is not', { properties: { a: { type: 'text' } } }],
    ['a keyword with a value it cannot have', { properties: { a: { minimum: '3' } } }],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['a reference to nothing', { items: { $ref: '#/$defs/none' } }],
    ['a base of its own within', { properties: { a: { $id: 'https://example.com/' } } }],
    ['a pattern that is none', { pattern: '(' }],
    ['something else than a schema', { items: 'a' }],
    ['more than 64 KB', { title: 'x'.repeat(70_000) }],
  ])('with %s is refused', (_, wrong) => {
    expect(schemaFault(wrong)).toEqual(expect.any(String));
  });

  it('may hold annotations of any kind, and refer to itself', () => {
    expect(schemaFault({ 'x-label': [1], properties: { child: { $ref: '#' } }, default: {} })).toBeNull();
    const data = '{"child":{"child":5}}';
    const self = '{"type":"object","properties":{"child":{"$ref":"#"}}}';
    expect(dataFaults(self, data).map(({ pointer }) => pointer)).toEqual(['/child/child']);
  });
});
