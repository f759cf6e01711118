import type * as ast from '../ast.ts';
import { asTemplateError } from '../budget.ts';
import { SPACE } from '../values/text.ts';
import { TranslationParser } from './translations.ts';
import type { TranslationSyntax } from './translations.ts';
import { Lexer } from './lexer.ts';
import type { Syntax } from './syntax.ts';

/** Tags beyond Jinja2's own set; each is one of its bundled extensions. */
export interface Extensions {
  /** `{% do %}` */
  do: boolean;
  /** `{% break %}`, `{% continue %}` */
  loopControls: boolean;
  /** `{% debug %}` */
  debug: boolean;
  /** `{% trans %}` */
  i18n: TranslationSyntax | null;
}

type StatementParsers = Record<string, (() => ast.Statement | ast.Statement[]) | undefined>;

const BLANK = new RegExp(`^[${SPACE}]+$`, 'u');

/** Parses a template's source from `normalizeSource`. @throws TemplateError with its offset */
export function parse(source: string, syntax: Syntax, extensions: Extensions): ast.TemplateNode {
  try {
    return new Parser(source, syntax, extensions).parse();
  } catch (error) {
    throw asTemplateError(error);
  }
}

class Parser extends TranslationParser {
  readonly #statements: StatementParsers;
  /** The tags that are open. */
  readonly #tags: string[] = [];
  /** The end tags that each open body expects. */
  readonly #ends: string[][] = [];

  constructor(source: string, syntax: Syntax, extensions: Extensions) {
    super(new Lexer(source, syntax).tokens());
    const { i18n } = extensions;
    this.#statements = {
      for: () => this.#for(),
      if: () => this.#if(),
      block: () => this.#block(),
      extends: () => ({ kind: 'extends', offset: this.#skip(), template: this.parseExpression() }),
      print: () => this.#print(),
      macro: () => this.#macro(),
      include: () => this.#include(),
      from: () => this.#from(),
      import: () => this.#import(),
      set: () => this.#set(),
      with: () => this.#with(),
      autoescape: () => this.#autoescape(),
      call: () => this.#call(),
      filter: () => this.#filter(),
      do: extensions.do
        ? () => ({ kind: 'do', offset: this.#skip(), expression: this.parseTuple() })
        : undefined,
      break: extensions.loopControls ? () => ({ kind: 'break', offset: this.#skip() }) : undefined,
      continue: extensions.loopControls ? () => ({ kind: 'continue', offset: this.#skip() }) : undefined,
      trans: i18n === null ? undefined : () => this.parseTranslation(i18n),
      debug: extensions.debug ? () => ({ kind: 'debug', offset: this.#skip() }) : undefined,
    };
  }

  parse(): ast.TemplateNode {
    return { kind: 'template', body: this.#body() };
  }

  /** Skips the name of the tag; returns its place. */
  #skip(): number {
    return this.stream.next().offset;
  }

  /**
   * Parses statements up to one of the `ends`, which stays the current token, or up to the end of the
   * template.
   */
  #body(ends?: string[]): ast.Statement[] {
    const body: ast.Statement[] = [];
    let items: ast.Output['items'] = [];
    const flush = (): void => {
      const [first] = items;
      if (first !== undefined) body.push({ kind: 'output', items, offset: first.offset });
      items = [];
    };
    if (ends !== undefined) this.#ends.push(ends);
    while (!this.stream.is('eof')) {
      const token = this.stream.next();
      if (token.type === 'data') {
        items.push({ kind: 'data', text: token.value, offset: token.offset });
      } else if (token.type === 'variable_begin') {
        items.push(this.parseTuple());
        this.stream.expect('variable_end');
      } else {
        flush();
        if (ends !== undefined && this.stream.isName(...ends)) break;
        body.push(...this.nested(() => this.#statement()));
        this.stream.expect('block_end');
      }
    }
    flush();
    if (ends !== undefined && !this.stream.is('eof')) this.#ends.pop();
    return body;
  }

  #statement(): ast.Statement[] {
    const token = this.stream.current;
    if (token.type !== 'name') this.fail('tag name expected', token.offset);
    const parseStatement = Object.hasOwn(this.#statements, token.value)
      ? this.#statements[token.value]
      : undefined;
    if (parseStatement === undefined) return this.#failOpen(token.value, token.offset);
    this.#tags.push(token.value);
    const statement = parseStatement();
    this.#tags.pop();
    return Array.isArray(statement) ? statement : [statement];
  }

  /** Parses the body of a tag up to one of the `ends`. With `dropEnd` it also skips the end's name. */
  #tagBody(ends: string[], dropEnd = true): ast.Statement[] {
    // A colon at the end of a statement is accepted, for users of Python.
    this.stream.skipIf(':');
    this.stream.expect('block_end');
    const body = this.#body(ends);
    if (this.stream.is('eof')) this.#failOpen();
    if (dropEnd) this.stream.next();
    return body;
  }

  /** Refuses an unknown tag, or the end of the template when a tag is still open. */
  #failOpen(tag?: string, offset?: number): never {
    const looking = this.#ends
      .at(-1)
      ?.map((end) => `'${end}'`)
      .join(' or ');
    const message = [tag === undefined ? 'Unexpected end of template.' : `Encountered unknown tag '${tag}'.`];
    if (looking !== undefined && tag !== undefined && this.#ends.some((ends) => ends.includes(tag))) {
      message.push(
        `You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for ${looking}.`,
      );
    } else if (looking !== undefined) {
      message.push(`Jinja was looking for the following tags: ${looking}.`);
    }
    const innermost = this.#tags.at(-1);
    if (innermost !== undefined) {
      message.push(`The innermost block that needs to be closed is '${innermost}'.`);
    }
    return this.fail(message.join(' '), offset);
  }

  /** Parses one name, or several separated by commas; with `withNamespace` also attributes of namespaces. */
  #target(withNamespace = false): ast.Target {
    const parsed = this.parseTuple({ simplified: true, withNamespace });
    return asTarget(parsed, 'store') ?? this.fail(`can't assign to '${parsed.kind}'`, parsed.offset);
  }

  #nameTarget(context: 'store' | 'param' = 'store'): ast.Name {
    const { value, offset } = this.stream.expect('name');
    if (/^(?:true|false|none|True|False|None)$/u.test(value)) this.fail("can't assign to 'name'", offset);
    return { kind: 'name', name: value, context, offset };
  }

  #set(): ast.Assign | ast.AssignBlock {
    const offset = this.#skip();
    const target = this.#target(true);
    if (this.stream.skipIf('=')) return { kind: 'assign', target, value: this.parseTuple(), offset };
    const filter = this.parseFilters(null);
    return { kind: 'assignBlock', target, filter, body: this.#tagBody(['endset']), offset };
  }

  #for(): ast.For {
    const offset = this.#skip();
    const target = this.#target();
    this.stream.expect('name', 'in');
    const iterable = this.parseTuple({ withConditional: false });
    const test = this.stream.skipIf('name', 'if') ? this.parseExpression() : null;
    const recursive = this.stream.skipIf('name', 'recursive');
    const body = this.#tagBody(['endfor', 'else'], false);
    const otherwise = this.stream.next().value === 'endfor' ? [] : this.#tagBody(['endfor']);
    return { kind: 'for', target, iterable, body, otherwise, test, recursive, offset };
  }

  #if(): ast.If {
    const result = this.#ifBranch(this.#skip());
    for (;;) {
      const { value, offset } = this.stream.next();
      if (value === 'elif') {
        result.elifs.push(this.#ifBranch(offset));
        continue;
      }
      if (value === 'else') result.otherwise = this.#tagBody(['endif']);
      return result;
    }
  }

  #ifBranch(offset: number): ast.If {
    const test = this.parseTuple({ withConditional: false });
    const body = this.#tagBody(['elif', 'else', 'endif'], false);
    return { kind: 'if', test, body, elifs: [], otherwise: [], offset };
  }

  #with(): ast.With {
    const offset = this.#skip();
    const targets: ast.Target[] = [];
    const values: ast.Expression[] = [];
    while (!this.stream.is('block_end')) {
      if (targets.length > 0) this.stream.expect(',');
      const target = this.#target();
      targets.push(asTarget(target, 'param') ?? target);
      this.stream.expect('=');
      values.push(this.parseExpression());
    }
    return { kind: 'with', targets, values, body: this.#tagBody(['endwith']), offset };
  }

  #autoescape(): ast.Autoescape {
    const offset = this.#skip();
    const value = this.parseExpression();
    return { kind: 'autoescape', value, body: this.#tagBody(['endautoescape']), offset };
  }

  #block(): ast.Block {
    const offset = this.#skip();
    const name = this.stream.expect('name').value;
    const scoped = this.stream.skipIf('name', 'scoped');
    const required = this.stream.skipIf('name', 'required');
    if (this.stream.is('-')) {
      this.fail(
        'Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.',
      );
    }
    const body = this.#tagBody(['endblock']);
    const isBlank = body.every(
      (statement) =>
        statement.kind === 'output' &&
        statement.items.every((item) => item.kind === 'data' && BLANK.test(item.text)),
    );
    if (required && !isBlank) this.fail('Required blocks can only contain comments or whitespace');
    this.stream.skipIf('name', name);
    return { kind: 'block', name, body, scoped, required, offset };
  }

  #print(): ast.Output {
    const offset = this.#skip();
    const items: ast.Expression[] = [];
    while (!this.stream.is('block_end')) {
      if (items.length > 0) this.stream.expect(',');
      items.push(this.parseExpression());
    }
    return { kind: 'output', items, offset };
  }

  /** Parses `with context` or `without context`, if it follows. */
  #context(): boolean | undefined {
    if (!this.stream.isName('with', 'without')) return undefined;
    const following = this.stream.look();
    if (following.type !== 'name' || following.value !== 'context') return undefined;
    const { value } = this.stream.next();
    this.stream.next();
    return value === 'with';
  }

  #include(): ast.Include {
    const offset = this.#skip();
    const template = this.parseExpression();
    let ignoreMissing = false;
    if (this.stream.isName('ignore')) {
      const following = this.stream.look();
      if (following.type === 'name' && following.value === 'missing') {
        ignoreMissing = true;
        this.stream.next();
        this.stream.next();
      }
    }
    return { kind: 'include', template, ignoreMissing, withContext: this.#context() ?? true, offset };
  }

  #import(): ast.Import {
    const offset = this.#skip();
    const template = this.parseExpression();
    this.stream.expect('name', 'as');
    const target = this.#nameTarget().name;
    return { kind: 'import', template, target, withContext: this.#context() ?? false, offset };
  }

  #from(): ast.FromImport {
    const offset = this.#skip();
    const template = this.parseExpression();
    this.stream.expect('name', 'import');
    const names: ast.FromImport['names'] = [];
    let withContext: boolean | undefined;
    for (;;) {
      if (names.length > 0) this.stream.expect(',');
      if (!this.stream.is('name')) this.stream.expect('name');
      withContext = this.#context();
      if (withContext !== undefined) break;
      const { name, offset: at } = this.#nameTarget();
      if (name.startsWith('_')) {
        this.fail('names starting with an underline can not be imported', at, 'TemplateAssertionError');
      }
      names.push({ name, alias: this.stream.skipIf('name', 'as') ? this.#nameTarget().name : name });
      withContext = this.#context();
      if (withContext !== undefined || !this.stream.is(',')) break;
    }
    return { kind: 'fromImport', template, names, withContext: withContext ?? false, offset };
  }

  #parameters(): ast.Parameters {
    const parameters: ast.Name[] = [];
    const defaults: ast.Expression[] = [];
    this.stream.expect('(');
    while (!this.stream.is(')')) {
      if (parameters.length > 0) this.stream.expect(',');
      const parameter = this.#nameTarget('param');
      if (this.stream.skipIf('=')) defaults.push(this.parseExpression());
      else if (defaults.length > 0) this.fail('non-default argument follows default argument');
      parameters.push(parameter);
    }
    this.stream.expect(')');
    return { parameters, defaults };
  }

  #macro(): ast.Macro {
    const offset = this.#skip();
    const { name } = this.#nameTarget();
    const signature = this.#parameters();
    return { kind: 'macro', name, ...signature, body: this.#tagBody(['endmacro']), offset };
  }

  #call(): ast.CallBlock {
    const offset = this.#skip();
    const signature = this.stream.is('(') ? this.#parameters() : { parameters: [], defaults: [] };
    const call = this.parseExpression();
    if (call.kind !== 'call') return this.fail('expected call', offset);
    return { kind: 'callBlock', call, ...signature, body: this.#tagBody(['endcall']), offset };
  }

  #filter(): ast.FilterBlock {
    const offset = this.#skip();
    const filter = this.parseFilters(null, true);
    if (filter === null) return this.fail('expected a filter', offset);
    return { kind: 'filterBlock', filter, body: this.#tagBody(['endfilter']), offset };
  }
}

/** Returns an expression as an assignment target, or undefined if it cannot be one. */
function asTarget(node: ast.Expression, context: 'store' | 'param'): ast.Target | undefined {
  if (node.kind === 'name') return { ...node, context };
  if (node.kind === 'namespaceRef') return node;
  if (node.kind !== 'tuple') return undefined;
  const items = node.items.map((item) => asTarget(item, context));
  return items.includes(undefined) ? undefined : { ...node, items: items as ast.Target[] };
}
