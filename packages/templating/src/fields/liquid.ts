import {
  AssignTag,
  CaptureTag,
  DecrementTag,
  ForTag,
  IncrementTag,
  RenderTag,
  TablerowTag,
  type Template,
  type Token,
  TokenKind,
  toValueSync,
  Value,
} from 'liquidjs';
import { parseLiquid, referenceOf } from '../references/liquid.ts';
import type { Inclusions } from './inclusions.ts';
import { addFilterInput, ELEMENT, SAME_LIST, SAME_VALUE, typeOfConstant } from './filters.ts';
import { Shape } from './shape.ts';

/** Finds the data that a Liquid template uses. */

/** The members of liquidjs's tokens, by kind. */
interface AnyToken {
  kind: TokenKind;
  props?: AnyToken[];
  /** The token inside the brackets of a variable. */
  variable?: AnyToken;
  content?: string | number | boolean;
  operator?: string;
  lhs?: AnyToken;
  rhs?: AnyToken;
}

/** The arguments that `render` and `include` pass to a partial. */
interface RenderParts {
  hash?: { hash: Record<string, AnyToken> };
  with?: { value: AnyToken; alias?: string };
  forBinding?: { value: AnyToken; alias?: string };
}

/** An operand: a value of the data, or the type of a constant. */
interface Operand {
  shape: Shape | null;
  constant?: ReturnType<typeof typeOfConstant>;
}

/**
 * @param root the shape of the data, to which this function adds
 * @throws LiquidError for a text that cannot be parsed
 */
export function findLiquidFields(source: string, root: Shape, inclusions: Inclusions): void {
  new Finder(root, inclusions).all(parseLiquid(source));
}

class Finder {
  readonly #root: Shape;
  readonly #scopes: Map<string, Shape | null>[] = [new Map()];
  readonly #inclusions: Inclusions;

  constructor(root: Shape, inclusions: Inclusions) {
    this.#root = root;
    this.#inclusions = inclusions;
  }

  all(templates: readonly Template[]): void {
    for (const template of templates) this.#template(template);
  }

  #template(template: Template): void {
    if (template instanceof ForTag || template instanceof TablerowTag) return this.#loop(template);
    if (template instanceof AssignTag) {
      const { key, value } = template as unknown as { key: string; value: Value };
      return this.#bind(key, this.#value(value));
    }
    for (const argument of template.arguments?.() ?? []) this.#argument(argument);
    this.all(childrenOf(template));
    this.#include(template);
    if (
      template instanceof CaptureTag ||
      template instanceof IncrementTag ||
      template instanceof DecrementTag
    )
      this.#bind((template as unknown as { variable: string }).variable, null);
  }

  #include(template: Template): void {
    const reference = referenceOf(template);
    if (reference === null) return;
    const { hash, with: single, forBinding: each } = template as unknown as RenderParts;
    const given = new Map(
      Object.entries(hash?.hash ?? {}).map(([name, token]) => [name, this.#token(token).shape] as const),
    );
    if (single?.alias !== undefined) given.set(single.alias, this.#token(single.value).shape);
    if (each?.alias !== undefined) given.set(each.alias, this.#token(each.value).shape?.items ?? null);
    this.#inclusions.follow(reference, (text) => {
      // A partial that `render` includes only sees its arguments.
      const finder = template instanceof RenderTag ? new Finder(new Shape(), this.#inclusions) : this;
      finder.#scopes.push(given);
      finder.all(parseLiquid(text));
      finder.#scopes.pop();
    });
  }

  #loop(tag: ForTag | TablerowTag): void {
    const { variable, collection, templates } = tag as unknown as {
      variable: string;
      collection: AnyToken;
      templates: Template[];
    };
    for (const argument of tag.arguments()) this.#argument(argument);
    const list = collection.kind === TokenKind.Range ? null : this.#token(collection).shape;
    this.#scopes.push(
      new Map([
        [variable, list?.items ?? null],
        ['forloop', null],
        ['tablerowloop', null],
      ]),
    );
    this.all(templates);
    this.#scopes.pop();
    const inLoop = new Set(templates);
    this.all(childrenOf(tag).filter((child) => !inLoop.has(child)));
  }

  /** An assigned name is visible until the end of the template. */
  #bind(name: string, shape: Shape | null): void {
    this.#scopes[0]?.set(name, shape);
  }

  #lookup(name: string): Shape | null {
    for (const scope of this.#scopes.toReversed()) if (scope.has(name)) return scope.get(name) ?? null;
    return this.#root.property(name);
  }

  #argument(argument: Value | Token | undefined): void {
    // liquidjs lists the absent parts of an `include` as undefined, and a literal name of the partial as a text;
    // neither uses data.
    if (argument === undefined || typeof argument !== 'object' || Array.isArray(argument)) return;
    if (argument instanceof Value) this.#value(argument);
    else this.#token(argument);
  }

  #value({ initial, filters }: Value): Shape | null {
    let shape = this.#expression(initial.postfix).shape;
    for (const { name, args } of filters) {
      for (const argument of args) {
        this.#token((Array.isArray(argument) ? argument[1] : argument) as unknown as AnyToken);
      }
      shape = afterFilter(name, shape, args as unknown as AnyToken[]);
    }
    return shape;
  }

  /** Analyses an expression in postfix form, as liquidjs stores it. */
  #expression(postfix: readonly AnyToken[]): Operand {
    const operands: Operand[] = [];
    for (const token of postfix) {
      if (token.kind !== TokenKind.Operator) {
        operands.push(this.#token(token));
        continue;
      }
      const right = operands.pop();
      if (token.operator === 'not' || right === undefined) {
        operands.push({ shape: null });
        continue;
      }
      const left = operands.pop() ?? { shape: null };
      const isComparison =
        token.operator !== 'and' && token.operator !== 'or' && token.operator !== 'contains';
      if (isComparison) {
        if (right.constant !== undefined) left.shape?.is(right.constant);
        if (left.constant !== undefined) right.shape?.is(left.constant);
      }
      operands.push({ shape: null });
    }
    return operands.at(-1) ?? { shape: null };
  }

  #token(token: AnyToken): Operand {
    switch (token.kind) {
      case TokenKind.PropertyAccess:
        return { shape: this.#path(token) };
      case TokenKind.Number:
      case TokenKind.Quoted:
      case TokenKind.Literal: {
        const constant = typeOfConstant(token.content);
        const isPlain = token.kind !== TokenKind.Literal || constant === 'boolean';
        return isPlain && constant !== undefined ? { shape: null, constant } : { shape: null };
      }
      case TokenKind.Range:
        for (const end of [token.lhs, token.rhs]) if (end) this.#token(end).shape?.is('integer');
        return { shape: null };
      case TokenKind.FilteredValue: {
        const { initial, filters } = token as unknown as Value;
        return { shape: this.#value({ initial, filters } as Value) };
      }
      default:
        return { shape: null };
    }
  }

  #path({ variable, props = [] }: AnyToken): Shape | null {
    const [first, ...rest] = variable === undefined ? props : [variable, ...props];
    if (first === undefined || (first.kind !== TokenKind.Word && first.kind !== TokenKind.Quoted))
      return null;
    let shape = this.#lookup(String(first.content));
    for (const part of rest) {
      if (part.kind === TokenKind.Number) shape = shape?.items ?? null;
      else if (part.kind === TokenKind.PropertyAccess) {
        this.#token(part);
        shape = null;
      } else if (part.kind === TokenKind.Word && (part.content === 'first' || part.content === 'last')) {
        shape = shape?.items ?? null;
      } else if (part.content === 'size') shape = null;
      else shape = shape?.property(String(part.content)) ?? null;
    }
    return shape;
  }
}

function childrenOf(template: Template): Template[] {
  return template.children === undefined ? [] : toValueSync<Template[]>(template.children(false, true));
}

/** Returns the value of a filter, and adds the type that the filter implies. */
function afterFilter(name: string, shape: Shape | null, args: readonly AnyToken[]): Shape | null {
  addFilterInput(name, shape);
  const [first] = args;
  const key = first?.kind === TokenKind.Quoted ? String(first.content) : undefined;
  if (shape === null) return null;
  if (key !== undefined && BY_KEY.has(name)) {
    const part = key.split('.').reduce((element, step) => element.property(step), shape.items);
    if (name === 'sum') part.is('number');
    if (name === 'map') return Shape.listOf(part);
  }
  if (SAME_LIST.has(name) || SAME_VALUE.has(name)) return shape;
  return ELEMENT.has(name) ? shape.items : null;
}

/** Filters whose first argument names a property of the elements of a list. */
const BY_KEY: ReadonlySet<string> = new Set([
  'map',
  'where',
  'sum',
  'group_by',
  'sort',
  'sort_natural',
  'uniq',
  'find',
]);
