import { createHash } from 'node:crypto';
import type { Block, ListDefinition, ParagraphStyle, RunStyle } from './model.ts';
import type { Picture } from './reading.ts';
import { escapeXml } from './write.ts';

/** Resources that the parts of one package share: pictures, styles, lists and link targets. */
export class SharedParts {
  readonly styles: ReadonlyMap<ParagraphStyle, RunStyle>;
  readonly lists: readonly ListDefinition[];
  /** Path within `word/` → bytes. */
  readonly media = new Map<string, Uint8Array>();
  /** Number of the next bookmark. */
  firstBookmark = 0;
  /** Link targets with their names in the package; placed ones are removed. */
  readonly #places = new Map<string, string>();
  readonly #set = new Set<string>();
  readonly #paths = new Map<string, string>();
  #drawings = 0;

  constructor(
    styles: ReadonlyMap<ParagraphStyle, RunStyle>,
    lists: readonly ListDefinition[],
    blocks: readonly Block[],
  ) {
    this.styles = styles;
    this.lists = lists;
    for (const { link } of runsOf(blocks)) {
      if (link?.startsWith('#') === true) this.place(link.slice(1));
    }
  }

  /** The bookmark name of a target: word processors permit letters and digits. */
  place(name: string): string {
    const decoded = decoded40(name);
    let known = this.#places.get(decoded);
    if (known === undefined) {
      known = `place${this.#places.size + 1}`;
      this.#places.set(decoded, known);
    }
    return known;
  }

  /** The bookmark name of a target that is placed here; null if no link refers to it, or it is already placed. */
  set(name: string): string | null {
    const known = this.#places.get(name);
    if (known === undefined || this.#set.has(known)) return null;
    this.#set.add(known);
    return known;
  }

  /** The path of a picture; equal pictures are stored once. */
  path({ type, bytes }: Picture): string {
    const key = createHash('sha256').update(bytes).digest('hex');
    let path = this.#paths.get(key);
    if (path === undefined) {
      path = `media/image${this.#paths.size + 1}.${type}`;
      this.#paths.set(key, path);
      this.media.set(path, bytes);
    }
    return path;
  }

  nextDrawing(): number {
    return ++this.#drawings;
  }
}

function decoded40(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // Not every percent sign begins an escape.
    return name;
  }
}

/** The relationships of one part of a package. */
export class Parts {
  readonly #commons: SharedParts;
  readonly #relationships: string[] = [];
  readonly #known = new Map<string, string>();

  constructor(commons: SharedParts) {
    this.#commons = commons;
  }

  get styles(): SharedParts['styles'] {
    return this.#commons.styles;
  }

  get lists(): SharedParts['lists'] {
    return this.#commons.lists;
  }

  nextBookmark(): number {
    return this.#commons.firstBookmark++;
  }

  bookmark(name: string): string | null {
    return this.#commons.set(name);
  }

  picture(picture: Picture): { relationship: string; number: number } {
    const path = this.#commons.path(picture);
    return { relationship: this.relationship('image', path), number: this.#commons.nextDrawing() };
  }

  linkAttribute(link: string): string {
    if (link.startsWith('#')) return `w:anchor="${this.#commons.place(link.slice(1))}"`;
    return `r:id="${this.relationship('hyperlink', link)}"`;
  }

  /** @param type last segment of its URI */
  relationship(type: string, target: string): string {
    const key = `${type} ${target}`;
    let id = this.#known.get(key);
    if (id === undefined) {
      id = `rId${this.#relationships.length + 1}`;
      this.#known.set(key, id);
      const mode = type === 'hyperlink' ? ' TargetMode="External"' : '';
      this.#relationships.push(
        `<Relationship Id="${id}" Type="${RELATIONS}${type}" Target="${escapeXml(target)}"${mode}/>`,
      );
    }
    return id;
  }

  /** The part with the relationships. */
  xml(): string {
    return relationshipsXml(this.#relationships);
  }
}

export const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';

export function relationshipsXml(relationships: readonly string[]): string {
  return `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationships.join('')}</Relationships>`;
}

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Every run of the blocks, with the style of its paragraph. */
export function* runsOf(blocks: readonly Block[]): Generator<{
  paragraph: ParagraphStyle;
  link: string | null;
  style: RunStyle;
  length: number;
}> {
  const open: Block[] = [...blocks].reverse();
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (block.kind === 'table') {
      for (const row of block.rows.toReversed())
        for (const cell of row.cells.toReversed()) for (const one of cell.blocks.toReversed()) open.push(one);
      continue;
    }
    for (const run of block.runs) {
      const length = run.kind === 'text' ? run.text.length : 0;
      yield { paragraph: block.style, link: run.link, style: run.style, length };
    }
  }
}
