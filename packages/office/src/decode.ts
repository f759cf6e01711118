import {
  Break,
  BREAK_MARKS,
  CellRequest,
  MARK,
  PictureValue,
  RichValue,
  SubdocumentValue,
  TypedValue,
} from './marks.ts';
import type { Program } from './program.ts';
import { legalText } from './xml/serialize.ts';
import { deepCopy, type Element, shallowCopy, Text } from './xml/tree.ts';

/** Maximum nodes of a filled document: thousands of pages. */
const MAX_NODES = 2_000_000;

/** One pass through the body of a loop, with the pass that encloses it. */
export interface Scope {
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

/** A block whose opening and closing tags do not enclose complete elements. */
export class BrokenStructure extends Error {
  override readonly name = 'BrokenStructure';
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

const ANY_MARK = /[\ufdd0-\ufdef]/g;
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

  constructor(output: string, program: Program) {
    this.output = output;
    this.program = program;
  }

  read(): Decoded {
    const { output } = this;
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
      ANY_MARK.lastIndex = at;
      this.mark(kind, output.slice(match.index + 1, end));
    }
    if (this.current !== null || this.part !== null) throw new BrokenStructure('something is not closed');
    return { parts: this.parts, scopes: this.scopes, repeated: this.program.repeated };
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
        return this.add(new RichValue(this.elementOf(payload.slice(0, bar)), payload.slice(bar + 1)));
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
    this.count(1);
    const copy = shallowCopy(element);
    this.claim(copy);
    if (this.part === null) throw new BrokenStructure('something stands outside of the document');
    if (this.current === null) this.part.root = copy;
    else this.current.append(copy);
    copy.parent = this.current;
    this.current = copy;
  }

  private end(element: Element): void {
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
    if (last >= 0) this.captures[last] += text;
    else if (this.current === null) {
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

  private add(node: Parameters<Element['append']>[0]): void {
    if (this.captures.length > 0) return;
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

function sizeOf(node: Parameters<typeof deepCopy>[0]): number {
  if (node.kind !== 'element') return 1;
  let size = 1;
  for (const child of node.children) size += sizeOf(child);
  return size;
}
