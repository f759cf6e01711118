import { useState } from 'preact/hooks';
import { text as texts } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { Choices } from '../ui/choices.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface ChooserProps {
  title: string;
  /** What the line asks for. */
  label: string;
  initial?: string;
  /** Values to choose from, with a description; typing shows those that contain the words. */
  options: readonly { value: string; shown?: string; detail: string }[];
  /** How the value is used. */
  formats?: { label: string; choices: Readonly<Record<string, string>> };
  action: string;
  onChoose: (value: string, format: string) => void;
  onClose: () => void;
}

/** Asks for one value: one of a list, or any that is typed. */
export function Chooser({
  title,
  label,
  initial = '',
  options,
  formats,
  action,
  onChoose,
  onClose,
}: ChooserProps) {
  const [typed, setTyped] = useState(initial);
  const [format, setFormat] = useState(Object.keys(formats?.choices ?? {})[0] ?? '');
  const words = typed.trim().toLowerCase();
  const matching = options.filter(({ value, shown }) =>
    `${value} ${shown ?? ''}`.toLowerCase().includes(words),
  );
  const choose = (value: string): void => {
    onClose();
    onChoose(value, format);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="chooser"
        onSubmit={(event) => {
          event.preventDefault();
          if (words !== '') choose(typed.trim());
        }}
      >
        <label class="field">
          <span class="field-label">{label}</span>
          <input
            // The dialog opens for this line.
            autofocus
            spellcheck={false}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {formats !== undefined && (
          <label class="field">
            <span class="field-label">{formats.label}</span>
            <select value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
              <Choices of={formats.choices} />
            </select>
          </label>
        )}
        {matching.length > 0 && (
          <ul class="chooser-list">
            {matching.map(({ value, shown = value, detail }) => (
              <li key={value}>
                <button type="button" class="chooser-option" onClick={() => choose(value)}>
                  <span>{shown}</span>
                  <span class="hint">{detail}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        <footer class="dialog-foot">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" disabled={words === ''}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
