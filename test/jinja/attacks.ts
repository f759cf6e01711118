/**
 * Templates that try to get at the host, or to keep it busy, or to fill its memory. Each must end in an error, or in
 * nothing (`harmless`: what it reached for is simply not there).
 */
export interface Attack {
  name: string;
  template: string;
  /** JSON. */
  data?: string;
  templates?: Record<string, string>;
  /** Kinds of errors that are the right end. */
  ends: readonly string[] | 'harmless';
}

const BUDGET = ['BudgetError'] as const;
const UNDEFINED = ['UndefinedError', 'SecurityError'] as const;

/** Reaching for the host through JavaScript's or Python's back doors. */
const REACHING: readonly Attack[] = [
  {
    name: 'constructor of a function',
    template: '{{ range.constructor("return process")().pid }}',
    ends: UNDEFINED,
  },
  {
    name: 'constructor of a string',
    template: '{{ "".constructor.constructor("return 1")() }}',
    ends: UNDEFINED,
  },
  { name: 'prototype of a dict', template: '{{ {}.__proto__.polluted }}', ends: UNDEFINED },
  { name: 'prototype by key', template: '{{ {}["__proto__"]["x"] }}', ends: UNDEFINED },
  { name: 'prototype of a list', template: '{{ [].constructor.prototype }}', ends: UNDEFINED },
  {
    name: 'setting a prototype',
    template: '{% set d = {} %}{% do d.update({"__proto__": {"polluted": 1}}) %}{{ {}.polluted }}',
    ends: 'harmless',
  },
  {
    name: 'setting the prototype of a namespace',
    template:
      '{% set ns = namespace() %}{% set ns.__proto__ = {"polluted": 1} %}{{ namespace().polluted }}{{ {}.polluted }}',
    ends: 'harmless',
  },
  {
    name: 'prototype in the data',
    template: '{{ a.b }}{{ {}.b }}{{ b }}',
    data: '{"a":{"__proto__":{"b":"leak"}},"__proto__":{"b":"leak"}}',
    ends: 'harmless',
  },
  {
    name: 'globals of the host',
    template:
      '{{ process }}{{ globalThis }}{{ require }}{{ module }}{{ this }}{{ Function }}{{ eval }}{{ constructor }}{{ toString }}{{ hasOwnProperty }}',
    ends: 'harmless',
  },
  {
    name: 'filter named like an own property',
    template: '{{ 1|constructor }}',
    ends: ['TemplateAssertionError'],
  },
  {
    name: 'filter named by a value',
    template: '{{ [1]|map("constructor")|list }}',
    ends: ['TemplateRuntimeError'],
  },
  {
    name: 'test named like an own property',
    template: '{{ 1 is toString }}',
    ends: ['TemplateAssertionError'],
  },
  { name: 'attribute of a method', template: '{{ "".upper.constructor("x") }}', ends: UNDEFINED },
  {
    name: 'attribute of a macro',
    template: '{% macro m() %}{% endmacro %}{{ m.constructor.constructor("return 1")() }}',
    ends: UNDEFINED,
  },
  {
    name: 'attribute of the loop',
    template: '{% for x in [1] %}{{ loop.constructor("x") }}{% endfor %}',
    ends: UNDEFINED,
  },
  { name: 'length of a JavaScript array', template: '{{ [1].length.x }}', ends: UNDEFINED },
  { name: 'methods of JavaScript', template: '{{ "a".charCodeAt(0) }}', ends: UNDEFINED },
  { name: 'host methods of a list', template: '{{ [1].map(1) }}', ends: UNDEFINED },
  { name: 'private fields by name', template: '{{ namespace(a=1)["#attributes"].x }}', ends: UNDEFINED },
  { name: 'classes of Python', template: '{{ "".__class__.__mro__[1].__subclasses__() }}', ends: UNDEFINED },
  {
    name: 'classes of Python by filter',
    template: '{{ (""|attr("__class__"))|attr("__mro__") }}',
    ends: 'harmless',
  },
  {
    name: 'globals of a Python function',
    template: '{{ lipsum.__globals__["os"].popen("id").read() }}',
    ends: UNDEFINED,
  },
  { name: 'init of a cycler', template: '{{ cycler.__init__.__globals__.os }}', ends: UNDEFINED },
  {
    name: 'class through a format',
    template: '{{ "{0.__class__.__init__.__globals__}".format(cycler) }}',
    ends: UNDEFINED,
  },
  {
    name: 'constructor through a format',
    template: '{{ "{0.constructor.name}".format("a") }}',
    ends: UNDEFINED,
  },
  { name: 'items through a format', template: '{{ "{0[__proto__][x]}".format({}) }}', ends: UNDEFINED },
  {
    name: 'format_map with a class',
    template: '{{ "{a.__class__.x}".format_map({"a": 1}) }}',
    ends: UNDEFINED,
  },
  { name: 'globals of the template', template: '{{ self.__init__.__globals__ }}', ends: UNDEFINED },
  {
    name: 'environment through self',
    template: '{{ self._TemplateReference__context.environment.x }}',
    ends: UNDEFINED,
  },
  { name: 'file by include', template: '{% include "/etc/passwd" %}', ends: ['TemplateNotFound'] },
  { name: 'file by extends', template: '{% extends "../../../etc/passwd" %}', ends: ['TemplateNotFound'] },
  { name: 'file by import', template: '{% import "file:///etc/passwd" as x %}', ends: ['TemplateNotFound'] },
  {
    name: 'module of the host by import',
    template: '{% from "node:fs" import readFileSync %}',
    ends: ['TemplateNotFound'],
  },
  { name: 'names of the loader', template: '{% include "constructor" %}', ends: ['TemplateNotFound'] },
];

/** Keeping the host busy. */
const BUSY: readonly Attack[] = [
  {
    name: 'nested loops',
    template: '{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'nested loops that write',
    template: '{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'a list that grows in its loop',
    template: '{% set l = [1] %}{% for x in l %}{% do l.append(x) %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'a macro that calls itself',
    template: '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
    ends: BUDGET,
  },
  {
    name: 'macros that call each other twice',
    template: '{% macro a(n) %}{{ a(n+1) }}{{ a(n+1) }}{% endmacro %}{{ a(0) }}',
    ends: BUDGET,
  },
  {
    name: 'a call block within itself',
    template: '{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{{ m() }}',
    ends: BUDGET,
  },
  {
    name: 'a recursive loop without end',
    template: '{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'an include of itself',
    template: '{% include "main" %}',
    templates: { main: '{% include "main" %}' },
    ends: BUDGET,
  },
  {
    name: 'templates that extend each other',
    template: '{% extends "a" %}',
    templates: { a: '{% extends "b" %}', b: '{% extends "a" %}' },
    ends: BUDGET,
  },
  {
    name: 'a block that renders itself',
    template: '{% block a %}{{ self.a() }}{% endblock %}',
    ends: BUDGET,
  },
  {
    name: 'an import of itself',
    template: '{% import "a" as a %}',
    templates: { a: '{% import "a" as a %}' },
    ends: BUDGET,
  },
  { name: 'a large power', template: '{{ 2 ** 1000000000 }}', ends: BUDGET },
  { name: 'a tower of powers', template: '{{ 9 ** 9 ** 9 ** 9 ** 9 }}', ends: BUDGET },
  {
    name: 'a power of powers',
    template:
      '{% set ns = namespace(n=3) %}{% for i in range(100) %}{% set ns.n = ns.n * ns.n %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'a large number printed',
    template: '{% set n = 10 ** 4000 %}{{ n * 10 ** 200 * 10 ** 4000 }}',
    ends: [...BUDGET, 'ValueError'],
  },
  { name: 'a very large range', template: '{{ range(10 ** 12)|list|length }}', ends: ['OverflowError'] },
  {
    name: 'a range of ranges',
    template: '{% for i in range(100000) %}{% set x = range(100000)|list %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'sorting again and again',
    template: '{% set l = range(100000)|list %}{% for i in range(10000) %}{% set x = l|sort %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'unique of a long list again and again',
    template:
      '{% set l = range(100000)|list %}{% for i in range(10000) %}{% set x = l|unique|list %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'membership in a long list again and again',
    template: '{% set l = range(100000)|list %}{% for i in l %}{% if -1 in l %}{% endif %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'removing from the front again and again',
    template:
      '{% set l = range(100000)|list %}{% for i in range(100000) %}{% do l.pop(0) %}{% do l.insert(0, 1) %}{% endfor %}{% for i in range(100000) %}{% do l.pop(0) %}{% do l.insert(0, 1) %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'lower case of a long text again and again',
    template: '{% set s = "aB" * 4000000 %}{% for i in range(100000) %}{% set x = s.lower() %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'replacing in a long text again and again',
    template:
      '{% set s = "ab" * 4000000 %}{% for i in range(100000) %}{% set x = s|replace("a", "c") %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'searching a long text again and again',
    template: '{% set s = "ab" * 4000000 %}{% for i in range(100000) %}{% set x = "zz" in s %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'comparing long texts again and again',
    template:
      '{% set s = "ab" * 4000000 %}{% set t = "ab" * 4000000 %}{% for i in range(100000) %}{% set x = s == t %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'length of a long text again and again',
    template: '{% set s = "ab" * 4000000 %}{% for i in range(100000) %}{% set x = s|length %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'index into a long text again and again',
    template: '{% set s = "a😀" * 2000000 %}{% for i in range(100000) %}{% set x = s[i] %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'counting words of a long text again and again',
    template:
      '{% set s = "a b " * 2000000 %}{% for i in range(100000) %}{% set x = s|wordcount %}{% endfor %}',
    ends: BUDGET,
  },
  { name: 'wrapping a text without spaces', template: '{{ ("a-" * 2000000)|wordwrap(1) }}', ends: BUDGET },
  {
    name: 'wrapping a text of spaces',
    template: '{% for i in range(1000) %}{{ (" " * 1000000)|wordwrap(10) }}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'links in a word that is one long address',
    template:
      '{% for i in range(100000) %}{{ ("a." * 2000)|urlize }}{{ ("a@" ~ "a." * 2000)|urlize }}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'tags that never end',
    template:
      '{% for i in range(100000) %}{{ ("<" * 1000000)|striptags }}{{ ("<!--" * 100000)|striptags }}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'titles of a long text',
    template: '{% set s = "a-" * 1000000 %}{% for i in range(1000) %}{{ s|title }}{% endfor %}',
    ends: BUDGET,
  },
  { name: 'a format with many fields', template: '{{ ("{0}" * 1000000).format("a" * 1000) }}', ends: BUDGET },
  {
    name: 'a printf with many fields',
    template: '{{ ("%(a)s" * 1000000) % {"a": "a" * 1000} }}',
    ends: BUDGET,
  },
  {
    name: 'numbers read from long texts',
    template: '{% set s = "1" * 4300 %}{% for i in range(1000000) %}{% set x = s|int %}{% endfor %}',
    ends: [...BUDGET, 'OverflowError'],
  },
  {
    name: 'large numbers divided again and again',
    template:
      '{% set n = 3 ** 8000 %}{% for i in range(100000) %}{% for j in range(1000) %}{% set x = n // 7 %}{% endfor %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'large numbers printed again and again',
    template:
      '{% set n = 3 ** 8000 %}{% for i in range(100000) %}{% for j in range(1000) %}{% set x = n|string %}{% endfor %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'group by a long key',
    template:
      '{% set l = [{"k": "a" * 1000000}, {"k": "a" * 1000000}] * 1000 %}{% for i in range(1000) %}{% set x = l|groupby("k") %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'keys that are long tuples',
    template: '{% set t = (1,) * 100000 %}{% for i in range(100000) %}{% set d = {t: 1} %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'lists compared that share their elements',
    template:
      '{% set ns = namespace(a=[1], b=[1]) %}{% for i in range(40) %}{% set ns.a = [ns.a, ns.a] %}{% set ns.b = [ns.b, ns.b] %}{% endfor %}{{ ns.a == ns.b }}',
    ends: BUDGET,
  },
  {
    name: 'a list within itself compared',
    template: '{% set a = [] %}{% do a.append(a) %}{% set b = [] %}{% do b.append(b) %}{{ a == b }}',
    ends: BUDGET,
  },
  { name: 'lipsum without end', template: '{{ lipsum(100000000) }}', ends: BUDGET },
  { name: 'one long paragraph', template: '{{ lipsum(1, true, 100000000, 200000000) }}', ends: BUDGET },
  {
    name: 'cycling without end through generators',
    template:
      '{% set ns = namespace(g=[1]) %}{% for i in range(100000) %}{% set ns.g = ns.g|map("string") %}{% endfor %}{{ ns.g|list }}',
    ends: BUDGET,
  },
];

/** Filling memory. */
const FILLING: readonly Attack[] = [
  { name: 'a string repeated', template: '{{ "a" * 1000000000 }}', ends: BUDGET },
  {
    name: 'a string doubled',
    template:
      '{% set ns = namespace(s="a") %}{% for i in range(64) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'a string doubled by plus',
    template:
      '{% set ns = namespace(s="a") %}{% for i in range(64) %}{% set ns.s = ns.s + ns.s %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'many long strings kept',
    template: '{% set l = [] %}{% for i in range(100000) %}{% do l.append("ab" * 4000000 ~ i) %}{% endfor %}',
    ends: BUDGET,
  },
  { name: 'a list repeated', template: '{{ [0] * 1000000000 }}', ends: BUDGET },
  {
    name: 'a list doubled',
    template:
      '{% set ns = namespace(l=[1]) %}{% for i in range(64) %}{% set ns.l = ns.l + ns.l %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'a list extended by itself',
    template: '{% set l = [1] %}{% for i in range(64) %}{% do l.extend(l) %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'a dict that grows',
    template:
      '{% set d = {} %}{% for i in range(100000) %}{% for j in range(1000) %}{% do d.update({i ~ "-" ~ j: "x" * 1000}) %}{% endfor %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'a namespace that keeps lists',
    template: '{% set l = [] %}{% for i in range(100000) %}{% do l.append(range(100000)|list) %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'output without end',
    template: '{% for i in range(100000) %}{{ "a" * 100000 }}{% endfor %}',
    ends: BUDGET,
  },
  { name: 'a wide format', template: '{{ "{:1000000000}".format(1) }}', ends: BUDGET },
  { name: 'a precise format', template: '{{ "{:.1000000000f}".format(1.5) }}', ends: BUDGET },
  { name: 'a wide printf', template: '{{ "%1000000000d" % 1 }}', ends: BUDGET },
  { name: 'a printf as wide as its argument', template: '{{ "%*d" % (1000000000, 1) }}', ends: BUDGET },
  { name: 'centered in a wide field', template: '{{ "a"|center(1000000000) }}', ends: BUDGET },
  { name: 'filled with zeros', template: '{{ "1".zfill(1000000000) }}', ends: BUDGET },
  { name: 'indented far', template: '{{ ("a\\n" * 1000)|indent(1000000000) }}', ends: BUDGET },
  { name: 'tabs made wide', template: '{{ "\\t".expandtabs(1000000000) }}', ends: BUDGET },
  { name: 'batches filled up', template: '{{ [1]|batch(1000000000, "x")|list }}', ends: BUDGET },
  { name: 'slices without number', template: '{{ [1]|slice(1000000000)|list|length }}', ends: BUDGET },
  {
    name: 'replacing by something long',
    template: '{{ ("a" * 100000).replace("a", "b" * 100000) }}',
    ends: BUDGET,
  },
  {
    name: 'replacing nothing by something long',
    template: '{{ ("a" * 100000)|replace("", "b" * 100000) }}',
    ends: BUDGET,
  },
  { name: 'joined by something long', template: '{{ range(100000)|join("x" * 100000) }}', ends: BUDGET },
  { name: 'escaping what grows', template: '{{ ("&" * 9000000)|e|e|e|e|e }}', ends: BUDGET },
  {
    name: 'percent-encoding what grows',
    template: '{{ ("é" * 4000000)|urlencode|urlencode|urlencode }}',
    ends: BUDGET,
  },
  {
    name: 'json of a shared structure',
    template:
      '{% set ns = namespace(l=[1]) %}{% for i in range(40) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l|tojson }}',
    ends: BUDGET,
  },
  {
    name: 'a shared structure printed',
    template:
      '{% set ns = namespace(l=[1]) %}{% for i in range(40) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}',
    ends: BUDGET,
  },
  {
    name: 'a shared structure printed prettily',
    template:
      '{% set ns = namespace(l=[1]) %}{% for i in range(40) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l|pprint }}',
    ends: BUDGET,
  },
  { name: 'json indented far', template: '{{ [[[1]]]|tojson(indent=1000000000) }}', ends: BUDGET },
  {
    name: 'captures within captures',
    template: '{% set a %}{% for i in range(100000) %}{{ "x" * 1000 }}{% endfor %}{% endset %}',
    ends: BUDGET,
  },
  { name: 'a date in a wide format', template: '{{ now().strftime("%1000000000Y") }}', ends: BUDGET },
  {
    name: 'a date in a long format',
    template: '{% for i in range(1000) %}{{ now().strftime("%A" * 1000000) }}{% endfor %}',
    ends: BUDGET,
  },
];

/** Work of one call that grows faster than its input, or that nothing counted. */
const GROWING: readonly Attack[] = [
  {
    name: 'a printf with a million conversions',
    template: '{{ "%s" * 1000000 % (1,) }}',
    ends: ['TypeError'],
  },
  {
    name: 'the last entries of a dict, one after the other',
    template:
      '{% for i in range(100) %}{% set d = {}.fromkeys(range(50000)) %}{% for j in range(50000) %}{% set x = d.popitem() %}{% endfor %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'unique of tuples with long texts',
    template:
      '{% set l = [("a" * 1000000,)] * 1000 %}{% for i in range(1000) %}{% set x = l|unique|list %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'a constant with lists in lists',
    template: '{{ ([([([1] * 1000)] * 1000)] * 1000)|length }}',
    ends: ['1000'],
  },
  {
    name: 'a constant that is copied again and again',
    template: `{% for i in range(100000) %}{% set x = [${'[1, 2, 3, 4, 5, 6, 7, 8, 9], '.repeat(900)}] %}{% endfor %}`,
    ends: BUDGET,
  },
  {
    name: 'wrapping a long word at every character',
    template: '{{ ("a" * 400000)|wordwrap(1)|length }}',
    ends: ['799999'],
  },
  {
    name: 'wrapping a word of blanks that do not break',
    template: '{{ ("\u00a0" * 400000 ~ "x")|wordwrap(1)|length }}',
    ends: ['1'],
  },
  {
    name: 'a number with blanks within it',
    template: '{{ ("1" ~ " " * 1000000 ~ "1")|int }}',
    ends: ['0'],
  },
  {
    name: 'an attribute as long as a book',
    template:
      '{% set d = {} %}{% do d.update({"a": d}) %}{% for i in range(1000) %}{% set x = ([d] * 10000)|map(attribute="a" ~ ".a" * 10000)|list %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'named arguments from a long dict',
    template:
      '{% macro m() %}{{ kwargs|length }}{% endmacro %}{% set d = {} %}{% for i in range(50000) %}{% do d.update({"k" ~ i: i}) %}{% endfor %}{% for i in range(100000) %}{% set x = m(**d) %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'a mapping for a format, again and again',
    template:
      '{% set d = {} %}{% for i in range(50000) %}{% do d.update({"k" ~ i: i}) %}{% endfor %}{% for i in range(50000) %}{% set x = "{k1}".format_map(d) %}{% endfor %}',
    ends: 'harmless',
  },
  { name: 'paragraphs without words', template: '{{ lipsum(1000000000, false, 0, 1) }}', ends: BUDGET },
  {
    name: 'a translation that makes a text long',
    template: '{{ ("a" * 1000000).translate({97: "b" * 1000000}) }}',
    ends: BUDGET,
  },
  {
    name: 'beginnings from a long tuple',
    template:
      '{% set t = ("a" * 50000 ~ "b",) * 50000 %}{% set s = "a" * 60000 %}{% for i in range(1000) %}{% set x = s.startswith(t) %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'schemes for every word of a text',
    template:
      '{% set s = [] %}{% for i in range(20000) %}{% do s.append("s" ~ i ~ ":") %}{% endfor %}{{ ("a " * 1000000)|urlize(extra_schemes=s) }}',
    ends: BUDGET,
  },
  {
    name: 'attributes from a long dict, again and again',
    template:
      '{% set d = {} %}{% for i in range(20000) %}{% do d.update({"k" ~ i: i}) %}{% endfor %}{% for i in range(100000) %}{% set x = d|xmlattr %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'a query from a long dict, again and again',
    template:
      '{% set d = {} %}{% for i in range(20000) %}{% do d.update({"k" ~ i: i}) %}{% endfor %}{% for i in range(100000) %}{% set x = d|urlencode %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'words from the right, one after the other',
    template: '{{ ("a " * 400000).rsplit(none, 1000000)|length }}',
    ends: ['400000'],
  },
  {
    name: 'a long list sorted in place',
    template: '{% set l = range(100000)|list * 2 %}{% do l.sort() %}{{ l|length }}',
    ends: ['200000'],
  },
  {
    name: 'keys compared with a view, again and again',
    template:
      '{% set d = {} %}{% set l = range(100000)|list %}{% for i in range(100000) %}{% set x = d.keys().isdisjoint(l) %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'numbers of a large base, again and again',
    template: '{% set s = "z" * 4300 %}{% for i in range(100000) %}{% set x = s|int(0, 36) %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'fractions of small numbers, again and again',
    template:
      '{% for i in range(100000) %}{% for j in range(1000) %}{% set x = 5e-324.as_integer_ratio() %}{% endfor %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'a printf with many digits, again and again',
    template:
      '{% for i in range(100000) %}{% for j in range(1000) %}{% set x = "%.1000e" % (i + 0.1) %}{% endfor %}{% endfor %}',
    ends: BUDGET,
  },
  {
    name: 'includes that see many variables',
    template: `${Array.from({ length: 5000 }, (_, i) => `{% set v${i} = 1 %}`).join('')}{% for i in range(100000) %}{% include "a" %}{% endfor %}`,
    templates: { a: '' },
    ends: BUDGET,
  },
];

/** Breaking the parser. */
const PARSING: readonly Attack[] = [
  {
    name: 'ten thousand parentheses',
    template: `{{ ${'('.repeat(10_000)}1${')'.repeat(10_000)} }}`,
    ends: ['TemplateSyntaxError'],
  },
  {
    name: 'ten thousand brackets',
    template: `{{ ${'['.repeat(10_000)}${']'.repeat(10_000)} }}`,
    ends: ['TemplateSyntaxError'],
  },
  {
    name: 'ten thousand minus signs',
    template: `{{ ${'-'.repeat(10_000)}1 }}`,
    ends: ['TemplateSyntaxError'],
  },
  { name: 'ten thousand nots', template: `{{ ${'not '.repeat(10_000)}1 }}`, ends: ['TemplateSyntaxError'] },
  { name: 'ten thousand ifs', template: '{% if 1 %}'.repeat(10_000), ends: ['TemplateSyntaxError'] },
  {
    name: 'ten thousand inline ifs',
    template: `{{ ${'1 if 1 else '.repeat(10_000)}1 }}`,
    ends: ['TemplateSyntaxError'],
  },
  {
    name: 'a sum of a hundred thousand variables',
    template: `{{ ${Array.from({ length: 100_000 }, () => 'x').join('+')} }}`,
    ends: ['TemplateSyntaxError'],
  },
  {
    name: 'a hundred thousand filters',
    template: `{{ x${'|upper'.repeat(100_000)} }}`,
    ends: ['TemplateSyntaxError'],
  },
  {
    name: 'a hundred thousand attributes',
    template: `{{ x${'.a'.repeat(100_000)} }}`,
    ends: ['TemplateSyntaxError'],
  },
  {
    name: 'a number of a hundred thousand digits',
    template: `{{ ${'9'.repeat(100_000)} }}`,
    ends: [...BUDGET, 'ValueError', 'TemplateSyntaxError'],
  },
  {
    name: 'a call with a hundred thousand names',
    template: `{{ f(${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(',')}) }}`,
    ends: UNDEFINED,
  },
  {
    name: 'a string that does not end',
    template: `{{ "${'\\\\'.repeat(500_000)}`,
    ends: ['TemplateSyntaxError'],
  },
  {
    name: 'a comment that does not end',
    template: `{#${' #'.repeat(500_000)}`,
    ends: ['TemplateSyntaxError'],
  },
  {
    name: 'a raw block that does not end',
    template: `{% raw %}${'{% end'.repeat(200_000)}`,
    ends: ['TemplateSyntaxError'],
  },
  {
    name: 'white space without end before a tag',
    template: `${' \n'.repeat(500_000)}{{- x.y.z }}`,
    ends: UNDEFINED,
  },
];

export const ATTACKS: readonly Attack[] = [...REACHING, ...BUSY, ...FILLING, ...GROWING, ...PARSING];
