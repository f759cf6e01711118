import { knownPrefix } from './namespaces.ts';
import { type Attribute, bindings, Element, Text, Verbatim } from './tree.ts';

/**
 * Parses XML 1.0 with namespaces as office files contain it. It loads and expands nothing: it refuses a
 * document type with declarations, and all entities except the five predefined ones.
 */

/** Maximum nesting of elements; LibreOffice and Office stay far below. */
const MAX_DEPTH = 400;
/** Maximum elements of one part, far more than the sheet of a large workbook has. */
const MAX_ELEMENTS = 8_000_000;

/** Maximum attributes of one element, and maximum prefixes in scope: real files have some dozens of each. */
const MAX_ATTRIBUTES = 10_000;
const MAX_PREFIXES = 500;

/** A text that is not well-formed. `message` is the end of a sentence: "is not well-formed XML: …". */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
  /** 1-based. */
  readonly line: number;

  constructor(message: string, text: string, at: number) {
    super(message);
    this.line = text.slice(0, at).split('\n').length;
  }
}

export interface XmlDocument {
  /** The XML declaration and anything else before the root, as written. */
  prolog: string;
  root: Element;
}

/** @throws XmlFault */
export function parseXml(bytes: Uint8Array): XmlDocument {
  return new Reader(decode(bytes)).read();
}

function decode(bytes: Uint8Array): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null;
  try {
    return new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  } catch {
    throw new XmlFault('its text is neither UTF-8 nor UTF-16', '', 0);
  }
}

const NAME = /[^\s/>=<"'&!?]+/y;
const SPACE = /[ \t\n]*/y;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Prefix as written → prefix of this code, or the written one for an unknown namespace. */
type Scope = ReadonlyMap<string, string>;

class Reader {
  private readonly text: string;
  private at = 0;
  private depth = 0;
  private elements = 0;

  constructor(text: string) {
    this.text = text;
  }

  read(): XmlDocument {
    this.skipProlog();
    const prolog = this.text
      .slice(0, this.at)
      .replace(/^(\s*<\?xml[^>]*\bencoding=)(["'])[^"']*\2/, '$1$2UTF-8$2')
      // bounded: the prolog ends with `>`, so that the first doctype is closed
      .replace(/<!DOCTYPE[^>]*>/, '');
    const root = this.element(new Map([['xml', 'xml']]));
    this.skipRemarks();
    if (this.at < this.text.length) this.fail('there is text after its last element');
    return { prolog, root };
  }

  private fail(message: string): never {
    throw new XmlFault(message, this.text, this.at);
  }

  private skipProlog(): void {
    this.skipRemarks();
    while (this.text.startsWith('<!DOCTYPE', this.at)) {
      const start = this.at;
      this.after('>');
      // An internal subset could define entities.
      if (this.text.slice(start, this.at).includes('[')) this.fail('it declares a document type');
      this.skipRemarks();
    }
  }

  /** Skips white space, comments and processing instructions. */
  private skipRemarks(): void {
    for (;;) {
      this.space();
      if (this.text.startsWith('<?', this.at)) this.after('?>');
      else if (this.text.startsWith('<!--', this.at)) this.after('-->');
      else return;
    }
  }

  private space(): void {
    SPACE.lastIndex = this.at;
    SPACE.test(this.text);
    this.at = SPACE.lastIndex;
  }

  /** Moves behind the next `mark`. @returns the index of the mark */
  private after(mark: string): number {
    const found = this.text.indexOf(mark, this.at);
    if (found === -1) this.fail(`${JSON.stringify(mark)} is missing`);
    this.at = found + mark.length;
    return found;
  }

  private name(): string {
    NAME.lastIndex = this.at;
    const match = NAME.exec(this.text);
    if (match === null) this.fail('a name is missing');
    this.at = NAME.lastIndex;
    return match[0];
  }

  private element(outer: Scope): Element {
    if (this.text[this.at] !== '<') this.fail('an element is missing');
    if (++this.depth > MAX_DEPTH) this.fail(`it nests more than ${MAX_DEPTH} deep`);
    if (++this.elements > MAX_ELEMENTS) this.fail(`it has more than ${MAX_ELEMENTS} elements`);
    this.at += 1;
    const name = this.name();
    const attributes = this.attributes();
    const scope = bind(attributes, outer);
    if (scope.size > MAX_PREFIXES) this.fail(`it binds more than ${MAX_PREFIXES} prefixes`);
    const element = new Element(name, canonical(name, scope, false), attributes);
    for (const attribute of attributes) attribute.tag = canonical(attribute.name, scope, true);
    if (scope !== outer) bindings.set(element, invert(scope));
    if (this.text[this.at] === '/') this.at += 2;
    else {
      this.at += 1;
      this.content(element, scope);
    }
    this.depth -= 1;
    return element;
  }

  /** Reads attributes up to the `>` or `/>` that ends the start tag. */
  private attributes(): Attribute[] {
    const attributes: Attribute[] = [];
    const names = new Set<string>();
    for (;;) {
      this.space();
      const next = this.text[this.at];
      if (next === '>') return attributes;
      if (next === '/' && this.text[this.at + 1] === '>') return attributes;
      const name = this.name();
      this.space();
      if (this.text[this.at] !== '=') this.fail(`the attribute ${name} has no value`);
      this.at += 1;
      this.space();
      const quote = this.text[this.at];
      if (quote !== '"' && quote !== "'") this.fail(`the value of the attribute ${name} is not in quotes`);
      this.at += 1;
      const start = this.at;
      const end = this.after(quote);
      const raw = this.text.slice(start, end);
      if (raw.includes('<')) this.fail(`the value of the attribute ${name} has a < in it`);
      if (names.has(name)) this.fail(`the attribute ${name} is there twice`);
      if (names.add(name).size > MAX_ATTRIBUTES)
        this.fail(`an element has more than ${MAX_ATTRIBUTES} attributes`);
      attributes.push({ name, tag: name, value: this.resolve(raw.replace(/[\t\n]/g, ' ')) });
    }
  }

  private content(element: Element, scope: Scope): void {
    const { text } = this;
    for (;;) {
      const next = text.indexOf('<', this.at);
      if (next === -1) this.fail(`the element ${element.name} has no end`);
      if (next > this.at) {
        const raw = text.slice(this.at, next);
        element.append(new Text(this.resolve(raw)));
        this.at = next;
      }
      const mark = text[next + 1];
      if (mark === '/') {
        this.at = next + 2;
        const name = this.name();
        if (name !== element.name) this.fail(`${name} ends where ${element.name} should`);
        this.space();
        if (text[this.at] !== '>') this.fail(`the end of ${name} is broken`);
        this.at += 1;
        return;
      }
      if (mark === '!') this.declaration(element);
      else if (mark === '?') {
        const start = this.at;
        this.after('?>');
        element.append(new Verbatim(text.slice(start, this.at)));
      } else element.append(this.element(scope));
    }
  }

  private declaration(element: Element): void {
    const start = this.at;
    if (this.text.startsWith('<!--', start)) {
      this.after('-->');
      element.append(new Verbatim(this.text.slice(start, this.at)));
    } else if (this.text.startsWith('<![CDATA[', start)) {
      const end = this.after(']]>');
      element.append(new Text(this.text.slice(start + 9, end)));
    } else this.fail('it has a declaration in its content');
  }

  private resolve(raw: string): string {
    if (!raw.includes('&')) return raw;
    return raw.replace(/&([^;&]{0,12})(;?)/g, (_, name: string, end: string) => {
      const known = ENTITIES[name];
      if (end === '' || (known === undefined && !/^#(x[\da-fA-F]+|\d+)$/.test(name))) {
        return this.fail(`the entity &${name}${end} is not known`);
      }
      if (known !== undefined) return known;
      const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      if (code > 0x10ffff) this.fail(`there is no character ${name}`);
      return String.fromCodePoint(code);
    });
  }
}

function bind(attributes: readonly Attribute[], outer: Scope): Scope {
  let scope: Map<string, string> | null = null;
  for (const { name, value } of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    scope ??= new Map(outer);
    const prefix = name.slice(6);
    scope.set(prefix, knownPrefix(value) ?? `{${value}}`);
  }
  return scope ?? outer;
}

function invert(scope: Scope): Map<string, string> {
  const inverted = new Map<string, string>();
  for (const [written, ours] of scope) {
    // The default namespace comes last, so a prefix, which attributes can use, applies only without a
    // default.
    if (!inverted.has(ours) || written === '') inverted.set(ours, written);
  }
  return inverted;
}

function canonical(name: string, scope: Scope, isAttribute: boolean): string {
  if (name.startsWith('xmlns')) return name;
  const colon = name.indexOf(':');
  if (colon === -1) {
    const ours = isAttribute ? undefined : scope.get('');
    return ours === undefined || ours.startsWith('{') ? name : `${ours}:${name}`;
  }
  const ours = scope.get(name.slice(0, colon));
  return ours === undefined || ours.startsWith('{') ? name : `${ours}:${name.slice(colon + 1)}`;
}
