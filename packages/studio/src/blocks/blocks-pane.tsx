import { useEffect, useRef, useState } from 'preact/hooks';
import type { EditorState } from 'prosemirror-state';
import type { EditorRef } from '../editor/code-editor.tsx';
import { useWanted } from '../editor/code-editor.tsx';
import type { EditorModel } from '../editor/model.ts';
import { blocks as text } from '../text/blocks.ts';
import { text as texts } from '../text.ts';
import { Handle } from './handle.tsx';
import { Properties } from './properties.tsx';
import { type Question, Questions } from './questions.tsx';
import { Toolbar, UnitBar } from './toolbar.tsx';
import { BlockEditor } from './view.ts';
// oxlint-disable-next-line import/no-unassigned-import -- A style sheet has no value.
import '../style/blocks.css';

interface BlocksPaneProps {
  model: EditorModel;
  part: 'template' | 'header' | 'footer';
  editor: EditorRef;
}

/** Edits the text of a template in blocks. */
export function BlocksPane({ model, part, editor: handle }: BlocksPaneProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<BlockEditor | null>(null);
  const [state, setState] = useState<EditorState | null>(null);
  const [question, ask] = useState<Question | null>(null);
  const value = model.texts.value[part];

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const made = new BlockEditor(element, value, {
      label: text.label(texts.editor[part]),
      imageOf: (uri) => model.images.peek().find(({ file }) => file.uri === uri)?.blob ?? null,
      onChange: (changed) => model.change({ [part]: changed }),
      onUpdate: setState,
      ask,
    });
    setEditor(made);
    setState(made.view.state);
    handle.current = {
      insert: (placeholder) => made.insert(placeholder),
      goTo: (line, column) => made.goTo(line, column),
    };
    return () => {
      made.close();
      handle.current = null;
    };
  }, [part]);
  // The newest text: more may have been typed since this was drawn.
  useEffect(() => editor?.open(model.texts.peek()[part]), [editor, value]);
  useWanted(handle);

  const shared =
    editor === null || state === null
      ? null
      : { state, run: (command: Parameters<BlockEditor['run']>[0]) => editor.run(command), ask };
  return (
    <div class="blocks">
      {shared !== null && (
        <>
          <Toolbar {...shared} />
          <UnitBar {...shared} />
          <Properties {...shared} />
        </>
      )}
      <div class="blocks-paper">
        <div ref={host} class="blocks-sheet" />
        {editor !== null && state !== null && <Handle view={editor.view} state={state} />}
      </div>
      {shared !== null && question !== null && editor !== null && (
        <Questions
          {...shared}
          model={model}
          isFurniture={part !== 'template'}
          question={question}
          run={(command) => afterDialog(() => editor.run(command))}
          insert={(html, isWide) => afterDialog(() => editor.insert(html, isWide))}
        />
      )}
    </div>
  );
}

/** Does something when a dialog is closed and has returned the focus: the editor then has the cursor where it was. */
function afterDialog(action: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(action)));
}
