import type { Mark, Node } from 'prosemirror-model';
import type { Blocks, Origin, Origins } from './read.ts';
import { tagName } from './tag.ts';

/**
 * Writes blocks as the text of a template. A node that is as it was read has the text that was read, and so has the white
 * space around it: only what was changed is written otherwise.
 */

/** Where a node of the document is in the text. */
export interface Place {
  /** Its position in the document. */
  at: number;
  from: number;
  to: number;
}

/** @param places receives the places of all blocks, those within others after them */
export function writeBlocks({ doc, before, after }: Blocks, origins: Origins, places: Place[] = []): string {
  return new Writer(origins, places, before).document(doc) + after;
}

class Writer {
  readonly #origins: Origins;
  readonly #places: Place[];
  #text: string;

  constructor(origins: Origins, places: Place[], before: string) {
    this.#origins = origins;
    this.#places = places;
    this.#text = before;
  }

  document(doc: Node): string {
    this.#content(doc, -1);
    return this.#text;
  }

  #originOf(node: Node): Origin | undefined {
    return this.#origins.get(Number(node.attrs['origin']));
  }

  #node(node: Node, at: number, isBare: boolean): void {
    const place = { at, from: this.#text.length, to: 0 };
    this.#places.push(place);
    const origin = this.#originOf(node);
    const { open, close, code } = node.attrs as { open?: string; close?: string; code?: string };
    if (code !== undefined) this.#text += code;
    else if (node.type.spec.code === true) this.#text += node.textContent;
    else {
      const isPlain = open === '' && node.isTextblock && !isBare;
      this.#text += isPlain ? '<p>' : open;
      if (node.isTextblock) this.#text += this.#line(node, origin, isPlain || tagName(open ?? '') === 'p');
      else this.#content(node, at);
      this.#text += isPlain ? '</p>' : close;
    }
    place.to = this.#text.length;
  }

  #line(node: Node, origin: Origin | undefined, isParagraph: boolean): string {
    if (origin?.node.content.eq(node.content) === true) {
      const { open, close } = origin.node.attrs as { open: string; close: string };
      return origin.source.slice(open.length, origin.source.length - close.length);
    }
    // A paragraph without content would have no height.
    if (node.childCount === 0) return isParagraph ? '<br />' : '';
    const [head, tail] = origin?.node.isTextblock === true ? origin.pad : ['', ''];
    return head + inlineOf(node) + tail;
  }

  #content(node: Node, at: number): void {
    const origin = this.#originOf(node);
    const isOnly = node.childCount === 1;
    const isEmpty = isOnly && isPlaceholder(node.firstChild as Node);
    const seen = new Set<number>();
    node.forEach((child, offset, index) => {
      if (index > 0 && index === node.childCount - 1 && isPlaceholder(child)) return;
      const number = Number(child.attrs['origin']);
      const isInPart = isOnly && (node.type.name === 'cell' || node.type.name === 'item');
      const isBare =
        isEmpty || isInPart || (this.#originOf(child)?.node.attrs['open'] === '' && !seen.has(number));
      seen.add(number);
      if (!isEmpty) this.#text += this.#leadOf(node, index);
      this.#node(child, at + 1 + offset, isBare);
    });
    this.#text += origin?.pad[1] ?? '';
  }

  /**
   * Returns the white space before a child. The first one has what is after the start tag; others have what was read
   * before them or, if they are new or were the first, what was read before their neighbour.
   */
  #leadOf(node: Node, index: number): string {
    const origin = this.#originOf(node);
    const head = origin?.pad[0] ?? '';
    if (index === 0) return head;
    const first = this.#originOf(origin?.node.firstChild ?? node);
    const own = (at: number): string | undefined => {
      const child = at >= 0 && at < node.childCount ? this.#originOf(node.child(at)) : undefined;
      const isOwn = child !== undefined && child !== first && child.parent === Number(node.attrs['origin']);
      return isOwn ? child.lead : undefined;
    };
    for (let distance = 0; distance < node.childCount; distance++) {
      const lead = own(index - distance) ?? own(index + distance);
      if (lead !== undefined) return lead;
    }
    return head;
  }
}

/** Returns whether a node is only a place to write in. */
function isPlaceholder(node: Node): boolean {
  const { origin, open } = node.attrs;
  return origin === 0 && (open === '' || open === undefined) && node.content.size === 0;
}

/** Writes what stands in the lines of a block. */
function inlineOf(block: Node): string {
  let text = '';
  let open: readonly Mark[] = [];
  const goTo = (marks: readonly Mark[]): void => {
    const kept = open.findIndex((mark, at) => marks[at] === undefined || !mark.eq(marks[at]));
    const common = kept < 0 ? open.length : kept;
    for (const mark of open.slice(common).toReversed()) text += `</${tagName(String(mark.attrs['open']))}>`;
    for (const mark of marks.slice(common)) text += String(mark.attrs['open']);
    open = marks;
  };
  block.forEach((node) => {
    goTo(node.marks);
    text += node.isText ? escaped(node.text ?? '') : String(node.attrs['code']);
  });
  goTo([]);
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\u00A0': '&nbsp;',
  '\u00AD': '&shy;',
  '{{': '{{ "{{" }}',
  '{%': '{{ "{%" }}',
  '{#': '{{ "{#" }}',
};

function escaped(text: string): string {
  return text.replace(/[&<>\u00A0\u00AD]|\{[{%#]/g, (found) => ESCAPES[found] ?? found);
}
