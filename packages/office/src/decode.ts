import {
  ANY_MARK,
  Break,
  BREAK_MARKS,
  CellRequest,
  MARK,
  PictureValue,
  RichValue,
  SubdocumentValue,
  TypedValue,
} from './marks.ts';
import { BrokenStructure, HeldContent, placeHeld } from './held.ts';
import type { Program } from './program.ts';
import { legalText } from './xml/serialize.ts';
import { deepCopy, Element, type Node, shallowCopy, Text } from './xml/tree.ts';

/** Maximum nodes of a filled document: thousands of pages. */
const MAX_NODES = 2_000_000;

/** One pass through the body of a loop, or one call of a macro, with the pass that encloses it. */
export interface Scope {
  /** 0 for a macro. */
  loop: number;
  parent: Scope | null;
}

/** A filled part. A part within a loop over slides or sheets occurs once for each pass. */
export interface FilledPart {
  /** The number passed to `ProgramWriter.writePart`. */
  number: number;
  root: Element;
  /** The element that refers to it; null for an independent part. */
  anchor: Element | null;
}

export interface Decoded {
  parts: FilledPart[];
  /** The pass of a loop to which copied elements belong: at least those outside of others that were copied. */
  scopes: WeakMap<Element, Scope>;
  /** The rows of the template that each loop repeats. */
  repeated: Program['repeated'];
}

/** The filled document is too large. */
export class TooManyNodes extends Error {
  override readonly name = 'TooManyNodes';
}

/**
 * Builds a document from the interpreter's output.
 *
 * @throws BrokenStructure, TooManyNodes
 */
export function decode(output: string, program: Program): Decoded {
  return new Decoder(output, program).read();
}

/** Marks of content of the document. */
const HOLDS = new RegExp(`[${MARK.nodes}${MARK.begin}${MARK.end}]`);
const CELL_REQUESTS = ['colspan', 'cellbg', 'hm', 'vm'];
const BREAKS: ReadonlyMap<string, Break['type']> = new Map(
  (['line', 'tab', 'page', 'paragraph'] as const).map((type) => [BREAK_MARKS[type], type]),
);

/** A part that is being read, and the part it interrupts. */
interface OpenPart {
  number: number;
  root: Element | null;
  anchor: Element | null;
  outer: { part: OpenPart | null; current: Element | null; scope: Scope | null };
}

class Decoder {
  private readonly output: string;
  private readonly program: Program;
  private readonly parts: FilledPart[] = [];
  private readonly scopes = new WeakMap<Element, Scope>();
  private current: Element | null = null;
  private part: OpenPart | null = null;
  private scope: Scope | null = null;
  /** Text that does not go into the tree. */
  private captures: string[] = [];
  private pending: string[][] = [];
  private attribute = 0;
  private nodes = 0;
  /** Content that is being read where it does not fit, with the element and scope in which it is printed; outer ones first. */
  private readonly held: { content: HeldContent; outer: Element; scope: Scope | null; part: number }[] = [];
  /** All of it, inner ones first. */
  private readonly placing: { content: HeldContent; part: number }[] = [];

  constructor(output: string, program: Program) {
    this.output = output;
    this.program = program;
  }

  read(): Decoded {
    this.follow(this.output);
    if (this.current !== null || this.part !== null) throw new BrokenStructure('something is not closed');
    for (const { content, part } of this.placing) {
      const table = this.program.tables.get(part);
      if (table) placeHeld(content, table);
    }
    return { parts: this.parts, scopes: this.scopes, repeated: this.program.repeated };
  }

  private follow(output: string): void {
    let at = 0;
    ANY_MARK.lastIndex = 0;
    for (let match = ANY_MARK.exec(output); match !== null; match = ANY_MARK.exec(output)) {
      if (match.index > at) this.text(output.slice(at, match.index));
      const kind = match[0];
      const breakType = BREAKS.get(kind);
      if (breakType !== undefined) {
        this.break(breakType);
        at = match.index + 1;
        continue;
      }
      // Only the payload of rich text may contain marks, for its breaks.
      const end = output.indexOf(MARK.close, match.index);
      if (end === -1) throw new BrokenStructure('a filter truncates formatted content');
      at = end + 1;
      this.mark(kind, output.slice(match.index + 1, end));
      ANY_MARK.lastIndex = at;
    }
    if (at < output.length) this.text(output.slice(at));
  }

  private mark(kind: string, payload: string): void {
    switch (kind) {
      case MARK.nodes:
        return this.copyNodes(Number(payload));
      case MARK.begin:
        return this.begin(this.elementOf(payload));
      case MARK.end:
        return this.end(this.elementOf(payload));
      case MARK.text:
        return this.text(this.program.texts[Number(payload)] ?? '');
      case MARK.attribute:
        this.attribute = Number(payload);
        this.captures.push('');
        return;
      case MARK.attributeEnd:
        return this.setAttribute();
      case MARK.part:
        return this.beginPart(Number(payload));
      case MARK.partEnd:
        return this.endPart();
      case MARK.loop:
        return this.enterLoop(Number(payload));
      case MARK.loopEnd:
        return this.leaveLoop(Number(payload));
      default:
        return this.valueMark(kind, payload);
    }
  }

  private valueMark(kind: string, payload: string): void {
    switch (kind) {
      case MARK.picture:
        this.pending.push([]);
        this.captures.push('');
        return;
      case MARK.pictureNext:
        this.pending.at(-1)?.push(this.captures.pop() ?? '');
        this.captures.push('');
        return;
      case MARK.pictureEnd: {
        const values = [...(this.pending.pop() ?? []), this.captures.pop() ?? ''];
        return this.add(new PictureValue(values));
      }
      case MARK.rich: {
        const bar = payload.indexOf('|');
        return this.rich(this.elementOf(payload.slice(0, bar)), payload.slice(bar + 1));
      }
      case MARK.subdocument:
        return this.add(new SubdocumentValue(payload));
      case MARK.typed:
        return this.typed(TypedValue.parse(payload));
      case MARK.cell:
        this.pending.push([CELL_REQUESTS[Number(payload)] ?? '']);
        this.captures.push('');
        return;
      case MARK.cellEnd:
        return this.add(new CellRequest(this.pending.pop()?.[0] ?? '', this.captures.pop() ?? ''));
      default:
        throw new BrokenStructure('a filter changes more than text');
    }
  }

  /** Adds formatted text, or what a macro or variable holds. */
  private rich(format: Element, json: string): void {
    // Marks in it are escaped.
    const value: unknown = json.includes('\\ufdd') ? JSON.parse(json) : null;
    if (typeof value === 'string' && HOLDS.test(value)) {
      const { scope } = this;
      this.scope = { loop: 0, parent: scope };
      this.follow(value);
      this.scope = scope;
    } else if (value !== null && HOLDS.test(JSON.stringify(value)))
      throw new BrokenStructure('a filter for formatted text is given what a macro or variable holds');
    else this.add(new RichValue(format, json));
  }

  private elementOf(payload: string): Element {
    const element = this.program.elements[Number(payload)];
    if (element === undefined) throw new BrokenStructure('a filter changes more than text');
    return element;
  }

  private count(more: number): void {
    this.nodes += more;
    if (this.nodes > MAX_NODES) throw new TooManyNodes();
  }

  private copyNodes(number: number): void {
    for (const node of this.program.nodes[number] ?? []) {
      if (this.captures.length > 0) {
        this.text(textOf(node));
        continue;
      }
      if (node.kind === 'element') this.enter(node);
      this.count(sizeOf(node));
      const copy = deepCopy(node);
      if (copy.kind === 'element') this.claim(copy);
      this.add(copy);
    }
  }

  private claim(element: Element): void {
    if (this.scope !== null) this.scopes.set(element, this.scope);
  }

  private begin(element: Element): void {
    if (this.captures.length > 0) return;
    this.enter(element);
    this.count(1);
    const copy = shallowCopy(element);
    this.claim(copy);
    if (this.part === null) throw new BrokenStructure('something stands outside of the document');
    if (this.current === null) this.part.root = copy;
    else this.current.append(copy);
    copy.parent = this.current;
    this.current = copy;
  }

  /** Holds the content from an element that does not belong into the current one. */
  private enter({ parent }: Element): void {
    if (this.current?.tag !== parent?.tag) this.leave();
    const { current, scope, part } = this;
    if (current === null || parent === null || part === null || current.tag === parent.tag) return;
    const content = new HeldContent(parent);
    current.append(content);
    this.held.push({ content, outer: current, scope, part: part.number });
    this.current = content.holder;
    this.scope = { loop: 0, parent: scope };
  }

  /** Ends content that is held. */
  private leave(): void {
    for (let last = this.held.at(-1); last?.content.holder === this.current; last = this.held.at(-1)) {
      this.placing.push(last);
      this.held.pop();
      ({ outer: this.current, scope: this.scope } = last);
    }
  }

  private end(element: Element): void {
    if (this.captures.length > 0) return;
    this.leave();
    if (this.current?.tag !== element.tag) {
      throw new BrokenStructure(
        `a block begins in one place and ends in another, and the part between is incomplete (${this.current?.name ?? 'nothing'} and ${element.name})`,
      );
    }
    this.current = this.current.parent;
  }

  private beginPart(number: number): void {
    const { part, current, scope } = this;
    const anchor = current?.elements().at(-1) ?? null;
    this.part = { number, root: null, anchor, outer: { part, current, scope } };
    this.current = null;
    this.scope = null;
  }

  private endPart(): void {
    if (this.part?.root == null || this.current !== null) throw new BrokenStructure('a part is not closed');
    const { number, root, anchor, outer } = this.part;
    this.parts.push({ number, root, anchor });
    ({ part: this.part, current: this.current, scope: this.scope } = outer);
  }

  private text(text: string): void {
    const last = this.captures.length - 1;
    if (last >= 0) {
      this.captures[last] += text;
      return;
    }
    this.leave();
    if (this.current === null) {
      if (text.trim() !== '') throw new BrokenStructure('text is outside of the document');
    } else {
      this.count(1);
      const legal = legalText(text);
      const previous = this.current.children.at(-1);
      if (previous?.kind === 'text') previous.text += legal;
      else this.current.append(new Text(legal));
    }
  }

  private break(type: Break['type']): void {
    if (this.captures.length > 0) this.text(' ');
    else this.add(new Break(type));
  }

  private add(node: Node): void {
    if (this.captures.length > 0) return;
    if (!(node instanceof Element)) this.leave();
    if (this.current === null) throw new BrokenStructure('something stands outside of the document');
    this.current.append(node);
  }

  /** Adds a value to its cell; where only text is expected, its text. */
  private typed(value: TypedValue): void {
    if (this.captures.length > 0) this.text(value.text);
    else this.add(value);
  }

  private setAttribute(): void {
    const value = this.captures.pop() ?? '';
    const template = this.program.attributes[this.attribute];
    if (template && this.current) this.current.set(template.tag, legalText(value));
  }

  private enterLoop(loop: number): void {
    // `continue` leaves a pass without its end mark.
    this.leaveLoop(loop);
    this.scope = { loop, parent: this.scope };
  }

  private leaveLoop(loop: number): void {
    for (let at = this.scope; at !== null; at = at.parent) {
      if (at.loop === loop) {
        this.scope = at.parent;
        return;
      }
    }
  }
}

function textOf(node: Node): string {
  return node.kind === 'text' ? node.text : node.kind === 'element' ? node.textContent() : '';
}

function sizeOf(node: Node): number {
  if (node.kind !== 'element') return 1;
  let size = 1;
  for (const child of node.children) size += sizeOf(child);
  return size;
}
