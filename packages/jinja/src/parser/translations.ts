import type * as ast from '../ast.ts';
import { ExpressionParser } from './expressions.ts';
import { trimEnd } from '../values/text.ts';
import { SPACE } from '../values/text.ts';

/** The settings of `{% trans %}`: those of Jinja2's i18n extension that the parser needs. */
export interface TranslationSyntax {
  /** The gettext functions fill in the variables themselves. */
  newstyle: boolean;
  /** White space in messages is collapsed, unless a tag says `notrimmed`. */
  trimmed: boolean;
}

/** A message of a `trans` block: its text with `%(name)s` for variables, and their names. */
interface Message {
  text: string;
  names: string[];
}

/** The content of the opening tag. */
interface Heading {
  context: string | null;
  variables: Map<string, ast.Expression>;
  trimmed: boolean | undefined;
  /** The value that chooses between singular and plural, and its name. */
  count: { name: string; value: ast.Expression } | undefined;
  /** Assigns the value when it is a call, so that it is evaluated once. */
  assignment: ast.Assign | undefined;
}

const LINE_BREAKS = new RegExp(`[${SPACE}]*\\n[${SPACE}]*`, 'gu');
const LEADING = new RegExp(`^[${SPACE}]+`, 'u');

/** Parses `{% trans %}` into calls of `gettext` and its relatives. */
export class TranslationParser extends ExpressionParser {
  protected parseTranslation(syntax: TranslationSyntax): ast.Statement[] {
    const { offset } = this.stream.next();
    const heading = this.#heading();
    const { variables } = heading;
    const singular = this.#message(true);
    const [firstName] = singular.names;
    if (heading.count === undefined && firstName !== undefined) {
      heading.count = { name: firstName, value: load(firstName, offset) };
    }
    const plural = this.stream.isName('pluralize') ? this.#plural(heading) : undefined;
    this.stream.next();
    const names = [...singular.names, ...(plural?.names ?? [])];
    for (const name of names) if (!variables.has(name)) variables.set(name, load(name, offset));
    if (plural !== undefined && heading.count === undefined) this.fail('pluralize without variables', offset);
    const trim = heading.trimmed ?? syntax.trimmed;
    const finish = ({ text }: Message): string => {
      const trimmed = trim ? trimMessage(text) : text;
      // Without variables nothing is filled in, so a percent sign stands for itself.
      return names.length === 0 && !syntax.newstyle ? trimmed.replaceAll('%%', '%') : trimmed;
    };
    const call = makeCall(heading, finish(singular), plural && finish(plural), offset);
    const output = makeOutput(call, heading, plural !== undefined, syntax, offset);
    return heading.assignment === undefined ? [output] : [heading.assignment, output];
  }

  #heading(): Heading {
    const heading: Heading = {
      context: this.stream.is('string') ? this.stream.next().value : null,
      variables: new Map(),
      trimmed: undefined,
      count: undefined,
      assignment: undefined,
    };
    const { variables } = heading;
    while (!this.stream.is('block_end')) {
      if (variables.size > 0) this.stream.expect(',');
      if (this.stream.skipIf(':')) break;
      const { value: name, offset } = this.stream.expect('name');
      if (variables.has(name)) {
        this.fail(`translatable variable '${name}' defined twice.`, offset, 'TemplateAssertionError');
      }
      if (this.stream.skipIf('=')) {
        variables.set(name, this.parseExpression());
      } else if (heading.trimmed === undefined && (name === 'trimmed' || name === 'notrimmed')) {
        heading.trimmed = name === 'trimmed';
        continue;
      } else {
        variables.set(name, load(name, offset));
      }
      heading.count ??= this.#count(name, heading);
    }
    this.stream.expect('block_end');
    return heading;
  }

  #count(name: string, heading: Heading): Heading['count'] {
    const value = heading.variables.get(name);
    if (value?.kind !== 'call') return value && { name, value };
    const { offset } = value;
    const target: ast.Name = { kind: 'name', name: '_trans', context: 'store', offset };
    heading.assignment = { kind: 'assign', target, value, offset };
    heading.variables.set(name, load('_trans', offset));
    return { name, value: load('_trans', offset) };
  }

  #plural(heading: Heading): Message {
    this.stream.next();
    if (!this.stream.is('block_end')) {
      const { value: name, offset } = this.stream.expect('name');
      const value = heading.variables.get(name);
      if (value === undefined) {
        this.fail(`unknown variable '${name}' for pluralization`, offset, 'TemplateAssertionError');
      }
      heading.count = { name, value };
    }
    this.stream.expect('block_end');
    return this.#message(false);
  }

  /** Parses text and variables up to `pluralize` or `endtrans`, which stays the current token. */
  #message(mayPluralize: boolean): Message {
    const message: Message = { text: '', names: [] };
    for (;;) {
      const token = this.stream.current;
      if (token.type === 'eof') this.fail('unclosed translation block');
      this.stream.next();
      if (token.type === 'data') {
        message.text += token.value.replaceAll('%', '%%');
      } else if (token.type === 'variable_begin') {
        const name = this.stream.expect('name').value;
        message.names.push(name);
        message.text += `%(${name})s`;
        this.stream.expect('variable_end');
      } else {
        if (this.stream.isName('endtrans') || (mayPluralize && this.stream.isName('pluralize')))
          return message;
        if (this.stream.isName('pluralize')) {
          this.fail('a translatable section can have only one pluralize section');
        }
        const { type, value } = this.stream.current;
        if (this.stream.isName('trans')) this.fail("trans blocks can't be nested; did you mean `endtrans`?");
        const saw = type === 'name' ? value : 'None';
        this.fail(`control structures in translatable sections are not allowed; saw \`${saw}\``);
      }
    }
  }
}

function load(name: string, offset: number): ast.Name {
  return { kind: 'name', name, context: 'load', offset };
}

function constant(value: string, offset: number): ast.Const {
  return { kind: 'const', value, offset };
}

/** Replaces line breaks and the white space around them by one space. */
function trimMessage(text: string): string {
  return trimEnd(text.replace(LEADING, '')).replace(LINE_BREAKS, ' ');
}

/** `gettext(singular)`, or with context and plural `npgettext(context, singular, plural, count)`. */
function makeCall(
  { context, count }: Heading,
  singular: string,
  plural: string | undefined,
  offset: number,
): ast.Call {
  const args: ast.Expression[] = [constant(singular, offset)];
  let name = 'gettext';
  if (context !== null) {
    args.unshift(constant(context, offset));
    name = `p${name}`;
  }
  if (plural !== undefined && count !== undefined) {
    args.push(constant(plural, offset), count.value);
    name = `n${name}`;
  }
  return { kind: 'call', callee: load(name, offset), args, kwargs: [], rest: null, keywords: null, offset };
}

function makeOutput(
  call: ast.Call,
  { variables, count }: Heading,
  hasPlural: boolean,
  { newstyle }: TranslationSyntax,
  offset: number,
): ast.Output {
  if (newstyle) {
    // The function itself adds the count as `num`.
    const isCount = (name: string): boolean => name === 'num' && count?.name === 'num' && hasPlural;
    for (const [name, value] of variables) if (!isCount(name)) call.kwargs.push({ name, value });
    return { kind: 'output', items: [call], offset };
  }
  const message: ast.Expression = { kind: 'markSafe', operand: call, offset };
  if (variables.size === 0) return { kind: 'output', items: [message], offset };
  const items = Array.from(variables, ([name, value]) => ({ key: constant(name, offset), value }));
  const values: ast.DictNode = { kind: 'dict', items, offset };
  const filled: ast.Binary = { kind: 'binary', operator: '%', left: message, right: values, offset };
  return { kind: 'output', items: [filled], offset };
}
