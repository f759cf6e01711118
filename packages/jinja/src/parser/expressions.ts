import type * as ast from '../ast.ts';
import type { BinaryOperator } from '../values/operators.ts';
import { TokenParser } from './token-parser.ts';
import type { Token } from './tokens.ts';
import { describe } from './tokens.ts';

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const ARGUMENT_STARTS: ReadonlySet<string> = new Set(['name', 'string', 'integer', 'float', '(', '[', '{']);

/** Parses expressions. The order of precedence is the order of the methods, from the loosest to the tightest. */
export class ExpressionParser extends TokenParser {
  parseExpression(withConditional = true): ast.Expression {
    return this.nested(() => (withConditional ? this.#conditional() : this.#or()));
  }

  #conditional(): ast.Expression {
    let node = this.#or();
    for (let links = 0; this.stream.isName('if'); links = this.link(links)) {
      const { offset } = this.stream.next();
      const test = this.#or();
      const otherwise = this.stream.skipIf('name', 'else') ? this.nested(() => this.#conditional()) : null;
      node = { kind: 'conditional', test, whenTrue: node, otherwise, offset };
    }
    return node;
  }

  #or(): ast.Expression {
    let left = this.#and();
    for (let links = 0; this.stream.isName('or'); links = this.link(links)) {
      const { offset } = this.stream.next();
      left = { kind: 'or', left, right: this.#and(), offset };
    }
    return left;
  }

  #and(): ast.Expression {
    let left = this.#not();
    for (let links = 0; this.stream.isName('and'); links = this.link(links)) {
      const { offset } = this.stream.next();
      left = { kind: 'and', left, right: this.#not(), offset };
    }
    return left;
  }

  #not(): ast.Expression {
    if (!this.stream.isName('not')) return this.#compare();
    const { offset } = this.stream.next();
    return { kind: 'unary', operator: 'not', operand: this.nested(() => this.#not()), offset };
  }

  #compare(): ast.Expression {
    const left = this.#sum();
    const operations: ast.Compare['operations'] = [];
    for (;;) {
      const { type, offset } = this.stream.current;
      let operator: ast.ComparisonOperator;
      if (COMPARISONS.has(type)) {
        operator = type as ast.ComparisonOperator;
        this.stream.next();
      } else if (this.stream.skipIf('name', 'in')) {
        operator = 'in';
      } else if (this.stream.isName('not') && isName(this.stream.look(), 'in')) {
        operator = 'not in';
        this.stream.next();
        this.stream.next();
      } else {
        break;
      }
      operations.push({ operator, right: this.#sum(), offset });
    }
    return operations.length === 0 ? left : { kind: 'compare', left, operations, offset: left.offset };
  }

  #sum(): ast.Expression {
    let left = this.#concat();
    for (let links = 0; this.stream.is('+') || this.stream.is('-'); links = this.link(links)) {
      const { type, offset } = this.stream.next();
      left = { kind: 'binary', operator: type as BinaryOperator, left, right: this.#concat(), offset };
    }
    return left;
  }

  #concat(): ast.Expression {
    const { offset } = this.stream.current;
    const first = this.#product();
    if (!this.stream.is('~')) return first;
    const items = [first];
    while (this.stream.skipIf('~')) items.push(this.#product());
    return { kind: 'concat', items, offset };
  }

  #product(): ast.Expression {
    let left = this.#power();
    const isOperator = (): boolean =>
      this.stream.is('*') || this.stream.is('/') || this.stream.is('//') || this.stream.is('%');
    for (let links = 0; isOperator(); links = this.link(links)) {
      const { type, offset } = this.stream.next();
      left = { kind: 'binary', operator: type as BinaryOperator, left, right: this.#power(), offset };
    }
    return left;
  }

  #power(): ast.Expression {
    let left = this.#unary(true);
    for (let links = 0; this.stream.is('**'); links = this.link(links)) {
      const { offset } = this.stream.next();
      left = { kind: 'binary', operator: '**', left, right: this.#unary(true), offset };
    }
    return left;
  }

  #unary(withFilter: boolean): ast.Expression {
    let node: ast.Expression;
    if (this.stream.is('-') || this.stream.is('+')) {
      const { type, offset } = this.stream.next();
      const operand = this.nested(() => this.#unary(false));
      node = { kind: 'unary', operator: type as '-' | '+', operand, offset };
    } else {
      node = this.parsePrimary();
    }
    node = this.#postfix(node);
    return withFilter ? this.#filters(node) : node;
  }

  /**
   * Parses a name or a literal; with `withNamespace` also an attribute of a namespace, as a target of `set`.
   */
  protected parsePrimary(withNamespace = false): ast.Expression {
    const token = this.stream.current;
    const { offset } = token;
    switch (token.type) {
      case 'name': {
        this.stream.next();
        const node = nameOrConst(token);
        if (!withNamespace || node.kind !== 'name' || !this.stream.skipIf('.')) return node;
        return { kind: 'namespaceRef', name: node.name, attribute: this.stream.expect('name').value, offset };
      }
      case 'string': {
        let value = '';
        while (this.stream.is('string')) value += this.stream.next().value;
        return { kind: 'const', value, offset };
      }
      case 'integer':
      case 'float':
        this.stream.next();
        return { kind: 'const', value: token.number ?? null, offset };
      case '(': {
        this.stream.next();
        const node = this.parseTuple({ parenthesized: true });
        this.stream.expect(')');
        return node;
      }
      case '[':
        return this.#list();
      case '{':
        return this.#dict();
      default:
        return this.fail(`unexpected '${describe(token)}'`, offset);
    }
  }

  /**
   * Parses one expression, or several separated by commas as a tuple. `simplified` accepts names and literals
   * only; within parentheses it may be empty.
   */
  protected parseTuple(
    options: {
      simplified?: boolean;
      withConditional?: boolean;
      parenthesized?: boolean;
      withNamespace?: boolean;
    } = {},
  ): ast.Expression {
    const { simplified = false, withConditional = true, parenthesized = false, withNamespace } = options;
    const { offset } = this.stream.current;
    const items: ast.Expression[] = [];
    let isTuple = false;
    for (;;) {
      if (items.length > 0) this.stream.expect(',');
      if (this.#isTupleEnd()) break;
      items.push(simplified ? this.parsePrimary(withNamespace) : this.parseExpression(withConditional));
      if (!this.stream.is(',')) break;
      isTuple = true;
    }
    if (!isTuple) {
      const [only] = items;
      if (only !== undefined) return only;
      // Otherwise an empty tag would be an empty tuple.
      if (!parenthesized) this.fail(`Expected an expression, got '${describe(this.stream.current)}'`);
    }
    return { kind: 'tuple', items, offset };
  }

  #isTupleEnd(): boolean {
    const { type } = this.stream.current;
    return type === 'variable_end' || type === 'block_end' || type === ')';
  }

  #list(): ast.ListNode {
    const { offset } = this.stream.expect('[');
    const items: ast.Expression[] = [];
    while (!this.stream.is(']')) {
      if (items.length > 0) this.stream.expect(',');
      if (this.stream.is(']')) break;
      items.push(this.parseExpression());
    }
    this.stream.expect(']');
    return { kind: 'list', items, offset };
  }

  #dict(): ast.DictNode {
    const { offset } = this.stream.expect('{');
    const items: ast.DictNode['items'] = [];
    while (!this.stream.is('}')) {
      if (items.length > 0) this.stream.expect(',');
      if (this.stream.is('}')) break;
      const key = this.parseExpression();
      this.stream.expect(':');
      items.push({ key, value: this.parseExpression() });
    }
    this.stream.expect('}');
    return { kind: 'dict', items, offset };
  }

  /** Parses `.name`, `[key]` and `(arguments)` after an expression. */
  #postfix(start: ast.Expression): ast.Expression {
    let node = start;
    for (let links = 0; ; links = this.link(links)) {
      if (this.stream.is('.')) node = this.#attribute(node);
      else if (this.stream.is('[')) node = this.#subscript(node);
      else if (this.stream.is('(')) node = this.#call(node);
      else return node;
    }
  }

  /** Parses `|filter`, `is test`, and calls of their results. */
  #filters(start: ast.Expression): ast.Expression {
    let node = start;
    for (let links = 0; ; links = this.link(links)) {
      if (this.stream.is('|')) node = this.parseFilters(node) ?? node;
      else if (this.stream.isName('is')) node = this.#test(node);
      else if (this.stream.is('(')) node = this.#call(node);
      else return node;
    }
  }

  #attribute(object: ast.Expression): ast.Expression {
    this.stream.next();
    const token = this.stream.next();
    const { offset } = token;
    if (token.type === 'name') return { kind: 'getattr', object, name: token.value, offset };
    if (token.type !== 'integer') this.fail('expected name or number', offset);
    return { kind: 'getitem', object, key: { kind: 'const', value: token.number ?? null, offset }, offset };
  }

  #subscript(object: ast.Expression): ast.Expression {
    const { offset } = this.stream.next();
    const keys: ast.Expression[] = [];
    while (!this.stream.is(']')) {
      if (keys.length > 0) this.stream.expect(',');
      keys.push(this.#subscribed());
    }
    this.stream.expect(']');
    const [only] = keys;
    const key: ast.Expression =
      keys.length === 1 && only !== undefined ? only : { kind: 'tuple', items: keys, offset };
    return { kind: 'getitem', object, key, offset };
  }

  #subscribed(): ast.Expression {
    const { offset } = this.stream.current;
    let start: ast.Expression | null = null;
    if (!this.stream.is(':')) {
      start = this.parseExpression();
      if (!this.stream.is(':')) return start;
    }
    this.stream.next();
    const part = (): ast.Expression | null =>
      this.stream.is(':') || this.stream.is(']') || this.stream.is(',') ? null : this.parseExpression();
    const stop = part();
    const step = this.stream.skipIf(':') ? part() : null;
    return { kind: 'slice', start, stop, step, offset };
  }

  #call(callee: ast.Expression): ast.Call {
    const { offset } = this.stream.current;
    return { kind: 'call', callee, ...this.#arguments(), offset };
  }

  #arguments(): ast.CallArguments {
    const { offset } = this.stream.expect('(');
    const result: ast.CallArguments = { args: [], kwargs: [], rest: null, keywords: null };
    const names = new Set<string>();
    const ensure = (condition: boolean): void => {
      if (!condition) this.fail('invalid syntax for function call expression', offset);
    };
    for (let first = true; !this.stream.is(')'); first = false) {
      if (!first) {
        this.stream.expect(',');
        if (this.stream.is(')')) break;
      }
      if (this.stream.skipIf('*')) {
        ensure(result.rest === null && result.keywords === null);
        result.rest = this.parseExpression();
      } else if (this.stream.skipIf('**')) {
        ensure(result.keywords === null);
        result.keywords = this.parseExpression();
      } else if (this.stream.is('name') && this.stream.look().type === '=') {
        ensure(result.keywords === null);
        const name = this.stream.next();
        this.stream.next();
        if (names.has(name.value)) {
          this.fail(`keyword argument repeated: ${name.value}`, name.offset);
        }
        names.add(name.value);
        result.kwargs.push({ name: name.value, value: this.parseExpression() });
      } else {
        ensure(result.rest === null && result.keywords === null && result.kwargs.length === 0);
        result.args.push(this.parseExpression());
      }
    }
    this.stream.expect(')');
    return result;
  }

  #dottedName(): string {
    let name = this.stream.expect('name').value;
    while (this.stream.skipIf('.')) name += `.${this.stream.expect('name').value}`;
    return name;
  }

  /**
   * Parses a chain of filters; with `inline` the first has no bar before it. Returns null if there is none.
   */
  protected parseFilters(input: null, inline?: boolean): ast.Filter | null;
  protected parseFilters(input: ast.Expression): ast.Expression;
  protected parseFilters(input: ast.Expression | null, inline = false): ast.Expression | null {
    let node = input;
    let first = inline;
    for (let links = 0; first || this.stream.skipIf('|'); links = this.link(links)) {
      first = false;
      const { offset } = this.stream.current;
      const name = this.#dottedName();
      const args = this.stream.is('(')
        ? this.#arguments()
        : { args: [], kwargs: [], rest: null, keywords: null };
      node = { kind: 'filter', name, input: node, ...args, offset };
    }
    return node;
  }

  #test(input: ast.Expression): ast.Expression {
    const { offset } = this.stream.next();
    const negated = this.stream.skipIf('name', 'not');
    const name = this.#dottedName();
    const node: ast.Test = { kind: 'test', name, input, ...this.#testArguments(), offset };
    return negated ? { kind: 'unary', operator: 'not', operand: node, offset } : node;
  }

  /** Parses the arguments of a test: in parentheses, or one expression without them. */
  #testArguments(): ast.CallArguments {
    const none = { args: [], kwargs: [], rest: null, keywords: null };
    if (this.stream.is('(')) return this.#arguments();
    if (!ARGUMENT_STARTS.has(this.stream.current.type) || this.stream.isName('else', 'or', 'and'))
      return none;
    if (this.stream.isName('is')) this.fail('You cannot chain multiple tests with is');
    return { ...none, args: [this.#postfix(this.parsePrimary())] };
  }
}

function isName(token: Token, name: string): boolean {
  return token.type === 'name' && token.value === name;
}

function nameOrConst({ value, offset }: Token): ast.Expression {
  switch (value) {
    case 'true':
    case 'True':
      return { kind: 'const', value: true, offset };
    case 'false':
    case 'False':
      return { kind: 'const', value: false, offset };
    case 'none':
    case 'None':
      return { kind: 'const', value: null, offset };
    default:
      return { kind: 'name', name: value, context: 'load', offset };
  }
}
