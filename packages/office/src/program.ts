import type { TemplatingEngine } from '@platen/templating';
import type { FormatTable } from './formats/table.ts';
import { blockGroups, captures, divides, tagsIn, unclosed } from './groups.ts';
import { MARK } from './marks.ts';
import { TemplateFault, tokensOf } from './paragraphs.ts';
import { checkStructure, type PlacedBlock } from './structure.ts';
import { CELL_TAGS, type ParsedTag, PictureTag, type Place, RawText, straighten, Tag } from './tags.ts';
import { decodedTags, isTemplated } from './templated.ts';
import { all, type Attribute, closest, type Element, type Foreign, type Node } from './xml/tree.ts';

/** The text for the interpreter, and the meaning of its marks. */
export interface Program {
  source: string;
  nodes: readonly (readonly Node[])[];
  elements: readonly Element[];
  texts: readonly string[];
  attributes: readonly Attribute[];
  /** The offset of each tag in `source`, in order. */
  places: readonly WrittenTag[];
  /** The rows of the template that each loop repeats, by the number of the loop. */
  repeated: ReadonlyMap<number, readonly Element[]>;
  /** By the number of each part. */
  tables: ReadonlyMap<number, FormatTable>;
  /** The innermost block tag that is never closed. */
  unclosed: WrittenTag | null;
}

export interface WrittenTag {
  offset: number;
  place: Place;
  tag: string;
}

const BETWEEN_PARTS = {};

/** Tags that make a template a part of another one. */
const WHOLE_TEMPLATES: ReadonlySet<string> = new Set(['extends', 'layout']);

/** Characters that begin a code, and what stands for each. */
type Escapes = readonly (readonly [character: string, escaped: string])[];
/** A single `&` begins a code in headers of Excel (ECMA-376, 18.3.1.46). */
const IN_HEADER: Escapes = [['&', '&&']];
/** Quotes end a text in instructions of fields (ECMA-376, 17.16.1). */
const IN_FIELD: Escapes = [
  ['\\', '\\\\'],
  ['"', '\\"'],
];
/** They end a text in expressions of LibreOffice, where a backslash before any other character is itself. */
const IN_EXPRESSION: Escapes = [['"', '\\"']];
/** The texts and attributes in which values are escaped, by their tags. */
const ESCAPES: ReadonlyMap<string, Escapes> = new Map([
  ...['odd', 'even', 'first'].flatMap((page): [string, Escapes][] => [
    [`x:${page}Header`, IN_HEADER],
    [`x:${page}Footer`, IN_HEADER],
  ]),
  ['w:instrText', IN_FIELD],
  ['w:instr', IN_FIELD],
  ['text:condition', IN_EXPRESSION],
  ['text:formula', IN_EXPRESSION],
]);

/** Parts that are filled at the elements that refer to them, within any loop there. */
export interface InnerParts {
  has(element: Element): boolean;
  /** Writes the part. */
  write(element: Element): void;
}

/** Converts trees with tags into a program, one part after the other in the order of filling. */
export class ProgramWriter {
  private readonly engine: TemplatingEngine;
  private readonly inner: InnerParts | null;
  private readonly pieces: string[] = [];
  private length = 0;
  private readonly nodes: Node[][] = [];
  private readonly elements: Element[] = [];
  private readonly texts: string[] = [];
  private readonly attributes: Attribute[] = [];
  private readonly places: WrittenTag[] = [];
  private readonly blocks: PlacedBlock[] = [];
  /** Table of the part that is being written. */
  private table: FormatTable | null = null;
  /** Keywords of the open blocks whose content the template language reads as text. */
  private readonly captured: string[] = [];
  /** The text within which tags have to be complete. */
  private within: object | null = null;
  /** What is escaped in the attribute that is being written. */
  private escapes: Escapes | undefined;
  /** Elements that contain foreign nodes. */
  private readonly living = new Set<Element>();
  /** Loops whose passes are recorded: the begin and end marks of their bodies. */
  private readonly loops = new Map<Tag, { mark: string; after: boolean }>();
  private readonly repeated = new Map<number, readonly Element[]>();
  private readonly tables = new Map<number, FormatTable>();

  constructor(engine: TemplatingEngine, inner: InnerParts | null = null) {
    this.engine = engine;
    this.inner = inner;
  }

  /** Writes a tag between parts: around slides or sheets. */
  writeTag(tag: Tag): void {
    this.within = BETWEEN_PARTS;
    this.tag(tag);
    this.within = null;
  }

  writePart(number: number, root: Element, table: FormatTable): void {
    this.findLiving(root);
    this.findLoops(root, table);
    const outer = this.table;
    this.table = table;
    this.tables.set(number, table);
    this.emit(`${MARK.part}${number}${MARK.close}`);
    this.element(root);
    this.emit(`${MARK.partEnd}${MARK.close}`);
    this.table = outer;
  }

  /** @throws TemplateFault for a block that begins in one place and ends in another */
  finish(): Program {
    checkStructure(this.blocks);
    const open = unclosed(this.blocks.map(({ tag }) => tag));
    const { nodes, elements, texts, attributes, places, repeated, tables } = this;
    return {
      source: this.pieces.join(''),
      nodes,
      elements,
      texts,
      attributes,
      places,
      repeated,
      tables,
      unclosed: open && { offset: 0, place: open.place, tag: `{% ${open.body} %}` },
    };
  }

  private emit(text: string): void {
    this.pieces.push(text);
    this.length += text.length;
  }

  private findLiving(element: Element): boolean {
    let lives = this.inner?.has(element) === true || element.attributes.some(isTemplated);
    for (const child of element.children) {
      if (child.kind === 'foreign') lives = true;
      else if (child.kind === 'element' && this.findLiving(child)) lives = true;
    }
    if (lives) this.living.add(element);
    return lives;
  }

  private findLoops(root: Element, table: FormatTable): void {
    for (const group of blockGroups(tagsIn(root))) {
      const [open, second] = group;
      if (open?.keyword !== 'for' || second === undefined) continue;
      if (open.parent === null || !repeatsElements(open.parent, table)) continue;
      const number = this.repeated.size + 1;
      this.loops.set(open, { mark: `${MARK.loop}${number}${MARK.close}`, after: true });
      const end = divides(second) ? second : group.at(-1);
      this.repeated.set(number, rowsBetween(open, end, table));
      if (end) this.loops.set(end, { mark: `${MARK.loopEnd}${number}${MARK.close}`, after: false });
    }
  }

  private element(element: Element): void {
    const number = this.elements.push(element) - 1;
    this.emit(`${MARK.begin}${number}${MARK.close}`);
    for (const attribute of element.attributes)
      if (isTemplated(attribute)) this.attribute(attribute, element);
    let still: Node[] = [];
    const flush = (): void => {
      if (still.length > 0) this.emit(`${MARK.nodes}${this.nodes.push(still) - 1}${MARK.close}`);
      still = [];
    };
    // Text beside a tag is text of the template language, visible to filters and conditions.
    const besideTag = element.children.some((child) => child.kind === 'foreign');
    for (const child of element.children) {
      if (child.kind === 'element' && this.living.has(child)) {
        flush();
        this.element(child);
      } else if (child.kind === 'foreign') {
        flush();
        this.foreign(child);
      } else if (child.kind === 'text' && besideTag) {
        flush();
        this.text(child.text);
      } else still.push(child);
    }
    flush();
    this.emit(`${MARK.end}${number}${MARK.close}`);
    if (this.inner?.has(element) === true) this.inner.write(element);
  }

  private text(text: string): void {
    if (/\{[{%#]/.test(text)) this.emit(`${MARK.text}${this.texts.push(text) - 1}${MARK.close}`);
    else this.emit(text.replace(/\n/g, ' '));
  }

  private foreign(node: Foreign): void {
    if (node instanceof Tag) this.tag(node);
    else if (node instanceof PictureTag) this.picture(node);
    else if (node instanceof RawText) {
      this.emit(`${MARK.text}${this.texts.push(node.text) - 1}${MARK.close}`);
    }
  }

  private tag(tag: Tag): void {
    if (tag.type === 'comment') return;
    const loop = this.loops.get(tag);
    if (loop && !loop.after) this.emit(loop.mark);
    if (CELL_TAGS.has(tag.keyword)) this.cellTag(tag);
    else if (tag.type === 'block') {
      if (WHOLE_TEMPLATES.has(tag.keyword)) {
        const message = `${tag.keyword} requires an html template: use include or subdocument()`;
        throw new TemplateFault(message, tag.place, `{% ${tag.body} %}`);
      }
      this.remember(tag.place, `{% ${tag.body} %}`);
      this.blocks.push({ tag, within: this.within, table: this.table });
      this.emit(`{% ${tag.body} %}`);
      if (captures(tag)) this.captured.push(tag.keyword);
      else if (tag.keyword === `end${this.captured.at(-1)}`) this.captured.pop();
    } else this.output(tag);
    if (loop?.after) this.emit(loop.mark);
  }

  private output(tag: Tag): void {
    if (tag.includes) {
      this.remember(tag.place, `{% ${tag.body} %}`);
      this.emit(this.inclusion(tag));
      return;
    }
    this.remember(tag.place, `{{ ${tag.body} }}`);
    if (tag.format !== null) {
      const number = this.elements.push(tag.format) - 1;
      this.emit(`${MARK.rich}${number}|`);
      this.emit(this.expression(tag.body, 'rich'));
      this.emit(MARK.close);
      return;
    }
    const escapes = this.escapes ?? ESCAPES.get(tag.parent?.tag ?? '');
    if (escapes !== undefined) {
      this.emit(`${this.expression(tag.body, 'plain').slice(0, -2)}${this.escaping(escapes)} }}`);
    } else {
      // A picture would be lost within the value of an attribute, or in a text of the template language.
      const isShown = this.within === null && this.captured.length === 0;
      this.emit(this.expression(tag.body, !isShown ? 'plain' : tag.typed ? 'cell' : 'text'));
    }
  }

  /** Returns an output whose value passes through the internal filter that turns it into text. */
  private expression(body: string, filter: 'plain' | 'text' | 'cell' | 'rich'): string {
    if (this.engine === 'liquid') return `{{ ${body} | platen_${filter} }}`;
    // The interpreter reports its fault: within the brackets below, it could become another expression.
    if (!isBalanced(body)) return `{{ ${body} }}`;
    if (filter === 'rich') return `{{ (${body})|platen_rich }}`;
    const inCell = filter === 'cell' ? '|platen_cell' : '';
    return `{{ (${body})${inCell}|string|platen_${filter === 'cell' ? 'text' : filter} }}`;
  }

  /** Returns a partial's text, which passes through the internal filter like a value. */
  private inclusion({ body, parent }: Tag): string {
    const filters = this.escaping(this.escapes ?? ESCAPES.get(parent?.tag ?? '') ?? []);
    if (this.engine === 'liquid')
      return `{% capture platen_partial %}{% ${body} %}{% endcapture %}{{ platen_partial | platen_partial${filters} }}`;
    return `{% filter platen_text${filters} %}{% ${body} %}{% endfilter %}`;
  }

  /** Returns filters that escape a value. */
  private escaping(escapes: Escapes): string {
    return escapes
      .map((pair) => pair.map((text) => JSON.stringify(text)).join(', '))
      .map((pair) => (this.engine === 'liquid' ? ` | replace: ${pair}` : `|replace(${pair})`))
      .join('');
  }

  private cellTag(tag: Tag): void {
    this.remember(tag.place, `{% ${tag.body} %}`);
    const loop = this.engine === 'liquid' ? 'forloop' : 'loop';
    this.emit(`${MARK.cell}${['colspan', 'cellbg', 'hm', 'vm'].indexOf(tag.keyword)}${MARK.close}`);
    if (tag.keyword === 'hm' || tag.keyword === 'vm') {
      this.emit(`{{ ${loop}.index0 }} {{ ${loop}.length }}`);
    } else this.emit(this.expression(tag.body.slice(tag.keyword.length).trim(), 'plain'));
    this.emit(`${MARK.cellEnd}${MARK.close}`);
  }

  private picture(picture: PictureTag): void {
    const { src = '', width = '', height = '', alt = '' } = picture.attributes;
    this.emit(`${MARK.picture}${MARK.close}`);
    [src, width, height, alt].forEach((value, i) => {
      if (i > 0) this.emit(`${MARK.pictureNext}${MARK.close}`);
      this.template(value, picture.place);
    });
    this.emit(`${MARK.pictureEnd}${MARK.close}`);
  }

  private attribute(attribute: Attribute, element: Element): void {
    this.emit(`${MARK.attribute}${this.attributes.push(attribute) - 1}${MARK.close}`);
    const place = placeOf(element);
    this.escapes = ESCAPES.get(attribute.tag);
    this.template(decodedTags(attribute.value), place);
    this.escapes = undefined;
    this.emit(`${MARK.attributeEnd}${MARK.close}`);
  }

  /** Writes a continuous text with tags: the value of an attribute. */
  private template(text: string, place: Place): void {
    let at = 0;
    this.within = {};
    for (const token of tokensOf(text, place)) {
      this.text(text.slice(at, token.start));
      at = token.end;
      if (token.type === 'raw') this.foreign(new RawText(token.text));
      else if (token.type === 'tag') this.inline(token.tag, place);
    }
    this.text(text.slice(at));
    this.within = null;
  }

  private inline(tag: ParsedTag, place: Place): void {
    // A prefix has no effect here: `{{r }}` means the variable.
    this.tag(new Tag({ ...tag, body: straighten(tag.body) }, place));
  }

  private remember(place: Place, tag: string): void {
    this.places.push({ offset: this.length, place, tag });
  }
}

/** Returns whether an expression is not empty, and its brackets close those that it opens. */
function isBalanced(body: string): boolean {
  const open: string[] = [];
  let quote = '';
  for (let at = 0; at < body.length; at += 1) {
    const character = body.charAt(at);
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (/["']/.test(character)) quote = character;
    else if (/[([{]/.test(character)) open.push(character);
    else if (BRACKETS[character] !== undefined && open.pop() !== BRACKETS[character]) return false;
  }
  return open.length === 0 && body.trim() !== '';
}

const BRACKETS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Returns whether the passes of a loop with this parent are recorded. */
function repeatsElements(parent: Element, table: FormatTable): boolean {
  if (table.passes === 'rows') return table.table.has(parent.tag);
  return table.leaves === null ? closest(parent, table.paragraphs) === null : !table.leaves.has(parent.tag);
}

/** Returns the rows between the tags of a loop, which have the same parent. */
function rowsBetween(open: Tag, end: Tag | undefined, table: FormatTable): Element[] {
  const siblings = open.parent?.children ?? [];
  const last = end === undefined ? -1 : siblings.indexOf(end);
  return siblings
    .slice(siblings.indexOf(open), last === -1 ? undefined : last)
    .flatMap((node) => (node.kind === 'element' ? [node, ...all(node, ...table.row)] : []))
    .filter((element) => table.row.has(element.tag));
}

/** Names of the parts with tags, which determine their places. */
const partNames = new WeakMap<Element, string>();

export function namePart(root: Element, part: string): void {
  partNames.set(root, part);
}

function placeOf(element: Element): Place {
  let root = element;
  while (root.parent !== null) root = root.parent;
  return { part: partNames.get(root) ?? '', paragraph: 0 };
}
