import { useState } from 'preact/hooks';
import { type Imported, importTemplates } from '../api/templates.ts';
import type { Import } from '../api/types.ts';
import { addressOf } from '../state/router.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DropZone } from '../ui/drop.tsx';
import { FaultBox } from '../ui/empty.tsx';
import { useAttempt } from '../ui/use-attempt.ts';

interface ImportDialogProps {
  /** The dropped file; the user may choose another one. */
  given: File | null;
  onClose: () => void;
  onDone: () => void;
}

/** Imports templates from a ZIP, and shows the result for each. */
export function ImportDialog({ given, onClose, onDone }: ImportDialogProps) {
  const [zip, setZip] = useState(given);
  const [publish, setPublish] = useState(true);
  const [note, setNote] = useState('');
  const [imported, setImported] = useState<Imported | null>(null);

  const { busy, fault, attempt } = useAttempt();
  const run = (file: File): Promise<boolean> =>
    attempt(async () => {
      setImported(await importTemplates(file, { publish, note }));
      onDone();
    });

  return (
    <Dialog title={text.import.title} onClose={onClose}>
      {imported !== null ? (
        <Outcome {...imported} />
      ) : (
        <>
          <p class="hint">{text.import.lead}</p>
          <DropZone
            label={zip?.name ?? text.import.drop}
            accept=".zip"
            onFiles={([file]) => file !== undefined && setZip(file)}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={publish}
              onChange={(event) => setPublish(event.currentTarget.checked)}
            />
            {text.import.publish}
          </label>
          <label class="field">
            <span class="field-label">{text.editor.notePlaceholder}</span>
            <input maxLength={1000} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
          </label>
        </>
      )}
      {fault !== null && <FaultBox message={fault} />}
      <footer class="dialog-foot">
        <Button onClick={onClose}>{imported === null ? text.cancel : text.close}</Button>
        {imported === null && (
          <Button
            kind="primary"
            busy={busy}
            disabled={zip === null}
            onClick={() => zip !== null && void run(zip)}
          >
            {text.import.run}
          </Button>
        )}
      </footer>
    </Dialog>
  );
}

const SHARED = ['partials', 'fonts', 'translations'] as const;

function Outcome({ outcome, warnings }: Imported) {
  const { templates } = outcome;
  const nothing = templates.length === 0 && SHARED.every((kind) => outcome[kind].length === 0);
  return (
    <div role="status">
      {nothing && <p>{text.import.none}</p>}
      <ul class="outcome">
        {templates.map(({ id, name, version, result }) => (
          <li key={id}>
            <a href={addressOf({ screen: 'template', id })}>{name}</a>
            <span class="hint">{text.import.version(version)}</span>
            <Result of={result} />
          </li>
        ))}
      </ul>
      {SHARED.filter((kind) => outcome[kind].length > 0).map((kind) => (
        <section key={kind}>
          <h3>{text.import.sections[kind]}</h3>
          <ul class="outcome">
            {outcome[kind].map(({ name, result }) => (
              <li key={name}>
                <span>{name}</span>
                <Result of={result} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {warnings.map((warning) => (
        <p key={warning} class="hint">
          {warning}
        </p>
      ))}
    </div>
  );
}

function Result({ of: result }: { of: Import['templates'][number]['result'] }) {
  return (
    <span class={result === 'unchanged' ? 'badge' : 'badge published'}>{text.import.results[result]}</span>
  );
}
