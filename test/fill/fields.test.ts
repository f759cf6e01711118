import { describe, expect, it } from 'vitest';
import { fieldsOf } from '@platen/templating/fields';

/** The data that templates use, as JSON Schema. */

type Engine = Parameters<typeof fieldsOf>[1];
const properties = (text: string, engine: Engine = 'jinja2', given: string[] = []): unknown =>
  fieldsOf([text], engine, given)['properties'];
const list = (items: object): object => ({ type: 'array', items });
const object = (members: object): object => ({ type: 'object', properties: members });

describe('the fields of a Jinja template', () => {
  it.each<[string, string, object]>([
    ['a variable', '{{ a }}', { a: {} }],
    ['texts that filters change', '{{ a|replace("x", "y") }}', { a: { type: 'string' } }],
    ['attributes and keys', '{{ a.b["c d"] }}', { a: object({ b: object({ 'c d': {} }) }) }],
    [
      'a loop, its condition and what it is sorted by',
      '{% for i in o.items|sort(attribute="n") if i.ok %}{{ loop.index }}{{ i.p|round(2) }}{% endfor %}',
      { o: object({ items: list(object({ n: {}, ok: {}, p: { type: 'number' } })) }) },
    ],
    [
      'names and values of an object',
      '{% for k, v in m.items() %}{{ k }}{{ v.z }}{% endfor %}',
      { m: { type: 'object', additionalProperties: object({ z: {} }) } },
    ],
    [
      'what a name was set to',
      '{% set c = a.b %}{{ c.d }}{% with e = c.f %}{{ e.g }}{% endwith %}{{ e }}',
      { a: object({ b: object({ d: {}, f: object({ g: {} }) }) }), e: {} },
    ],
    [
      'what a macro does with what it is given',
      '{% macro m(x, y=1) %}{{ x.a }}{{ y|upper }}{% endmacro %}{{ m(c) }}{{ m(y=d) }}',
      { c: object({ a: {} }), d: { type: 'string' } },
    ],
    [
      'a macro that calls one further down',
      '{% macro outer(x) %}{{ inner(x.a) }}{% endmacro %}{% macro inner(y) %}{{ y|upper }}{% endmacro %}{{ outer(c) }}',
      { c: object({ a: { type: 'string' } }) },
    ],
    [
      'groups',
      '{% for g, rows in p|groupby("team") %}{% for r in rows %}{{ r.n }}{% endfor %}{% endfor %}',
      { p: list(object({ team: {}, n: {} })) },
    ],
    [
      'sums of parts',
      '{{ l|map(attribute="q.w")|sum }}',
      { l: list(object({ q: object({ w: { type: 'number' } }) })) },
    ],
    [
      'types of tests, comparisons and sums',
      '{% if n is number and b == true and s == "x" and i is odd and t > 1.5 %}{% endif %}{{ d - 1 }}',
      {
        n: { type: 'number' },
        b: { type: 'boolean' },
        s: { type: 'string' },
        i: { type: 'integer' },
        t: { type: 'number' },
        d: { type: 'number' },
      },
    ],
    [
      'defaults',
      '{{ a.b|default("x") }}{{ (c or e).d }}',
      { a: object({ b: {} }), c: object({ d: {} }), e: {} },
    ],
    [
      'blocks',
      '{% block a %}{{ x }}{{ super() }}{% endblock %}{% if q %}{{ y }}{% elif r %}{{ z }}{% endif %}',
      { x: {}, q: {}, y: {}, r: {}, z: {} },
    ],
  ])('are found in %s', (_, text, expected) => {
    expect(properties(text)).toEqual(expected);
  });

  it('contain neither names of the template itself nor images', () => {
    const text =
      '{% for i in range(3) %}{{ loop.index }}{{ now().year }}{% endfor %}{{ logo }}{{ company.seal }}';
    expect(properties(text, 'jinja2', ['logo', 'company.seal'])).toBeUndefined();
  });

  it('are found in time that grows with the template, even if macros call one another', () => {
    const macros = Array.from(
      { length: 60 },
      (_, n) =>
        `{% macro m${n}(x) %}${n === 0 ? '{{ x.v }}' : `{{ m${n - 1}(x.a) }}{{ m${n - 1}(x.b) }}`}{% endmacro %}`,
    );
    const text = (all: readonly string[]): string => `${all.join('')}{{ m59(data) }}`;
    expect(properties(text(macros))).toMatchObject({ data: { type: 'object' } });
    expect(properties(text(macros.toReversed()))).toMatchObject({ data: { type: 'object' } });
    const chain = Array.from(
      { length: 15_000 },
      (_, n) => `{% macro a${n}() %}{{ a${n + 1}() }}{% endmacro %}`,
    );
    expect(properties(chain.join(''))).toEqual({ a15000: {} });
  });
});

describe('the fields of a Liquid template', () => {
  it('are those of its outputs, loops, conditions and assignments', () => {
    const text =
      '{{ a.b[0]["c d"] | upcase }}{% for x in l %}{{ x.n }}{{ forloop.index }}{% else %}{{ e }}{% endfor %}' +
      '{% assign q = a.z | sort: "k" %}{% if u > 3 and w == "s" %}{{ q.first.m }}{% endif %}' +
      '{% capture own %}{{ i }}{% endcapture %}{{ own }}{% case c %}{% when 1 %}{{ v }}{% endcase %}{{ logo }}';
    expect(properties(text, 'liquid', ['logo'])).toEqual({
      a: object({
        b: list(object({ 'c d': { type: 'string' } })),
        z: list(object({ k: {}, m: {} })),
      }),
      l: list(object({ n: {} })),
      e: {},
      u: { type: 'number' },
      w: { type: 'string' },
      i: {},
      c: {},
      v: {},
    });
  });
});

it('are JSON Schema 2020-12, of all texts together', () => {
  expect(fieldsOf(['{{ a }}', '{{ b }}'], 'flask')).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { a: {}, b: {} },
  });
});
