import { useState } from 'preact/hooks';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { CodeEditor, type EditorRef } from './code-editor.tsx';
import type { EditorModel } from './model.ts';
import type { StyleText } from './styles.ts';

/** Shows the stylesheets, with one of them in the editor. */
export function StylesPane({ model, editor }: { model: EditorModel; editor: EditorRef }) {
  const [chosen, setChosen] = useState(0);
  const { styles } = model.texts.value;
  const index = Math.min(chosen, styles.length - 1);
  const shown = styles[index];
  const replace = (style: StyleText): void =>
    model.change({ styles: styles.map((other, at) => (at === index ? style : other)) });
  const add = (): void => {
    const filename = styles.length === 0 ? 'style.css' : `style${styles.length + 1}.css`;
    model.change({ styles: [...styles, { id: null, filename, css: '' }] });
    setChosen(styles.length);
  };
  if (shown === undefined) {
    return (
      <Empty icon="template" title={text.editor.noStyles}>
        <Button icon="plus" onClick={add}>
          {text.editor.addStyle}
        </Button>
      </Empty>
    );
  }
  return (
    <div class="styles-pane">
      <div class="sub-bar">
        {styles.map(({ filename }, at) => (
          <button
            key={`${at}-${filename}`}
            type="button"
            class="segment"
            aria-pressed={at === index}
            onClick={() => setChosen(at)}
          >
            {filename}
          </button>
        ))}
        <Button kind="quiet" icon="plus" label={text.editor.addStyle} onClick={add} />
        <span class="space" />
        <Button
          kind="quiet"
          icon="trash"
          label={text.remove}
          onClick={() => model.change({ styles: styles.filter((_, at) => at !== index) })}
        />
      </div>
      <CodeEditor
        identity={`${model.id}-style-${index}-${styles.length}`}
        label={text.editor.styleName(shown.filename)}
        value={shown.css}
        language="css"
        faults={model.faultsOf('styles')}
        handle={editor}
        onChange={(css) => replace({ ...shown, css })}
      />
    </div>
  );
}
