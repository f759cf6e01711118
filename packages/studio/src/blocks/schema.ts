import { type Attrs, type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';
import { isColumns, kindOf, labelOf } from './kinds.ts';
import { attributeOf, tagName } from './tag.ts';

/**
 * The document that is edited in blocks. Each node has the tags that it is written with (`open`, `close`) and the number
 * of what was read for it (`origin`, 0 for none), by which its text is kept as it is.
 */

const TAGS = { origin: { default: 0 }, open: { default: '' }, close: { default: '' } };

/** What contains others: a group of blocks, a list, a table and their parts. */
function container(group: string, content: string, look: (attrs: Attrs) => DOMOutputSpec): NodeSpec {
  return { group, content, attrs: TAGS, defining: true, toDOM: ({ attrs }) => look(attrs) };
}

/** A loop or condition of Jinja2 around others of its kind. Blocks move into and out of holders. */
function jinja(group: string): NodeSpec {
  return {
    ...container(group, `${group}+`, ({ open }) => [
      'div',
      { class: 'b-jinja' },
      ['div', { class: 'b-label', contenteditable: 'false' }, labelOf(String(open))],
      ['div', 0],
    ]),
    isHolder: true,
  };
}

/** What blocks do not show: its text, as it is written. */
function code(group: string): NodeSpec {
  return {
    group,
    content: 'text*',
    marks: '',
    code: true,
    attrs: { origin: TAGS.origin },
    toDOM: () => ['pre', { class: 'b-code', spellcheck: 'false' }, ['code', 0]],
  };
}

const plain = (name: string) => (): DOMOutputSpec => ['div', { class: name }, 0];

const nodes = {
  doc: { content: 'blocks+', attrs: TAGS },
  paragraph: {
    group: 'blocks',
    content: 'inline*',
    attrs: TAGS,
    toDOM: ({ attrs: { open } }) => {
      const name = tagName(String(open));
      const isLine = attributeOf(String(open), 'class') === 'signature-line';
      return [/^h[1-6]$/.test(name) ? name : 'p', { class: isLine ? 'b-signature' : 'b-text' }, 0];
    },
    parseDOM: ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'div'].map((tag) => {
      const name = tag === 'div' ? 'p' : tag;
      return { tag, attrs: { open: `<${name}>`, close: `</${name}>` } };
    }),
  },
  group: {
    ...container('blocks', 'blocks+', ({ open }) => [
      'div',
      { class: isColumns(String(open)) ? 'b-group columns' : 'b-group' },
      0,
    ]),
    isHolder: true,
  },
  jinja: jinja('blocks'),
  code: code('blocks'),
  /** A page break, or a line across the page. */
  divider: {
    group: 'blocks',
    attrs: { origin: TAGS.origin, code: {} },
    toDOM: ({ attrs }) => {
      const kind = kindOf(String(attrs['code']));
      return ['div', { class: 'b-divider', 'data-kind': kind.name }, ['span', kind.label]];
    },
    parseDOM: [{ tag: 'hr', attrs: { code: '<hr />' } }],
  },
  list: {
    // No element for lists: with a loop between, its items would not be its children.
    ...container('blocks', 'items+', ({ open }) => ['div', { class: `b-list ${tagName(String(open))}` }, 0]),
    parseDOM: ['ul', 'ol'].map((tag) => ({ tag, attrs: { open: `<${tag}>`, close: `</${tag}>` } })),
  },
  item: {
    ...container('items', 'blocks+', plain('b-item')),
    parseDOM: [{ tag: 'li', attrs: { open: '<li>', close: '</li>' } }],
  },
  item_jinja: jinja('items'),
  item_code: code('items'),
  table: {
    ...container('blocks', 'parts+', plain('b-table')),
    isolating: true,
    parseDOM: [{ tag: 'table', attrs: { open: '<table>', close: '</table>' } }],
  },
  section: {
    ...container('parts', 'rows+', ({ open }) => ['div', { class: `b-section ${tagName(String(open))}` }, 0]),
    isHolder: true,
  },
  row: {
    ...container('rows parts', 'cells+', plain('b-row')),
    parseDOM: [{ tag: 'tr', attrs: { open: '<tr>', close: '</tr>' } }],
  },
  row_jinja: { ...jinja('rows'), group: 'rows parts' },
  row_code: code('rows parts'),
  cell: {
    ...container('cells', 'blocks+', ({ open }) => ['div', { class: `b-cell ${tagName(String(open))}` }, 0]),
    isolating: true,
    parseDOM: ['td', 'th'].map((tag) => ({ tag, attrs: { open: `<${tag}>`, close: `</${tag}>` } })),
  },
  cell_jinja: jinja('cells'),
  cell_code: code('cells'),
  text: { group: 'inline' },
  /** What stands in a line and is no text: a field, an image, a line break, or code. */
  chip: {
    group: 'inline',
    inline: true,
    attrs: { code: {} },
    leafText: ({ attrs }) => (kindOf(String(attrs['code'])).name === 'line' ? '\n' : String(attrs['code'])),
    toDOM: ({ attrs }) => {
      const shown = kindOf(String(attrs['code']));
      if (shown.name === 'line') return ['br'];
      return [
        'span',
        { class: 'b-chip', 'data-kind': shown.name, title: String(attrs['code']) },
        shown.label,
      ];
    },
    parseDOM: [{ tag: 'br', attrs: { code: '<br />' } }],
  },
} satisfies Record<string, NodeSpec>;

/** Text within an element: bold, a link, or any other that has no look here. */
function mark(element: string, tags: readonly string[], more: Partial<MarkSpec> = {}): MarkSpec {
  const [tag = ''] = tags;
  return {
    attrs: { open: { default: `<${tag}>` } },
    toDOM: () => [element, 0],
    parseDOM: tags.map((name) => ({ tag: name })),
    ...more,
  };
}

const marks = {
  link: mark('span', ['a'], {
    inclusive: false,
    toDOM: ({ attrs }) => [
      'span',
      { class: 'b-link', title: attributeOf(String(attrs['open']), 'href') ?? '' },
      0,
    ],
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (element) => ({
          open: `<a href="${(element.getAttribute('href') ?? '').replaceAll('"', '&quot;')}">`,
        }),
      },
    ],
  }),
  span: mark('span', ['span'], { excludes: '', parseDOM: [] }),
  strong: mark('strong', ['strong', 'b']),
  em: mark('em', ['em', 'i']),
  underline: mark('u', ['u']),
} satisfies Record<string, MarkSpec>;

export const schema = new Schema({ nodes, marks });

/** The families of nodes: what a group, a list, a table and a row consist of, with their code and their loops. */
export const FAMILIES = {
  blocks: { jinja: schema.nodes.jinja, code: schema.nodes.code },
  items: { jinja: schema.nodes.item_jinja, code: schema.nodes.item_code },
  parts: { jinja: schema.nodes.row_jinja, code: schema.nodes.row_code },
  rows: { jinja: schema.nodes.row_jinja, code: schema.nodes.row_code },
  cells: { jinja: schema.nodes.cell_jinja, code: schema.nodes.cell_code },
} as const;

export type Family = keyof typeof FAMILIES;
