import { describe, expect, it } from 'vitest';
import { dataFaults, SchemaBudgetError, schemaFault } from '@platen/templating/data-schema';

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

describe('names of members that every object inherits', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__', '__defineGetter__'];
  const named = (name: string, value: unknown): string =>
    `{${JSON.stringify(name)}:${JSON.stringify(value)}}`;

  it.each(names)('%s: a property is described, required and found as any other', (name) => {
    const properties = `{"properties":${named(name, { type: 'integer' })},"additionalProperties":false}`;
    expect(dataFaults(properties, '{}')).toEqual([]);
    expect(dataFaults(properties, named(name, 1))).toEqual([]);
    expect(dataFaults(properties, named(name, 'a')).map(({ pointer }) => pointer)).toEqual([`/${name}`]);
    const required = `{"required":${JSON.stringify([name])}}`;
    expect(dataFaults(required, '{}')).toHaveLength(1);
    expect(dataFaults(required, named(name, null))).toEqual([]);
  });

  it.each(names)('%s: a format of that name is an annotation', (name) => {
    expect(dataFaults(JSON.stringify({ properties: { a: { format: name } } }), '{"a":"x"}')).toEqual([]);
  });

  it.each(names)('%s: data and schema of that name change no object', (name) => {
    const inner = named(name, { polluted: true });
    const schemaText = `{"properties":${inner},"$defs":${inner},"default":${inner}}`;
    expect(dataFaults(schemaText, inner)).toEqual([]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Reflect.get(Object, 'polluted')).toBeUndefined();
  });
});

describe('a schema that the validator cannot apply', () => {
  it.each<[string, object]>([
    ['names of the validator in a schema', { $ref: '#/$defs/a', $defs: { a: {} }, __absolute_ref__: 'x' }],
    ['a format that is a number in data', { enum: [{ format: 3 }, { a: 1 }] }],
  ])('%s: is applied all the same', (_, wrong) => {
    expect(schemaFault(wrong)).toBeNull();
    expect(dataFaults(JSON.stringify(wrong), '{"a":1}')).toEqual([]);
  });

  it('with keywords of an earlier draft is reported as a fault', () => {
    const [fault] = dataFaults('{"dependencies":{"a":null}}', '{"a":1}');
    expect(fault?.message).toMatch(/^The schema cannot be applied: /);
  });

  it('with two subschemas of one identifier is refused', () => {
    expect(schemaFault({ $id: 'https://a.example/', x: { id: 'https://a.example/' } })).toMatch(/identifier/);
  });
});

describe('work', () => {
  it('on long lists with uniqueItems ends with an error that names the limit', () => {
    const long = JSON.stringify({ a: Array.from({ length: 60_000 }, (_, at) => ({ at })) });
    expect(() => dataFaults('{"properties":{"a":{"uniqueItems":true}}}', long)).toThrow(SchemaBudgetError);
    expect(dataFaults('{"properties":{"a":{"minItems":3}}}', long)).toEqual([]);
  });

  it('on data of more than 500 levels ends with an error that names the limit', () => {
    const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(dataFaults('{}', nested(500))).toEqual([]);
    expect(() => dataFaults('{}', nested(501))).toThrow('it has more than 500 levels');
    expect(() => dataFaults('{}', nested(100_000))).toThrow(SchemaBudgetError);
  });

  it('on a schema that refers to itself without end ends with an error', () => {
    expect(() => dataFaults('{"$ref":"#"}', '{}')).toThrow(SchemaBudgetError);
  });
});
