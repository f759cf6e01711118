import {
  baseKeymap,
  chainCommands,
  exitCode,
  selectParentNode,
  splitBlockAs,
  toggleMark,
} from 'prosemirror-commands';
import { dropCursor } from 'prosemirror-dropcursor';
import { closeHistory, history, redo, undo } from 'prosemirror-history';
import { InputRule, inputRules } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { DOMSerializer, type Fragment, type Node, Slice } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import {
  EditorState,
  NodeSelection,
  Plugin,
  Selection,
  TextSelection,
  type Command,
} from 'prosemirror-state';
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view';
import { blocks as text } from '../text/blocks.ts';
import {
  duplicate,
  goToCell,
  insertBlocks,
  isInList,
  move,
  neighbourOf,
  paragraphAfter,
  paragraphAtEnd,
  pathOf,
} from './commands.ts';
import { expressionOf } from './kinds.ts';
import { type Blocks, type Origins, readBlocks } from './read.ts';
import { schema } from './schema.ts';
import { attributeOf } from './tag.ts';
import { type Place, writeBlocks } from './write.ts';

/** The editor of a template in blocks: its keys, and the text that it writes. */

const { marks, nodes } = schema;

interface Options {
  label: string;
  /** Returns an image of the template. @param uri its variable */
  imageOf: (uri: string) => Blob | null;
  /** Receives the text after each change. */
  onChange: (text: string) => void;
  /** Called after every change, of the selection too. */
  onUpdate: (state: EditorState) => void;
  /** Called by keys that ask for something. */
  ask: (question: 'link' | 'field' | 'add') => void;
}

export class BlockEditor {
  readonly view: EditorView;
  readonly #origins: Origins = new Map();
  readonly #options: Options;
  #blocks: Blocks;
  #text: string;
  /** What was copied last, with all that html cannot say. */
  readonly #urls = new Map<Blob, string>();
  #copied: { text: string; slice: Slice } | null = null;

  constructor(host: HTMLElement, value: string, options: Options) {
    this.#options = options;
    this.#text = value;
    this.#blocks = readBlocks(value, this.#origins);
    this.view = new EditorView(host, {
      state: this.#firstState(),
      attributes: {
        'aria-label': options.label,
        role: 'textbox',
        'aria-multiline': 'true',
        tabindex: '0',
        class: 'b-doc',
      },
      dispatchTransaction: (tr) => {
        const state = this.view.state.apply(tr);
        this.view.updateState(state);
        if (tr.docChanged) {
          this.#blocks = { ...this.#blocks, doc: state.doc };
          this.#text = writeBlocks(this.#blocks, this.#origins);
          options.onChange(this.#text);
        }
        options.onUpdate(state);
      },
      nodeViews: { chip: (node) => ({ dom: this.#chip(node) }) },
      clipboardTextSerializer: (slice) => {
        const copied = slice.content.textBetween(0, slice.content.size, '\n\n');
        this.#copied = { text: copied, slice };
        return copied;
      },
      handleKeyPress: replaceSelected,
      handleDOMEvents: {
        mousedown: (view, event) => {
          const last = view.dom.lastElementChild;
          if (last === null || event.clientY <= last.getBoundingClientRect().bottom) return false;
          event.preventDefault();
          this.run(paragraphAtEnd);
          return true;
        },
      },
      handlePaste: (view, event) => {
        const pasted = event.clipboardData;
        const own = this.#copied;
        if (own === null || pasted?.getData('text/plain').trim() !== own.text.trim()) return false;
        if (!pasted.getData('text/html').includes('data-pm-slice')) return false;
        view.dispatch(view.state.tr.replaceSelection(own.slice).scrollIntoView());
        return true;
      },
    });
  }

  /** Opens another text, unless it is the one that was written. */
  open(value: string): void {
    if (value === this.#text) return;
    this.#text = value;
    this.#blocks = readBlocks(value, this.#origins);
    const { state } = this.view;
    this.view.updateState(EditorState.create({ doc: this.#blocks.doc, plugins: state.plugins }));
    this.#options.onUpdate(this.view.state);
  }

  run(command: Command): void {
    alone(command)(this.view.state, this.view.dispatch, this.view);
    this.view.focus();
  }

  /** Inserts html: a field at the cursor, blocks after the one with the cursor. @param isWide see `neighbourOf` */
  insert(html: string, isWide = false): void {
    const neighbour = neighbourOf(this.view.state, isWide);
    const from = this.#places().find(({ at }) => at === neighbour?.at)?.from ?? 0;
    const line = this.#text.slice(this.#text.lastIndexOf('\n', from - 1) + 1, from);
    const indent = line.trim() === '' ? line : '';
    const read = [...readBlocks(html.replaceAll('\n', `\n${indent}`), this.#origins).doc.content.content];
    const [only] = read;
    const isLine = read.length === 1 && only?.type === nodes.paragraph && only.attrs['open'] === '';
    this.run(isLine ? insertInline(only.content) : insertBlocks(read, isWide));
  }

  /** Selects the block at a line and column of the text. */
  goTo(line: number, column: number): void {
    const lines = this.#text.split('\n').slice(0, Math.max(1, line));
    const last = lines.pop() ?? '';
    const offset = lines.join('\n').length + (lines.length > 0 ? 1 : 0) + Math.min(column - 1, last.length);
    const places = this.#places();
    const place = places.findLast(({ from, to }) => from <= offset && offset <= to) ?? places[0];
    if (place === undefined) return;
    const { doc, tr } = this.view.state;
    const isLine = doc.nodeAt(place.at)?.isTextblock === true;
    const selection = isLine
      ? Selection.near(doc.resolve(place.at + 1))
      : NodeSelection.create(doc, place.at);
    this.view.dispatch(tr.setSelection(selection).scrollIntoView());
    this.view.focus();
  }

  close(): void {
    this.view.destroy();
    for (const url of this.#urls.values()) URL.revokeObjectURL(url);
  }

  #places(): Place[] {
    const places: Place[] = [];
    writeBlocks(this.#blocks, this.#origins, places);
    return places;
  }

  /** Shows an image of the template as it is, and every other piece as a label. */
  #chip(node: Node): HTMLElement {
    const uri = expressionOf(attributeOf(String(node.attrs['code']), 'src') ?? '');
    const blob = this.#options.imageOf(uri);
    if (blob === null) {
      const shown = DOMSerializer.renderSpec(document, nodes.chip.spec.toDOM?.(node) ?? ['span']);
      return shown.dom;
    }
    const url = this.#urls.get(blob) ?? URL.createObjectURL(blob);
    this.#urls.set(blob, url);
    const image = document.createElement('img');
    Object.assign(image, { src: url, alt: uri, className: 'b-image' });
    return image;
  }

  #firstState(): EditorState {
    const asks =
      (question: 'link' | 'field' | 'add'): Command =>
      (_, dispatch) => {
        if (dispatch !== undefined) this.#options.ask(question);
        return true;
      };
    return EditorState.create({
      doc: this.#blocks.doc,
      plugins: [
        inputRules({ rules: [typedField] }),
        keymap({
          'Mod-z': undo,
          'Mod-y': redo,
          'Mod-Shift-z': redo,
          'Mod-b': toggleMark(marks.strong),
          'Mod-i': toggleMark(marks.em),
          'Mod-u': toggleMark(marks.underline),
          'Mod-k': asks('link'),
          'Mod-j': asks('field'),
          'Mod-Enter': asks('add'),
          'Mod-d': alone(duplicate),
          'Alt-ArrowUp': alone(move(-1)),
          'Alt-ArrowDown': alone(move(1)),
          Escape: selectParentNode,
          'Shift-Enter': chainCommands(exitCode, lineBreak),
          Enter: chainCommands(paragraphAfter, splitListItem(nodes.item), splitText),
          Tab: chainCommands(goToCell(1), inList(sinkListItem(nodes.item))),
          'Shift-Tab': chainCommands(goToCell(-1), inList(liftListItem(nodes.item))),
        }),
        keymap(baseKeymap),
        history(),
        dropCursor({ class: 'b-drop', color: false, width: 3 }),
        new Plugin({ props: { decorations } }),
      ],
    });
  }
}

/** Inserts what stands in a line at the cursor; where there is no line, in a paragraph of its own. */
function insertInline(content: Fragment): Command {
  return (state, dispatch, view) => {
    const { $from } = state.selection;
    if ($from.parent.isTextblock && $from.parent.type === nodes.paragraph) {
      dispatch?.(state.tr.replaceSelection(new Slice(content, 0, 0)).scrollIntoView());
      return true;
    }
    const paragraph = nodes.paragraph.create({ open: '<p>', close: '</p>' }, content);
    return insertBlocks([paragraph])(state, dispatch, view);
  };
}

/** Replaces what is selected by what is typed. The browser would do so with style attributes, against the policy. */
function replaceSelected(view: EditorView, event: KeyboardEvent): boolean {
  const { selection, tr } = view.state;
  if (!(selection instanceof TextSelection) || selection.empty || event.ctrlKey || event.metaKey)
    return false;
  if (event.key.length !== 1) return false;
  view.dispatch(tr.insertText(event.key).scrollIntoView());
  return true;
}

/** Makes a field of `{{ name }}` as soon as it is typed. */
const typedField = new InputRule(/\{\{[^{}]+\}\}$/, (state, [code], start, end) =>
  state.doc.resolve(start).parent.type === nodes.paragraph
    ? state.tr.replaceWith(start, end, nodes.chip.create({ code }))
    : null,
);

const lineBreak: Command = (state, dispatch) => {
  if (state.selection.$from.parent.type !== nodes.paragraph) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.chip.create({ code: '<br />' })).scrollIntoView());
  return true;
};

/** Begins a paragraph; after a heading or a special line, an ordinary one. */
const splitText = splitBlockAs((node, atEnd) =>
  atEnd && node.type === nodes.paragraph
    ? { type: nodes.paragraph, attrs: { open: '<p>', close: '</p>' } }
    : null,
);

/** Makes a change one that is undone by itself, however soon it follows another. */
function alone(command: Command): Command {
  return (state, dispatch, view) => command(state, dispatch && ((tr) => dispatch(closeHistory(tr))), view);
}

function inList(command: Command): Command {
  return (state, dispatch) => isInList(state) && command(state, dispatch);
}

/** Shows which blocks have the cursor, and where an empty document is written in. */
function decorations(state: EditorState): DecorationSet {
  const { doc, selection } = state;
  const shown = pathOf(state).map(({ node, at }) =>
    Decoration.node(at, at + node.nodeSize, { class: 'b-active' }),
  );
  const first = doc.firstChild;
  const isBlank = doc.childCount === 1 && first?.type === nodes.paragraph && first.content.size === 0;
  if (isBlank) shown.push(Decoration.node(0, 2, { class: 'b-empty', 'data-hint': text.hint }));
  if (selection instanceof TextSelection && shown.length === 0) return DecorationSet.empty;
  return DecorationSet.create(doc, shown);
}
