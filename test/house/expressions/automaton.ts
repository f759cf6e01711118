import { type CharSet, type Concatenation, type Element, JS, type NoParent } from 'refa';

/**
 * The position automaton of an expression (Glushkov): a state for each place of a character, and an edge for each way
 * from one to the next. Its paths are the ways in which the expression can read a text, and counting them tells how much
 * a matcher that goes back may have to try. Assertions are taken as met, repetitions with an end as two.
 */
export class Automaton {
  /** By state: what it reads. */
  readonly characters: CharSet[] = [];
  /** By state: the next states, and in how many ways they come next. */
  readonly next: Map<number, number>[] = [];
  /** States in which the expression may end whatever follows. */
  readonly ends = new Set<number>();
  /** States in which it may begin. */
  readonly begins = new Set<number>();

  /** @throws SyntaxError for what is no expression */
  constructor(source: string, flags: string) {
    const { expression } = JS.Parser.fromLiteral({ source, flags }).parse({
      assertions: 'parse',
      backreferences: 'unknown',
      simplify: false,
    });
    const whole = this.#alternatives(expression.alternatives, true);
    for (const state of whole.first) this.begins.add(state);
    for (const [state, isFree] of whole.last) if (isFree) this.ends.add(state);
  }

  #alternatives(alternatives: readonly NoParent<Concatenation>[], isBegin = false): Part {
    const parts = alternatives.map(({ elements }) => this.#sequence(elements, isBegin));
    return {
      empty: EMPTINESS.find((empty) => parts.some((part) => part.empty === empty)) ?? 'never',
      first: new Set(parts.flatMap(({ first }) => [...first])),
      last: new Map(parts.flatMap(({ last }) => [...last])),
    };
  }

  #sequence(elements: readonly NoParent<Element>[], isBegin: boolean): Part {
    let whole: Part = NOTHING;
    for (const [n, element] of elements.entries())
      whole = this.#joined(whole, this.#element(element, isBegin && n === 0));
    return whole;
  }

  #joined(a: Part, b: Part): Part {
    this.#connect(a, b);
    return {
      empty: EMPTINESS[Math.max(EMPTINESS.indexOf(a.empty), EMPTINESS.indexOf(b.empty))] ?? 'never',
      first: a.empty === 'never' ? a.first : new Set([...a.first, ...b.first]),
      last:
        b.empty === 'never'
          ? b.last
          : new Map([
              ...Array.from(a.last, ([state, free]) => [state, free && b.empty === 'free'] as const),
              ...b.last,
            ]),
    };
  }

  #connect(a: Part, b: Part): void {
    for (const from of a.last.keys()) {
      const next = this.next[from];
      for (const to of b.first) next?.set(to, (next.get(to) ?? 0) + 1);
    }
  }

  #element(element: NoParent<Element>, isBegin: boolean): Part {
    switch (element.type) {
      case 'CharacterClass':
        return this.#character(element.characters);
      case 'Alternation':
        return this.#alternatives(element.alternatives, isBegin);
      case 'Quantifier':
        return this.#repeated(element);
      case 'Assertion': {
        // What must not stand in front is read as another character: `(?<!0)0+$` begins once with each run.
        const before = isBegin ? notBefore(element) : null;
        return before === null ? { ...NOTHING, empty: 'sometimes' } : this.#character(before);
      }
      case 'Unknown':
        return { ...NOTHING, empty: 'sometimes' };
    }
  }

  #character(characters: CharSet): Part {
    const state = this.characters.push(characters) - 1;
    this.next.push(new Map());
    return { empty: 'never', first: new Set([state]), last: new Map([[state, true]]) };
  }

  #repeated({ alternatives, min, max }: NoParent<Extract<Element, { type: 'Quantifier' }>>): Part {
    const once = (): Part => this.#alternatives(alternatives);
    const maybe = (part: Part): Part => ({ ...part, empty: 'free' });
    let whole: Part = NOTHING;
    const copies = Math.min(max === Infinity ? min - 1 : max, 2);
    for (let n = 0; n < copies; n++) whole = this.#joined(whole, n < min ? once() : maybe(once()));
    if (max !== Infinity) return whole;
    const loop = once();
    this.#connect(loop, loop);
    return this.#joined(whole, min === 0 ? maybe(loop) : loop);
  }
}

/** What stands in front of an expression that begins with `(?<!x)`, for one character x. */
function notBefore({
  kind,
  negate,
  alternatives,
}: NoParent<Extract<Element, { type: 'Assertion' }>>): CharSet | null {
  const [element, ...others] = alternatives.length === 1 ? (alternatives[0]?.elements ?? []) : [];
  if (kind !== 'behind' || !negate || others.length > 0 || element?.type !== 'CharacterClass') return null;
  return element.characters.isAll ? null : element.characters.negate();
}

interface Part {
  /** Whether it may read nothing. */
  empty: 'free' | 'sometimes' | 'never';
  first: ReadonlySet<number>;
  /** With whether it may end there whatever follows. */
  last: ReadonlyMap<number, boolean>;
}

const EMPTINESS = ['free', 'sometimes', 'never'] as const;
const NOTHING: Part = { empty: 'free', first: new Set(), last: new Map() };
