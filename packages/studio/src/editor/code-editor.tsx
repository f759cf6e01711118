import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { type Diagnostic, forEachDiagnostic, nextDiagnostic, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Fault } from '../api/types.ts';
import { text } from '../text.ts';
import type { UnknownName } from './unknown-names.ts';
import { type Language, languageOf, type Surroundings } from './languages.ts';
import { look } from './look.ts';

/** The commands of an editor for the component that shows it. */
export interface EditorHandle {
  insert: (text: string) => void;
  goTo: (line: number, column: number) => void;
}

/** The reference that holds an editor's handle while it is shown. */
export interface EditorRef {
  current: EditorHandle | null;
  /** Called with the editor of the next rendering, which may not exist yet. */
  wanted: Signal<((editor: EditorHandle) => void) | null>;
}

interface CodeEditorProps {
  /** Identifies the edited text: another one starts a new history. */
  identity: string;
  label: string;
  /** The initial text; from then on the editor has the text and reports its changes. */
  value: string;
  language: Language;
  surroundings?: Surroundings;
  faults?: readonly Fault[];
  unknown?: readonly UnknownName[];
  readOnly?: boolean;
  handle?: EditorRef;
  onChange?: (value: string) => void;
}

const NOTHING: Surroundings = { data: () => ({}), images: () => [] };

/**
 * An editor for a text in a language. It is in a shadow tree: there its styles are constructed style sheets, which a
 * policy against inline styles allows.
 */
export function CodeEditor(props: CodeEditorProps) {
  const {
    identity,
    label,
    value,
    language,
    surroundings = NOTHING,
    faults,
    unknown,
    readOnly = false,
    handle,
  } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const onChange = useRef(props.onChange);
  onChange.current = props.onChange;

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const languages = new Compartment();
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          foldGutter(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ icons: false }),
          highlightSelectionMatches(),
          EditorView.lineWrapping,
          EditorState.tabSize.of(2),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
          EditorState.readOnly.of(readOnly),
          EditorView.editable.of(!readOnly),
          keymap.of([
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...completionKeymap,
            { key: 'F8', run: nextDiagnostic },
            { key: 'Mod-.', run: fixAtCursor },
            indentWithTab,
          ]),
          languages.of(languageOf(language, surroundings)),
          look,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange.current?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    if (handle !== undefined) handle.current = handleOf(editor);
    return () => {
      editor.destroy();
      view.current = null;
      if (handle !== undefined) handle.current = null;
    };
  }, [identity, language, readOnly]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const all = [...diagnosticsOf(editor.state, faults ?? []), ...hintsOf(editor.state, unknown ?? [])];
    editor.dispatch(setDiagnostics(editor.state, all));
  }, [faults, unknown, identity, language]);

  useWanted(handle);

  return <div ref={host} class="code-editor" />;
}

/** Executes the commands that came before the editor existed; called after the effect that creates it. */
export function useWanted(handle: EditorRef | undefined): void {
  const wanted = handle?.wanted.value ?? null;
  useEffect(() => {
    if (handle === undefined || handle.current === null || wanted === null) return;
    handle.wanted.value = null;
    wanted(handle.current);
  }, [wanted]);
}

/** Returns the faults with their positions; the editor cannot show one without a line. */
function diagnosticsOf({ doc }: EditorState, faults: readonly Fault[]): Diagnostic[] {
  return faults.flatMap(({ line, column, message, detail }): Diagnostic[] => {
    if (line === undefined || line < 1 || line > doc.lines) return [];
    const place = doc.line(line);
    const from = column === undefined ? place.from : Math.min(place.from + column - 1, place.to);
    return [
      { from, to: Math.max(from, place.to), severity: 'error', message: message ?? detail ?? '', source: '' },
    ];
  });
}

/** Returns unknown names as warnings; the fix puts the nearest known name in their place. */
function hintsOf({ doc }: EditorState, unknown: readonly UnknownName[]): Diagnostic[] {
  return unknown
    .filter(({ to }) => to <= doc.length)
    .map(({ from, to, path, near }) => ({
      from,
      to,
      severity: near === null ? 'info' : 'warning',
      message: text.data.unknown(path),
      source: '',
      actions:
        near === null
          ? []
          : [
              {
                name: text.data.replaceWith(near),
                apply: (view, start, end) =>
                  view.dispatch({ changes: { from: start, to: end, insert: near } }),
              },
            ],
    }));
}

/** Replaces the unknown name at the cursor with the nearest known one. */
function fixAtCursor(view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  let fix: (() => void) | null = null;
  forEachDiagnostic(view.state, ({ actions = [] }, start, end) => {
    const [action] = actions;
    if (action !== undefined && start <= to && end >= from) fix ??= () => action.apply(view, start, end);
  });
  if (fix === null) return false;
  (fix as () => void)();
  return true;
}

function handleOf(editor: EditorView): EditorHandle {
  return {
    insert: (inserted) => {
      editor.dispatch(editor.state.replaceSelection(inserted), { scrollIntoView: true });
      editor.focus();
    },
    goTo: (line, column) => {
      const { doc } = editor.state;
      const place = doc.line(Math.min(Math.max(1, line), doc.lines));
      const anchor = Math.min(place.from + Math.max(0, column - 1), place.to);
      editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      editor.focus();
    },
  };
}
