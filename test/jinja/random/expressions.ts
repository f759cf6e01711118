import { NUMBERS, WORDS } from './data.ts';
import { list } from '../../support/random.ts';
import type { Random } from '../../support/random.ts';
import {
  CONVERSIONS,
  DATES,
  FILTERS,
  METHODS,
  PERCENTS,
  RECORD_FILTERS,
  SLICES,
  SPECS,
  TESTS,
} from './vocabulary.ts';
import type { Kind } from './vocabulary.ts';

/** A variable and what it most likely is. */
export type Variable = readonly [name: string, kind: Kind];

/** Writes random expressions. */
export class ExpressionWriter {
  protected readonly random: Random;
  protected variables: Variable[] = [
    ['s', 'str'],
    ['t', 'str'],
    ['i', 'num'],
    ['f', 'num'],
    ['l', 'list'],
    ['d', 'dict'],
    ['v', 'any'],
    ['none', 'any'],
    ['missing', 'any'],
    ['nums', 'list'],
    ['words', 'list'],
  ];
  protected macros: string[] = [];
  protected inLoop = false;

  constructor(random: Random) {
    this.random = random;
  }

  /** An expression of a kind; now and then of another, to see what happens then. */
  expression(depth: number, wanted: Kind = this.kind()): string {
    const random = this.random;
    const kind = random.chance(0.02) ? this.kind() : wanted;
    if (depth <= 0) return this.#atom(kind);
    if (random.chance(0.08)) {
      return `${this.#operand(depth, kind)} if ${this.expression(depth - 1)}${random.chance(0.9) ? ` else ${this.#operand(depth, kind)}` : ''}`;
    }
    if (random.chance(0.06) && this.macros.length > 0) return this.#macroCall(depth);
    switch (kind) {
      case 'str':
        return this.#string(depth);
      case 'num':
        return this.#number(depth);
      case 'list':
        return this.#list(depth);
      case 'dict':
        return this.#dict(depth);
      default:
        return this.#any(depth);
    }
  }

  protected kind(): Kind {
    return this.random.pick(['str', 'str', 'num', 'num', 'list', 'dict', 'any']);
  }

  /** An expression that can stand on either side of an operator. */
  #operand(depth: number, kind: Kind): string {
    const inner = this.expression(depth - 1, kind);
    return /^[\w.]+$/u.test(inner) && !/^[\d.]/u.test(inner) ? inner : `(${inner})`;
  }

  /** Something of another kind made into the wanted one by a filter or a method. */
  #converted(depth: number, to: Kind): string {
    const random = this.random;
    if (random.chance(0.25)) {
      const filters = RECORD_FILTERS.filter(([kind]) => kind === to || to === 'any');
      return `rows|${random.pick(filters)[1]}`;
    }
    if (random.chance(0.08)) {
      const dates = DATES.filter(([kind]) => kind === to);
      if (dates.length > 0) return random.pick(dates)[1];
    }
    if (random.chance(0.4)) {
      const methods = METHODS.filter(([, kind]) => kind === to);
      if (methods.length > 0) {
        const [from, , method] = random.pick(methods);
        return `${this.#operand(depth, from)}.${method}`;
      }
    }
    const conversions = CONVERSIONS.filter(([, kind]) => kind === to);
    if (conversions.length === 0) return this.#atom(to);
    const [from, , filter] = random.pick(conversions);
    return `${this.#operand(depth, from)}|${filter}`;
  }

  #string(depth: number): string {
    const random = this.random;
    switch (random.below(9)) {
      case 0:
        return `${this.#operand(depth, 'str')} ~ ${this.#operand(depth, 'any')}`;
      case 1:
        return `${this.#operand(depth, 'str')} + ${this.#operand(depth, 'str')}`;
      case 2: {
        const kind = random.pick(['str', 'num'] as const);
        return `'${random.pick(PERCENTS[kind])}'${random.pick([' % ', '|format'])}(${this.expression(depth - 1, kind)})`;
      }
      case 3: {
        const kind = random.pick(['str', 'num'] as const);
        return `'{${random.pick(SPECS[kind])}}'.format(${this.expression(depth - 1, kind)})`;
      }
      case 4:
        return `${this.#operand(depth, 'str')}${random.pick(SLICES.filter((text) => text.includes(':')))}`;
      case 5:
        return `${this.#operand(depth, 'str')} * ${random.below(4)}`;
      case 6:
        return this.#converted(depth, 'str');
      default:
        return `${this.#operand(depth, 'str')}|${random.pick(FILTERS.str)}`;
    }
  }

  #number(depth: number): string {
    const random = this.random;
    switch (random.below(6)) {
      case 0:
      case 1:
        return `${this.#operand(depth, 'num')} ${random.pick(['+', '-', '*', '/', '//', '%'])} ${this.#operand(depth, 'num')}`;
      case 2:
        return `${this.#operand(depth, 'num')} ${random.pick(['**', '*', '-'])} ${random.below(4)}`;
      case 3:
        return `${random.pick(['-', '+', ''])}${this.#operand(depth, 'num')}`;
      case 4:
        return this.#converted(depth, 'num');
      default:
        return `${this.#operand(depth, 'num')}|${random.pick(FILTERS.num)}`;
    }
  }

  #list(depth: number): string {
    const random = this.random;
    const kind = this.kind();
    switch (random.below(7)) {
      case 0:
        return `[${list(random, 4, () => this.expression(depth - 1, kind)).join(', ')}]`;
      case 1:
        return `${this.#operand(depth, 'list')} + ${this.#operand(depth, 'list')}`;
      case 2:
        return `${this.#operand(depth, 'list')}${random.pick(SLICES.filter((text) => text.includes(':')))}`;
      case 3:
        return `range(${random.below(3)}, ${random.below(9)}, ${random.pick(['1', '2', '-1'])})${random.pick(['|list', ''])}`;
      case 4:
        return this.#converted(depth, 'list');
      default:
        return `${this.#operand(depth, 'list')}|${random.pick(FILTERS.list)}`;
    }
  }

  #dict(depth: number): string {
    const random = this.random;
    switch (random.below(4)) {
      case 0:
        return `dict(a=${this.expression(depth - 1)}, b=${this.expression(depth - 1)})`;
      case 1:
        return this.#converted(depth, 'dict');
      default:
        return `{${list(random, 3, () => `${random.pick(["'a'", "'b'", '1', '1.5', 'true', 's', 'none'])}: ${this.expression(depth - 1)}`).join(', ')}}`;
    }
  }

  #any(depth: number): string {
    const random = this.random;
    const kind = this.kind();
    switch (random.below(10)) {
      case 0:
        return `${this.#operand(depth, kind)} ${random.pick(['==', '!='])} ${this.#operand(depth, random.chance(0.7) ? kind : 'any')}`;
      case 1: {
        const ordered = random.pick(['str', 'num', 'list'] as const);
        return `${this.#operand(depth, ordered)} ${random.pick(['<', '<=', '>', '>='])} ${this.#operand(depth, ordered)}`;
      }
      case 2:
        return `${this.#operand(depth, kind)} is ${random.chance(0.2) ? 'not ' : ''}${random.pick([...TESTS[kind], ...TESTS.any])}`;
      case 3:
        return `${this.#operand(depth, kind)} ${random.pick(['in', 'not in'])} ${this.#operand(depth, 'list')}`;
      case 4:
        return `${this.#operand(depth, 'any')} ${random.pick(['and', 'or'])} ${this.#operand(depth, kind)}`;
      case 5:
        return `not ${this.#operand(depth, kind)}`;
      case 6:
        return `${this.#operand(depth, random.pick(['list', 'str']))}${random.pick(SLICES)}`;
      case 7:
        return `${this.#operand(depth, 'dict')}${random.pick(['.name', '.a', '.missing', "['a']", "['x y']", '.sub.k', '[1]', '.n'])}`;
      case 8:
        return this.#converted(depth, 'any');
      default:
        return `(${this.expression(depth - 1)}, ${this.expression(depth - 1)})`;
    }
  }

  #macroCall(depth: number): string {
    const random = this.random;
    const args = list(random, 2, () => this.expression(depth - 1));
    if (random.chance(0.3) && args.length < 2) args.push(`q=${this.expression(depth - 1)}`);
    return `${random.pick(this.macros)}(${args.join(', ')})`;
  }

  #atom(kind: Kind): string {
    const random = this.random;
    if (this.inLoop && random.chance(0.15)) {
      if (kind === 'num')
        return random.pick([
          'loop.index',
          'loop.index0',
          'loop.length',
          'loop.revindex',
          'loop.depth',
          'loop.revindex0',
          'loop.depth0',
        ]);
      if (kind === 'any')
        return random.pick([
          'loop.first',
          'loop.last',
          'loop.previtem',
          'loop.nextitem',
          'loop.changed(s)',
          'loop',
          'loop.nothing',
        ]);
      if (kind === 'str') return "loop.cycle('o', 'e', '<')";
    }
    const known = this.variables.filter(([, its]) => its === kind || (kind === 'any' && its !== 'any'));
    if (known.length > 0 && random.chance(0.7)) return random.pick(known)[0];
    switch (kind) {
      case 'num':
        return random.pick(NUMBERS);
      case 'list':
        return random.pick([
          '[]',
          "['b', 'A', 'c']",
          '[3, 1, 2]',
          '(1, 2)',
          'rows',
          "['x', 1, none]",
          'range(4)',
        ]);
      case 'dict':
        return random.pick(['{}', "{'a': 1, 'b': [2]}", 'rows[0]', "{'x y': 'z'}"]);
      case 'any':
        return random.pick(['true', 'false', 'none', 'missing', 'rows[0].sub.k', 'd.a', '1.0', "''"]);
      default:
        return `'${random.pick(WORDS).replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\t', '\\t')}'`;
    }
  }
}
