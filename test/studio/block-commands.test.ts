import { type Command, EditorState, NodeSelection, TextSelection } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import {
  changeTable,
  duplicate,
  insertBlocks,
  move,
  paragraphAtEnd,
  remove,
  styled,
  unwrap,
  wrap,
} from '../../packages/studio/src/blocks/commands.ts';
import { kindOf, labelOf } from '../../packages/studio/src/blocks/kinds.ts';
import { knownFields } from '../../packages/studio/src/blocks/known-fields.ts';
import { setLink } from '../../packages/studio/src/blocks/links.ts';
import { type Origins, readBlocks } from '../../packages/studio/src/blocks/read.ts';
import { schema } from '../../packages/studio/src/blocks/schema.ts';
import { attributeOf, withAttribute } from '../../packages/studio/src/blocks/tag.ts';
import { writeBlocks } from '../../packages/studio/src/blocks/write.ts';

/** What is done with blocks, and the html that it makes. */

/** Opens html with the cursor at a word, or with the node of a type selected. */
function opened(html: string, at: string) {
  const origins: Origins = new Map();
  const blocks = readBlocks(html, origins);
  let state = EditorState.create({ doc: blocks.doc });
  blocks.doc.descendants((node, from) => {
    if (node.type.name === at)
      state = state.apply(state.tr.setSelection(NodeSelection.create(state.doc, from)));
    else if (node.isText && node.text?.includes(at) === true)
      state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, from + at.length)));
  });
  const written = (): string => writeBlocks({ ...blocks, doc: state.doc }, origins);
  return {
    state: () => state,
    /** Does something. @returns the html after it */
    does: (command: Command): string => {
      command(state, (tr) => (state = state.apply(tr)));
      state.doc.check();
      return written();
    },
    /** Returns the html after a text was put in the place of the selection. */
    types: (text: string): string => {
      state = state.apply(state.tr.insertText(text));
      return written();
    },
  };
}

const LIST = '<ul>\n  <li>one</li>\n  <li>two</li>\n</ul>\n<p>end</p>';
const GROUP = '<div>\n  <p>one</p>\n</div>\n<p>two</p>';
const TABLE =
  '<table><tr><th>A</th><th>B</th></tr>{% for x in y %}<tr class="r"><td>one</td><td>two</td></tr>{% endfor %}</table>';

describe('a block', () => {
  it.each<[string, string, string, Command, string]>([
    ['moves up', '<p>one</p>\n<p>two</p>', 'two', move(-1), '<p>two</p>\n<p>one</p>'],
    ['stays at the top', '<p>one</p>\n<p>two</p>', 'one', move(-1), '<p>one</p>\n<p>two</p>'],
    ['moves into a group', GROUP, 'two', move(-1), '<div>\n  <p>one</p>\n  <p>two</p>\n</div>'],
    ['moves out of a group, which is gone', GROUP, 'one', move(1), '<p>one</p>\n<p>two</p>'],
    [
      'is moved as its item',
      LIST,
      'two',
      move(-1),
      LIST.replace('one', '2').replace('two', 'one').replace('2', 'two'),
    ],
    ['is doubled', '<p class="a">one</p>', 'one', duplicate, '<p class="a">one</p><p class="a">one</p>'],
    ['is deleted', '<p>one</p>\n<p>two</p>', 'two', remove, '<p>one</p>'],
    ['is deleted as its item', LIST, 'one', remove, '<ul>\n  <li>two</li>\n</ul>\n<p>end</p>'],
    ['is deleted with its list', '<ul><li>one</li></ul><p>end</p>', 'one', remove, '<p>end</p>'],
    [
      'is repeated',
      '<p>one</p>',
      'one',
      wrap('{% for x in y %}', '{% endfor %}'),
      '{% for x in y %}<p>one</p>{% endfor %}',
    ],
    [
      'is repeated as its item',
      LIST,
      'one',
      wrap('{% if a %}', '{% endif %}'),
      LIST.replace('<li>one</li>', '{% if a %}<li>one</li>{% endif %}'),
    ],
    ['is no longer repeated', '{% if a %}<p>one</p>{% endif %}', 'jinja', unwrap(0), '<p>one</p>'],
    ['becomes a heading', '<p id="a">one</p>', 'one', styled('h2'), '<h2 id="a">one</h2>'],
    ['becomes text', '<h1>one</h1>', 'one', styled('p'), '<p>one</p>'],
    ['without an element becomes a heading', 'one', 'one', styled('h1'), '<h1>one</h1>'],
    [
      'gets a row after its own',
      TABLE,
      'one',
      changeTable('addRow'),
      TABLE.replace('{% endfor %}', '<tr class="r"><td></td><td></td></tr>{% endfor %}'),
    ],
    [
      'gets a column after its own',
      TABLE,
      'one',
      changeTable('addColumn'),
      TABLE.replace('</th>', '</th><th></th>').replace('</td>', '</td><td></td>'),
    ],
    [
      'loses its column',
      TABLE,
      'one',
      changeTable('removeColumn'),
      TABLE.replace('<th>A</th>', '').replace('<td>one</td>', ''),
    ],
    [
      'is linked',
      '<p>one</p>',
      'one',
      setLink('https://a.example/?b=1&c=2'),
      '<p><a href="https://a.example/?b=1&amp;c=2">one</a></p>',
    ],
  ])('%s', (_, html, at, command, expected) => {
    expect(opened(html, at).does(command)).toBe(expected);
  });

  it('is written with characters that mean something in html and in Jinja2', () => {
    const text = opened('<p>one</p>', 'one');
    const html = text.types('1 < 2 > 0 & {{ a }} {% b %} {# c #}\u00A0d');
    expect(html).toBe('<p>1 &lt; 2 &gt; 0 &amp; {{ "{{" }} a }} {{ "{%" }} b %} {{ "{#" }} c #}&nbsp;d</p>');
    expect(opened(html, 'd').state().doc.textContent).toBe('1 < 2 > 0 & {{ a }} {% b %} {# c #}\u00A0d');
  });

  it('is inserted after a list or a table, within a group, and in the place of an empty paragraph', () => {
    const added = [schema.nodes.paragraph.create({ open: '<p>', close: '</p>' }, schema.text('new'))];
    expect(opened(LIST, 'one').does(insertBlocks(added))).toBe(LIST.replace('</ul>', '</ul>\n<p>new</p>'));
    expect(opened(GROUP, 'one').does(insertBlocks(added))).toBe(GROUP.replace('</p>', '</p>\n  <p>new</p>'));
    expect(opened('<body>\n  <p></p>\n</body>', '').does(insertBlocks(added))).toBe(
      '<body>\n  <p>new</p>\n</body>',
    );
  });
});

it('is begun at the end, and written as soon as it has text', () => {
  const html = '<body>\n  <p>one</p>\n</body>';
  const template = opened(html, 'one');
  expect(template.does(paragraphAtEnd)).toBe(html);
  expect(template.types('two')).toBe('<body>\n  <p>one</p>\n  <p>two</p>\n</body>');
});

describe('what is in a line', () => {
  it('changes the link that has the cursor, with all of its text', () => {
    const link = opened('<p><a class="a" href="b">one <b>two</b></a> three</p>', 'two');
    link.does((state, dispatch) => {
      dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, state.selection.from + 1)));
      return true;
    });
    expect(link.does(setLink('c'))).toBe('<p><a class="a" href="c">one <b>two</b></a> three</p>');
  });

  it('keeps marks, fields and code', () => {
    const html =
      '<p class="a">\n  one <b>two <i>three</i></b> {{ a.b | upper }}<br>\n  <span style="x">four</span> {% if c %}five{% endif %}<svg><path/></svg>\n</p>';
    expect(opened(html, 'four').types('4')).toBe(html.replace('<br>\n  ', '<br>').replace('four', '4'));
  });

  it('has the spaces that a browser shows, and no others', () => {
    expect(opened('<p>\u00A0one\n   two <br>\n three </p>', 'three').types('3')).toBe(
      '<p>&nbsp;one two <br>3 </p>',
    );
  });
});

describe('names of pieces', () => {
  it.each([
    ['{{ customer.name }}', 'field', 'customer.name'],
    ['{{ day | format_date("long") }}', 'field', 'day'],
    ['{{ items | sum(attribute="price") }}', 'field', 'Sum of items.price'],
    ['{{ number | qrcode(width=2.5) }}', 'barcode', 'QR code of number'],
    ['{{ number | barcode("ean13") }}', 'barcode', 'Barcode of number'],
    ['<span class="pageNumber"></span>', 'page', 'Page number'],
    ['<div style="break-after: page"></div>', 'break', 'Page break'],
    ['<br/>', 'line', ''],
    ['<svg></svg>', 'code', '<svg></svg>'],
  ])('%s', (code, name, label) => expect(kindOf(code)).toEqual({ name, label }));

  it('say what loops and conditions do', () => {
    expect(labelOf('{%- for item in order.items -%}')).toBe('For each item of order.items');
    expect(labelOf('{% if paid %}')).toBe('Only if paid');
    expect(labelOf('{% block content %}')).toBe('block content');
  });
});

describe('attributes', () => {
  it.each([
    ['<img src="a" />', 'alt', 'b', '<img src="a" alt="b" />'],
    ['<img alt=x src="a">', 'alt', 'b"c', '<img alt="b&quot;c" src="a">'],
    ["<p data-a='1' a='2'>", 'a', null, "<p data-a='1'>"],
  ])('%s', (open, name, value, expected) => {
    expect(withAttribute(open, name, value)).toBe(expected);
    expect(attributeOf(expected, name)).toBe(value?.replace('"', '&quot;') ?? null);
  });
});

it('offers the fields of the data, those of the loops around the cursor first', () => {
  const data = { number: 1, customer: { name: 'Ada' }, items: [{ price: 2, parts: [{ code: 'x' }] }] };
  const html =
    '{% for item in items %}<p>one</p>{% for part in item.parts %}<p>two</p>{% endfor %}{% endfor %}';
  const at = (word: string) => {
    const { values, lists } = knownFields(data, opened(html, word).state());
    return [values.map(({ path }) => path), lists.map(({ path }) => path)];
  };
  expect(at('one')).toEqual([
    ['item.price', 'number', 'customer.name'],
    ['item.parts', 'items'],
  ]);
  expect(at('two')[0]?.slice(0, 2)).toEqual(['part.code', 'item.price']);
});
