import {
  defaultTreeAdapter,
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes as Tree,
  html as spec,
  Parser,
  type TreeAdapter,
} from 'parse5';

/** The properties in the head of an html document, as browsers read them. */
export interface Head {
  /**
   * The text of its first `<title>` element, with white space collapsed (HTML, "document.title"); null if there is
   * none or an empty one (I-20).
   */
  title: string | null;
  /** Attributes of the document: those of the first `<html>` and `<body>`. */
  language: string | null;
  direction: 'ltr' | 'rtl' | null;
  /** The contents of its `<meta>` elements that describe it, by their names in lower case. */
  descriptions: Descriptions;
  /** Position for inserting a missing title: after the document type. */
  afterType: number;
  /** End of the head, whether its tags are written or implied. */
  end: number;
}

/** The standard metadata names whose contents are properties of the PDF (HTML, 4.2.5.1; WHATWG MetaExtensions). */
const DESCRIPTIONS = ['author', 'date', 'description', 'keywords'] as const;
export type Descriptions = Readonly<Partial<Record<(typeof DESCRIPTIONS)[number], readonly string[]>>>;

/** Thrown to end the parser when all facts are known. */
class Enough extends Error {
  override readonly name = 'Enough';
}

/** Reads a document once, and only to the end of its head if that contains a title. */
export function readHead(html: string): Head {
  const reader = new HeadReader(html);
  const adapter: TreeAdapter<DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    onItemPush: (element) => reader.opened(element),
    onItemPop: (element) => reader.closed(element),
  };
  const parser = new Parser<DefaultTreeAdapterMap>({ sourceCodeLocationInfo: true, treeAdapter: adapter });
  try {
    parser.tokenizer.write(html, true);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return { title: reader.title, ...reader.root(), ...places(parser.document) };
}

class HeadReader {
  readonly #html: string;
  #title: string | undefined;
  #isPastHead = false;
  #language: string | null = null;
  #direction: Head['direction'] = null;

  constructor(html: string) {
    this.#html = html;
  }

  root(): Pick<Head, 'language' | 'direction'> {
    return { language: this.#language, direction: this.#direction };
  }

  get title(): string | null {
    return this.#title === undefined || this.#title === '' ? null : this.#title;
  }

  opened(element: Tree.Element): void {
    if (this.#isPastHead || !isHtml(element, ROOTS)) return;
    this.#reads(element);
    if (!BODIES.has(element.tagName)) return;
    this.#isPastHead = true;
    // Most of a long document follows its title and need not be read. A document without a title in its head
    // usually has none in its body either.
    const at = element.sourceCodeLocation?.startOffset ?? 0;
    if (this.#title !== undefined || !mayHold(this.#html, '<title', at)) throw new Enough();
  }

  /** The language and direction of the body apply to its content. */
  #reads(element: Tree.Element): void {
    const language = valueOf(element, 'lang');
    if (language !== '') this.#language = language;
    const direction = valueOf(element, 'dir').toLowerCase();
    if (direction === 'rtl' || direction === 'ltr') this.#direction = direction;
  }

  closed(element: Tree.Element): void {
    if (this.#title !== undefined || !isHtml(element, TITLES) || !isInDocument(element)) return;
    // An unclosed title is ignored, because it would contain the rest of the document.
    if (!mayHold(this.#html, '</title', element.sourceCodeLocation?.startOffset ?? 0)) return;
    const text = element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
    this.#title = text.replace(/[\t\n\f\r ]+/g, ' ').trim();
    if (this.#isPastHead) throw new Enough();
  }
}

const ROOTS = new Set(['html', 'body', 'frameset']);
const BODIES = new Set(['body', 'frameset']);
const TITLES = new Set(['title']);
const METAS = new Set(['meta']);

function valueOf({ attrs }: Tree.Element, name: string): string {
  return attrs.find((attribute) => attribute.name === name)?.value.trim() ?? '';
}

function isHtml(element: Tree.Element, names: ReadonlySet<string>): boolean {
  return element.namespaceURI === spec.NS.HTML && names.has(element.tagName);
}

function mayHold(html: string, tag: '<title' | '</title', from: number): boolean {
  const pattern = new RegExp(tag, 'gi');
  pattern.lastIndex = from;
  return pattern.test(html);
}

/** The content of a `<template>` is not part of the document. */
function isInDocument(element: Tree.Element): boolean {
  let node: Tree.ParentNode | null = element;
  while (node !== null && 'parentNode' in node) node = node.parentNode;
  return node?.nodeName === '#document';
}

function places(document: Tree.Document): Pick<Head, 'afterType' | 'end' | 'descriptions'> {
  const type = document.childNodes.find((node) => node.nodeName === '#documentType');
  const afterType = type?.sourceCodeLocation?.endOffset ?? 0;
  const root = elementNamed(document, 'html');
  const head = root && elementNamed(root, 'head');
  const location = head?.sourceCodeLocation;
  const lastChild = head?.childNodes.findLast((node) => node.sourceCodeLocation);
  const end =
    location?.endTag?.startOffset ??
    lastChild?.sourceCodeLocation?.endOffset ??
    location?.startTag?.endOffset ??
    root?.sourceCodeLocation?.startTag?.endOffset ??
    afterType;
  return { afterType, end, descriptions: descriptionsIn(head?.childNodes ?? []) };
}

function descriptionsIn(nodes: readonly Tree.ChildNode[]): Descriptions {
  const found: Partial<Record<(typeof DESCRIPTIONS)[number], string[]>> = {};
  for (const node of nodes) {
    if (!('tagName' in node) || !isHtml(node, METAS)) continue;
    const name = DESCRIPTIONS.find((known) => known === valueOf(node, 'name').toLowerCase());
    const content = valueOf(node, 'content').replace(/\s+/g, ' ');
    if (name !== undefined && content !== '') (found[name] ??= []).push(content);
  }
  return found;
}

function elementNamed(parent: Tree.ParentNode, name: string): Tree.Element | undefined {
  return parent.childNodes.find((node): node is Tree.Element => 'tagName' in node && node.tagName === name);
}
