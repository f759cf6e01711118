import { type ast, GLOBAL_NAMES, parseTemplate } from '@platen/jinja/syntax';
import {
  addFilterInput,
  ATTRIBUTE_FIRST,
  attributeOf,
  ELEMENT,
  METHODS,
  SAME_LIST,
  SAME_VALUE,
  TESTED,
  typeOfConstant,
} from './filters.ts';
import { reference } from '../references/jinja.ts';
import type { Inclusions } from './inclusions.ts';
import { Scopes } from './scopes.ts';
import { Shape } from './shape.ts';

/**
 * Finds the data that a Jinja template uses: its variables, the operations on them, and the values reached
 * through them.
 */

/** Maximum values analysed for calls of macros: in one call, and in all calls of one template. */
const MAX_MERGED = { call: 1_000, template: 200_000 };

/** Maximum nesting of macros that are analysed early, for a call that precedes their definition. */
const MAX_AHEAD = 100;

/**
 * @param root the shape of the data, to which this function adds
 * @throws TemplateError for a text that cannot be parsed
 */
export function findJinjaFields(source: string, root: Shape, inclusions: Inclusions): void {
  new Finder(root, inclusions).template(parseTemplate(source));
}

interface MacroShape {
  parameters: string[];
  shapes: Shape[];
}

class Finder {
  readonly #root: Shape;
  readonly #scopes = new Scopes();
  #merged = 0;
  readonly #macros = new Map<string, MacroShape>();
  /** Macros defined further down, which the body of a macro, loop or block can still call. */
  readonly #ahead = new Map<string, ast.Macro>();
  #depthAhead = 0;
  readonly #seen = new Set<ast.Macro>();
  /** Macros of imported partials, by the name of the import. */
  readonly #modules = new Map<string, ReadonlyMap<string, MacroShape>>();
  readonly #inclusions: Inclusions;

  constructor(root: Shape, inclusions: Inclusions) {
    this.#root = root;
    this.#inclusions = inclusions;
  }

  template({ body }: ast.TemplateNode): void {
    for (const statement of body) if (statement.kind === 'macro') this.#ahead.set(statement.name, statement);
    this.#body(body);
  }

  #body(statements: readonly ast.Statement[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  #statement(node: ast.Statement): void {
    switch (node.kind) {
      case 'output':
        for (const item of node.items) if (item.kind !== 'data') this.#value(item);
        return;
      case 'for':
        return this.#loop(node);
      case 'if':
        this.#value(node.test);
        this.#body(node.body);
        this.#body(node.elifs);
        return this.#body(node.otherwise);
      case 'macro':
        return this.#macro(node);
      case 'callBlock':
        this.#value(node.call);
        return this.#scopes.within(() => {
          for (const { name } of node.parameters) this.#scopes.bind(name, null);
          this.#body(node.body);
        });
      case 'with': {
        const values = node.values.map((value) => this.#value(value));
        return this.#scopes.within(() => {
          node.targets.forEach((target, index) => this.#scopes.assign(target, values[index] ?? null));
          this.#body(node.body);
        });
      }
      case 'assign':
        return this.#scopes.assign(node.target, this.#value(node.value));
      case 'assignBlock':
        this.#scopes.within(() => this.#body(node.body));
        if (node.filter) this.#value(node.filter);
        return this.#scopes.assign(node.target, null);
      case 'filterBlock':
        this.#value(node.filter);
        return this.#scopes.within(() => this.#body(node.body));
      case 'block':
        return this.#scopes.within(() => this.#body(node.body));
      case 'autoescape':
        return this.#body(node.body);
      case 'do':
        this.#value(node.expression);
        return;
      case 'import':
        this.#modules.set(node.target, this.#imported(node));
        return this.#scopes.bind(node.target, null);
      case 'fromImport': {
        const macros = this.#imported(node);
        for (const { name, alias } of node.names) {
          this.#scopes.bind(alias, null);
          const macro = macros.get(name);
          if (macro !== undefined) this.#macros.set(alias, macro);
        }
        return;
      }
      case 'include':
        return this.#include(node.template, node.withContext);
      case 'extends':
        return this.#include(node.template, true);
      case 'break':
      case 'continue':
      case 'debug':
    }
  }

  #include(template: ast.Expression, withContext: boolean): void {
    this.#value(template);
    this.#inclusions.follow(reference(template, 0, 'text'), (text) => {
      const parsed = parseTemplate(text);
      if (withContext) this.#scopes.within(() => this.template(parsed));
      else new Finder(new Shape(), this.#inclusions).template(parsed);
    });
  }

  /** Returns the macros of an imported partial. */
  #imported({ template, withContext }: ast.Import | ast.FromImport): ReadonlyMap<string, MacroShape> {
    this.#value(template);
    const macros = new Map<string, MacroShape>();
    this.#inclusions.follow(reference(template, 0, 'text'), (text) => {
      const module = new Finder(withContext ? this.#root : new Shape(), this.#inclusions);
      module.template(parseTemplate(text));
      for (const [name, macro] of module.#macros) macros.set(name, macro);
    });
    return macros;
  }

  #loop(node: ast.For): void {
    const element = this.#elementOf(node.iterable);
    this.#scopes.within(() => {
      this.#scopes.bind('loop', null);
      this.#scopes.assign(node.target, element);
      if (node.test) this.#value(node.test);
      this.#body(node.body);
    });
    this.#scopes.within(() => this.#body(node.otherwise));
  }

  /**
   * Returns the loop variable's value for an expression: one shape for each part of a pair, otherwise one
   * element.
   */
  #elementOf(node: ast.Expression): Shape | readonly (Shape | null)[] | null {
    if (node.kind === 'call' && node.callee.kind === 'getattr') {
      const { name, object } = node.callee;
      if (name === 'items') return [null, this.#value(object)?.values ?? null];
      if (name === 'values') return this.#value(object)?.values ?? null;
    }
    if (node.kind === 'filter' && node.input !== null) {
      if (node.name === 'dictsort' || node.name === 'items')
        return [null, this.#value(node.input)?.values ?? null];
      if (node.name === 'groupby') return [null, this.#value(node)];
    }
    const value = this.#value(node);
    return value === null ? null : value.items;
  }

  /** @returns whether the name is that of a macro defined further down, which this call has analysed */
  #isAhead(name: string): boolean {
    const macro = this.#scopes.isOutermost ? undefined : this.#ahead.get(name);
    if (macro === undefined) return false;
    if (this.#depthAhead < MAX_AHEAD) {
      this.#depthAhead += 1;
      this.#scopes.outermost(() => this.#macro(macro));
      this.#depthAhead -= 1;
    }
    return true;
  }

  #macro(node: ast.Macro): void {
    const { name, parameters, defaults, body } = node;
    this.#scopes.bind(name, null);
    if (this.#seen.has(node)) return;
    this.#seen.add(node);
    if (this.#ahead.get(name) === node) this.#ahead.delete(name);
    const shapes = parameters.map(() => new Shape());
    for (const value of defaults) this.#value(value);
    this.#scopes.within(() => {
      parameters.forEach((parameter, index) => this.#scopes.bind(parameter.name, shapes[index] ?? null));
      for (const own of ['caller', 'varargs', 'kwargs']) this.#scopes.bind(own, null);
      this.#body(body);
    });
    this.#macros.set(name, { parameters: parameters.map((parameter) => parameter.name), shapes });
  }

  #lookup(name: string): Shape | null {
    if (OWN_NAMES.has(name)) return null;
    const bound = this.#scopes.find(name);
    if (bound !== undefined) return bound;
    if (this.#isAhead(name)) return null;
    return this.#root.property(name);
  }

  /** Analyses an expression. @returns the shape of its value, if it is a value of the data */
  #value(node: ast.Expression): Shape | null {
    switch (node.kind) {
      case 'name':
        return this.#lookup(node.name);
      case 'getattr':
        return this.#value(node.object)?.property(node.name) ?? null;
      case 'getitem':
        return this.#item(node);
      case 'filter':
        return this.#filter(node);
      case 'call':
        return this.#call(node);
      case 'test': {
        const type = TESTED.get(node.name);
        this.#arguments(node);
        const value = this.#value(node.input);
        if (type !== undefined) value?.is(type);
        return null;
      }
      case 'compare':
        this.#compare(node);
        return null;
      case 'binary':
        this.#binary(node);
        return null;
      case 'unary': {
        const value = this.#value(node.operand);
        if (node.operator !== 'not') value?.is('number');
        return null;
      }
      case 'or': {
        const [left, right] = [this.#value(node.left), this.#value(node.right)];
        return left ?? right;
      }
      case 'conditional': {
        this.#value(node.test);
        const [then, otherwise] = [this.#value(node.whenTrue), node.otherwise && this.#value(node.otherwise)];
        return then ?? otherwise;
      }
      case 'and':
        this.#value(node.left);
        return this.#value(node.right);
      case 'markSafe':
        return this.#value(node.operand);
      case 'tuple':
      case 'list':
      case 'concat':
        for (const item of node.items) this.#value(item);
        return null;
      case 'dict':
        for (const { key, value } of node.items) {
          this.#value(key);
          this.#value(value);
        }
        return null;
      case 'slice':
        for (const part of [node.start, node.stop, node.step]) if (part) this.#value(part);
        return null;
      case 'const':
      case 'namespaceRef':
        return null;
    }
  }

  #item({ object, key }: ast.GetItem): Shape | null {
    const value = this.#value(object);
    if (key.kind === 'const' && typeof key.value === 'string') return value?.property(key.value) ?? null;
    const isNumber = key.kind === 'const' && typeof key.value === 'number';
    this.#value(key);
    if (key.kind === 'slice') return value;
    return isNumber ? (value?.items ?? null) : null;
  }

  #filter(node: ast.Filter): Shape | null {
    const { name, args, kwargs, input } = node;
    this.#arguments(node);
    if (input === null) return null;
    const value = this.#value(input);
    addFilterInput(name, value);
    const attribute = kwargs.find((argument) => argument.name === 'attribute')?.value;
    const path = attribute ?? (ATTRIBUTE_FIRST.has(name) ? args[0] : undefined);
    const part = path === undefined || value === null ? null : attributeOf(value.items, path);
    if (name === 'sum') (part ?? value?.items)?.is('number');
    if (name === 'map' && part !== null) return Shape.listOf(part);
    if (SAME_LIST.has(name) || name === 'groupby' || SAME_VALUE.has(name)) return value;
    return ELEMENT.has(name) ? (value?.items ?? null) : null;
  }

  #call(node: ast.Call): Shape | null {
    const { callee, args, kwargs } = node;
    const given = args.map((value) => this.#value(value));
    const named = kwargs.map(({ name, value }) => [name, this.#value(value)] as const);
    for (const extra of [node.rest, node.keywords]) if (extra) this.#value(extra);
    const module =
      callee.kind === 'getattr' && callee.object.kind === 'name'
        ? this.#modules.get(callee.object.name)
        : undefined;
    if (callee.kind === 'getattr' && module !== undefined) {
      this.#called(module.get(callee.name), given, named);
      return null;
    }
    if (callee.kind === 'getattr') {
      const value = this.#value(callee.object);
      const type = METHODS.get(callee.name);
      if (type !== undefined) value?.is(type);
      const [key] = args;
      if (callee.name !== 'get' || key?.kind !== 'const' || typeof key.value !== 'string') return null;
      return value?.property(key.value) ?? null;
    }
    if (callee.kind !== 'name') {
      this.#value(callee);
      return null;
    }
    if (!GLOBAL_NAMES.has(callee.name)) this.#value(callee);
    this.#called(this.#macros.get(callee.name), given, named);
    return null;
  }

  /** Applies the uses of a macro's parameters to the arguments of a call. */
  #called(
    macro: MacroShape | undefined,
    given: readonly (Shape | null)[],
    named: readonly (readonly [string, Shape | null])[],
  ): void {
    const budget = { left: Math.min(MAX_MERGED.call, MAX_MERGED.template - this.#merged) };
    const before = budget.left;
    macro?.shapes.forEach((shape, index) => {
      const byName = named.find(([name]) => name === macro.parameters[index])?.[1];
      (given[index] ?? byName)?.merge(shape, budget);
    });
    this.#merged += before - budget.left;
  }

  #arguments({ args, kwargs, rest, keywords }: ast.CallArguments): void {
    for (const value of args) this.#value(value);
    for (const { value } of kwargs) this.#value(value);
    for (const extra of [rest, keywords]) if (extra) this.#value(extra);
  }

  #compare({ left, operations }: ast.Compare): void {
    const values = [left, ...operations.map(({ right }) => right)];
    const shapes = values.map((value) => this.#value(value));
    operations.forEach(({ operator }, index) => {
      if (operator === 'in' || operator === 'not in') return;
      for (const [own, other] of [
        [index, index + 1],
        [index + 1, index],
      ] as const) {
        const constant = values[other];
        if (constant?.kind !== 'const') continue;
        const type = typeOfConstant(constant.value);
        if (type !== undefined) shapes[own]?.is(type);
      }
    });
  }

  #binary({ operator, left, right }: ast.Binary): void {
    const sides = [left, right];
    const shapes = sides.map((side) => this.#value(side));
    const constant = sides.find((side) => side.kind === 'const');
    const type = constant?.kind === 'const' ? typeOfConstant(constant.value) : undefined;
    // `+` also joins texts, `*` repeats them, and `%` formats them.
    const ofNumbers = operator !== '+' && operator !== '*' && operator !== '%';
    const found = ofNumbers || type === 'number' ? 'number' : operator === '+' ? type : undefined;
    if (found !== undefined) for (const shape of shapes) shape?.is(found);
  }
}

/** Names that the language defines in templates, macros and loops. */
const OWN_NAMES: ReadonlySet<string> = new Set(['self', 'super', 'loop', 'caller', 'varargs', 'kwargs']);
