import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { text } from '../text.ts';
import { languageOf } from './languages.ts';
import { look } from './look.ts';

/** Shows two texts as one, with deletions and insertions. */
export function DiffView({ before, now }: { before: string; now: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: now,
        extensions: [
          lineNumbers(),
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': text.versions.compare, tabindex: '0' }),
          languageOf('jinja2', { data: () => ({}), images: () => [] }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            collapseUnchanged: { margin: 3, minSize: 6 },
          }),
          look,
        ],
      }),
    });
    return () => view.destroy();
  }, [before, now]);
  if (before === now) return <p>{text.versions.same}</p>;
  return <div ref={host} class="code-editor diff" />;
}
