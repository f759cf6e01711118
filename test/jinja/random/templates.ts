import type { Syntax } from '@platen/jinja';
import type { RenderCase } from '../oracle.ts';
import { data } from './data.ts';
import { ExpressionWriter } from './expressions.ts';
import type { Variable } from './expressions.ts';
import { Random } from '../../support/random.ts';

/** Writes random statements. */
class TemplateWriter extends ExpressionWriter {
  #blocks = 0;
  readonly withTranslations: boolean;

  constructor(random: Random, { withTranslations }: { withTranslations: boolean }) {
    super(random);
    this.withTranslations = withTranslations;
  }

  #tag(text: string): string {
    const open = this.random.chance(0.15) ? '{%-' : '{%';
    return `${open} ${text} ${this.random.chance(0.15) ? '-%}' : '%}'}`;
  }

  /** A body with further variables; what it defines is not known outside. */
  #scoped(variables: readonly Variable[], depth: number, options: { inLoop?: boolean } = {}): string {
    const { inLoop = this.inLoop } = options;
    const outer = { variables: this.variables, macros: this.macros, inLoop: this.inLoop };
    this.variables = [...outer.variables, ...variables];
    this.macros = [...outer.macros];
    this.inLoop = inLoop;
    const text = this.body(depth);
    Object.assign(this, outer);
    return text;
  }

  body(depth: number): string {
    return Array.from({ length: 1 + this.random.below(3) }, () => this.statement(depth)).join('');
  }

  statement(depth: number): string {
    const { random } = this;
    if (depth <= 0 || random.chance(0.45)) return this.#simple(depth);
    switch (random.below(14)) {
      case 0:
      case 1:
        return this.#for(depth);
      case 2:
        return this.#if(depth);
      case 3:
        return this.#macro(depth);
      case 4: {
        const kind = this.kind();
        return this.#around(
          `with w = ${this.expression(2, kind)}`,
          'endwith',
          this.#scoped([['w', kind]], depth - 1),
        );
      }
      case 5: {
        const filter = random.pick([
          'upper',
          "replace('a', '_')",
          'trim',
          'indent(1)',
          'e',
          'title',
          'wordwrap(9)',
        ]);
        return this.#around(`filter ${filter}`, 'endfilter', this.#scoped([], depth - 1));
      }
      case 6: {
        const filter = random.pick(['', '', '|upper', '|trim|e']);
        const text = this.#around(`set b${filter}`, 'endset', this.#scoped([], depth - 1));
        this.variables = [...this.variables, ['b', 'str']];
        return text;
      }
      case 7:
        return this.#around(
          `autoescape ${random.pick(['true', 'false', 'i'])}`,
          'endautoescape',
          this.#scoped([], depth - 1),
        );
      case 8:
        return this.#helper(depth);
      case 9:
        return this.#recursive(depth);
      case 10:
        return this.withTranslations ? this.#translation() : this.#for(depth);
      case 11:
      case 12:
        return this.#assignments(depth);
      default:
        return this.#callBlock(depth);
    }
  }

  /** One of the global classes, made, used in a loop, and looked at afterwards. */
  #helper(depth: number): string {
    const { random } = this;
    const kind = this.kind();
    const [make, use, show] = random.pick<readonly [string, string, string]>([
      [
        `cycler(${this.expression(1)}, 'b')`,
        '{{ h.next() }}',
        '{{ h.current }}{% do h.reset() %}{{ h.next() }}',
      ],
      ["joiner(' | ')", '{{ h() }}', '{{ h() }}'],
      ['joiner()', '{{ h() }}x', ''],
      [
        `namespace(n=${this.expression(1, kind)}, m=0)`,
        `{% set h.n = ${this.expression(1, kind)} %}{% set h.m = h.m + 1 %}`,
        '{{ h.n }}/{{ h.m }}{{ h.nothing }}',
      ],
      ["namespace({'a': 1}, b=s)", '{% set h.b = h.b ~ h.a %}', '{{ h.b }}'],
    ]);
    const body = this.#scoped([], depth - 1, { inLoop: true });
    return `{% set h = ${make} %}{% for e in ${this.expression(1, 'list')} %}${use}${body}{% endfor %}${show}`;
  }

  /** A loop over nested lists that calls itself. */
  #recursive(depth: number): string {
    const tree = this.random.pick([
      '[[1, [2, 3]], [[4]], []]',
      "[{'c': [{'c': []}]}, {'c': []}]",
      'v',
      'rows',
    ]);
    const into = this.random.pick(['e', 'e.c', 'e.tags']);
    const condition = this.random.pick(['', ' if e', ' if loop is defined']);
    const body = this.#scoped([['e', 'any']], depth - 1, { inLoop: true });
    const call = `{% if e is iterable and e is not string %}({{ loop(${into}) }}){% else %}{{ e }}{% endif %}`;
    return this.#around(`for e in ${tree}${condition} recursive`, 'endfor', `{{ loop.depth }}${call}${body}`);
  }

  /** A text to translate, and calls of the functions. */
  #translation(): string {
    const { random } = this;
    const head = random.pick(['', "'where' "]) + random.pick(['', '', 'trimmed ', 'notrimmed ']);
    const amount = `n=${this.expression(1, 'num')}`;
    return random.pick([
      `{% trans ${head}%}plain 100%\n  text{% endtrans %}`,
      `{% trans ${head}who=${this.expression(1)} %}Hi {{ who }} and\n {{ s }}!{% endtrans %}`,
      `{% trans ${head}${amount} %}one {{ n }}{% pluralize %}{{ n }} of {{ t }}{% endtrans %}`,
      `{% trans ${head}who=${this.expression(1)}, ${amount} %}{{ who }}{% pluralize n %}{{ n }}{% endtrans %}`,
      `{{ _('a <b> %(x)s', x=${this.expression(1)}) }}`,
      `{{ gettext(${this.expression(1, 'str')}) }}`,
      `{{ ngettext('%(num)s apple', '%(num)s apples', ${this.expression(1, 'num')}) }}`,
      `{{ pgettext('c', 'text')|upper }}{{ npgettext('c', 'one', 'many', ${random.below(3)}) }}`,
    ]);
  }

  #around(open: string, close: string, body: string): string {
    return this.#tag(open) + body + this.#tag(close);
  }

  #simple(depth: number): string {
    const { random } = this;
    switch (random.below(9)) {
      case 0:
        return random.pick([
          'text ',
          ' <i>é</i>\n',
          '\n  ',
          'a & b ',
          '{# comment #}',
          '{% raw %}{{ x }}{% endraw %}',
          ' ',
        ]);
      case 1: {
        const kind = this.kind();
        const name = random.pick(['s', 'x', 'y', 'l2']);
        const text = this.#tag(`set ${name} = ${this.expression(2, kind)}`);
        this.variables = [...this.variables.filter(([known]) => known !== name), [name, kind]];
        return text;
      }
      case 2:
        if (!this.inLoop) return this.#print(depth);
        return random.chance(0.5)
          ? `{% if ${this.expression(1, 'any')} %}{% ${random.pick(['break', 'continue'])} %}{% endif %}`
          : this.#tag(`do d.update({'u': ${this.expression(1, 'num')}})`);
      default:
        return this.#print(depth);
    }
  }

  #print(depth: number): string {
    const { random } = this;
    const [open, close] = [random.chance(0.1) ? '{{-' : '{{', random.chance(0.1) ? '-}}' : '}}'];
    return `${open} ${this.expression(Math.min(3, depth + 1))} ${close}${random.chance(0.5) ? ';' : ''}`;
  }

  #if(depth: number): string {
    const { random } = this;
    let text = this.#tag(`if ${this.expression(2, 'any')}`) + this.body(depth - 1);
    if (random.chance(0.4)) text += this.#tag(`elif ${this.expression(1, 'any')}`) + this.body(depth - 1);
    if (random.chance(0.5)) text += this.#tag('else') + this.body(depth - 1);
    return text + this.#tag('endif');
  }

  /** The same names read and assigned in several scopes: where a value comes from depends on all of them. */
  #assignments(depth: number): string {
    const { random } = this;
    const name = random.pick(['s', 'i', 'v', 'x', 'e', 'loop', 'missing']);
    const read = (): string =>
      random.pick([`{{ ${name} }}`, `{{ ${name}|default('-') }}`, `{{ ${name}.a }}`, '']);
    const set = (): string => {
      const value = this.expression(1);
      return random.pick([
        `{% set ${name} = ${value} %}`,
        `{% set ${name} = ${value} %}`,
        `{% set ${name}, y = ${value}, ${name} %}`,
        `{% set ${name} %}${read()}b{% endset %}`,
        `{% macro ${name}() %}${read()}m{% endmacro %}`,
        `{% set ns = namespace() %}{% set ns.a, ${name} = 1, 2 %}{{ ns.a }}`,
        '',
      ]);
    };
    const inside = (): string => {
      const [before, after] = [read() + set(), set() + read()];
      if (depth <= 1 || random.chance(0.4)) return before + after;
      const inner = this.#assignments(depth - 1);
      const scope = random.pick(['', 'for', 'with', 'macro', 'filter', 'call', 'autoescape']);
      switch (scope) {
        case 'for':
          return `${before}{% for ${random.pick(['e', name])} in [1, 2] %}${inner}{% else %}${set()}{% endfor %}${after}`;
        case 'with':
          return `${before}{% with ${random.pick(['w', name])} = ${name} %}${inner}{% endwith %}${after}`;
        case 'macro':
          return `${before}{% macro g(${random.pick(['', name])}) %}${inner}{% endmacro %}{{ g() }}${after}`;
        case 'filter':
          return `${before}{% filter upper %}${inner}{% endfilter %}${after}`;
        case 'call':
          return `${before}{% macro c() %}{{ caller() }}{% endmacro %}{% call c() %}${inner}{% endcall %}${after}`;
        case 'autoescape':
          return `${before}{% autoescape true %}${inner}{% endautoescape %}${after}`;
        default:
          return before + inner + after;
      }
    };
    let text = `${read()}{% if ${this.expression(1)} %}${inside()}`;
    if (random.chance(0.6)) text += `{% elif ${this.expression(1)} %}${inside()}`;
    if (random.chance(0.6)) text += `{% else %}${inside()}`;
    return `${text}{% endif %}${read()}`;
  }

  #for(depth: number): string {
    const { random } = this;
    const [target, iterable, variables] = random.pick<readonly [string, string, readonly Variable[]]>([
      ['e', this.expression(2, 'list'), [['e', 'any']]],
      ['e', 'nums', [['e', 'num']]],
      ['e', 'words', [['e', 'str']]],
      [
        'row',
        'rows',
        [
          ['row', 'dict'],
          ['row.name', 'str'],
          ['row.n', 'num'],
          ['row.tags', 'list'],
          ['row.sub', 'dict'],
        ],
      ],
      [
        'k, w',
        'd.items()',
        [
          ['k', 'str'],
          ['w', 'any'],
        ],
      ],
      ['e', `range(${random.below(4)})`, [['e', 'num']]],
      [
        'k, w',
        'd|dictsort',
        [
          ['k', 'str'],
          ['w', 'any'],
        ],
      ],
      [
        'g, es',
        "rows|groupby('name')",
        [
          ['g', 'str'],
          ['es', 'list'],
        ],
      ],
      ['e', "words|map('upper')", [['e', 'str']]],
    ]);
    const condition = random.chance(0.25) ? ` if ${this.expression(1, 'any')}` : '';
    const body = this.#scoped(variables, depth - 1, { inLoop: true });
    const otherwise = random.chance(0.3) ? this.#tag('else') + this.#scoped([], depth - 1) : '';
    return this.#around(`for ${target} in ${iterable}${condition}`, 'endfor', body + otherwise);
  }

  #macro(depth: number): string {
    const { random } = this;
    const name = `m${this.macros.length}`;
    const parameters: Variable[] = [
      ['p', 'any'],
      ['q', 'any'],
    ];
    if (random.chance(0.2)) parameters.push(['varargs', 'list']);
    if (random.chance(0.2)) parameters.push(['kwargs', 'dict']);
    const body = this.#scoped(parameters, depth - 1, { inLoop: false });
    const caller = random.chance(0.3) ? '{{ caller() if caller }}' : '';
    const text = this.#around(`macro ${name}(p, q=${this.expression(1)})`, 'endmacro', body + caller);
    this.macros = [...this.macros, name];
    return text;
  }

  #callBlock(depth: number): string {
    if (this.macros.length === 0) return this.#simple(depth);
    const body = this.#scoped([], depth - 1, { inLoop: false });
    return this.#around(`call ${this.random.pick(this.macros)}(${this.expression(1)})`, 'endcall', body);
  }

  /** A block, as only the outermost level of a template has it. */
  block(depth: number): string {
    const body = this.#scoped([], depth - 1, { inLoop: false });
    const above = this.random.chance(0.3) ? '{{ super() }}' : '';
    return `{% block block${this.#blocks++} %}${body}${above}{% endblock %}`;
  }
}

/** How a template uses another. */
const USES = [
  "{% include 'part' %}",
  "{% include 'part' without context %}",
  "{% include ['nothing', 'part'] %}",
  "{% include 'nothing' ignore missing %}",
  "{% import 'lib' as lib %}{{ lib.lm(s) }}{{ lib.lv }}",
  "{% import 'lib' as lib with context %}{% call lib.lm(t) %}x{% endcall %}{{ lib.nothing }}",
  "{% from 'lib' import lm, lv with context %}{{ lm(i, q=2) }}{{ lv }}",
  "{% from 'lib' import lm as other, nothing %}{{ other(d) }}{{ nothing }}",
  "{% for e in rows %}{% include 'part' %}{% endfor %}",
];

/** Other delimiters than the usual ones, put in place of them wherever they stand. */
const DELIMITERS: readonly (readonly [Partial<Syntax>, Readonly<Record<string, string>>])[] = [
  [
    {
      blockStart: '<%',
      blockEnd: '%>',
      variableStart: '${',
      variableEnd: '}',
      commentStart: '<#',
      commentEnd: '#>',
    },
    { '{%': '<%', '%}': '%>', '{{': '${', '}}': '}', '{#': '<#', '#}': '#>' },
  ],
  [
    {
      blockStart: '[[%',
      blockEnd: '%]]',
      variableStart: '[[',
      variableEnd: ']]',
      commentStart: '[[#',
      commentEnd: '#]]',
    },
    { '{%': '[[%', '%}': '%]]', '{{': '[[', '}}': ']]', '{#': '[[#', '#}': '#]]' },
  ],
];
const DELIMITER = /\{%|%\}|\{\{|\}\}|\{#|#\}/gu;

/** Options of how a template is written, and what is to be done to it so that it is written so. */
function randomSyntax(random: Random): { syntax: Partial<Syntax>; rewrite: (text: string) => string } {
  const syntax: Partial<Syntax> = {};
  if (random.chance(0.15)) syntax.trimBlocks = true;
  if (random.chance(0.15)) syntax.lstripBlocks = true;
  if (random.chance(0.05)) syntax.keepTrailingNewline = true;
  if (random.chance(0.05)) syntax.newlineSequence = '\r\n';
  const form = random.below(12);
  const other = DELIMITERS[form];
  if (other !== undefined) {
    const [delimiters, replacements] = other;
    const rewrite = (text: string): string =>
      text.replace(DELIMITER, (found) => replacements[found] ?? found);
    return { syntax: { ...syntax, ...delimiters }, rewrite };
  }
  if (form !== 2) return { syntax, rewrite: (text) => text };
  // Some tags that hold no line break become lines of their own.
  const rewrite = (text: string): string =>
    text.replace(/\{% ([^%\n]*) %\}/gu, (tag, inside: string) =>
      random.chance(0.5)
        ? `${random.pick(['\n', '\n  '])}%% ${inside}${random.pick(['', ' ', ' ## why'])}\n`
        : tag,
    );
  return { syntax: { ...syntax, lineStatementPrefix: '%%', lineCommentPrefix: '##' }, rewrite };
}

/** The random case of a seed. */
export function randomCase(seed: number): RenderCase {
  const random = new Random(seed);
  const withTranslations = random.chance(0.15);
  const another = (): TemplateWriter => new TemplateWriter(random, { withTranslations });
  const writer = another();
  const templates: Record<string, string> = {};
  let template = Array.from({ length: 1 + random.below(4) }, () => writer.statement(3)).join('');
  const form = random.below(10);
  if (form === 0) {
    const parent = random.chance(0.4) ? 'middle' : 'base';
    templates['base'] =
      `base[${another().block(2)}|{% block block1 ${random.pick(['', 'scoped', 'required'])} %}{% endblock %}]${another().statement(1)}`;
    templates['middle'] = `{% extends 'base' %}${another().block(1)}`;
    template = `{% extends '${parent}' %}${template}${writer.block(2)}`;
  } else if (form === 1) {
    templates['part'] = another().body(1);
    templates['lib'] =
      `{% macro lm(p, q=1) %}${another().body(1)}{% endmacro %}{% set lv = ${another().expression(1)} %}`;
    template += random.pick(USES);
  }
  const { syntax, rewrite } = randomSyntax(random);
  const options: RenderCase['options'] = {
    autoescape: random.chance(0.35),
    undefined: random.chance(0.85) ? 'default' : random.pick(['chainable', 'debug', 'strict'] as const),
    syntax,
    ...(withTranslations && { i18n: { newstyle: random.chance(0.5), trimmed: random.chance(0.3) } }),
  };
  return {
    name: `seed ${seed}`,
    template: rewrite(template),
    templates: Object.fromEntries(Object.entries(templates).map(([name, text]) => [name, rewrite(text)])),
    context: data(random),
    options,
  };
}
