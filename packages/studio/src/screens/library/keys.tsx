import { useState } from 'preact/hooks';
import { deleteKey, getKey, type Key, putKey } from '../../api/library.ts';
import { notify } from '../../state/notices.ts';
import { hasScope } from '../../state/session.ts';
import { text } from '../../text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DropZone } from '../../ui/drop.tsx';
import { Empty, FaultBox } from '../../ui/empty.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { timeOf } from '../../ui/when.ts';

const words = text.library.keys;

/** Looks up, stores or deletes a key. */
function useKey() {
  const [key, setKey] = useState<Key | null>(null);
  const { fault, busy, attempt } = useAttempt(() => setKey(null));
  const find = (work: () => Promise<Key | null>): Promise<boolean> =>
    attempt(async () => setKey(await work()));
  return { key, fault, busy, attempt: find };
}

/** Shows signing keys and trusted certificates. The service does not list them, so each is requested by name. */
export function Keys() {
  const [name, setName] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [password, setPassword] = useState('');
  const [deleting, setDeleting] = useState(false);
  const { key, fault, busy, attempt } = useKey();
  const isCertificate = file !== null && /\.(?:pem|crt|cer)$/i.test(file.name);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (file === null) return void (await attempt(() => getKey(name)));
    const fields = isCertificate ? { certificate: file } : { pkcs12: file, password };
    if (!(await attempt(() => putKey(name, fields)))) return;
    setPassword('');
    setFile(null);
    notify('done', text.library.kept(name));
  };

  if (!hasScope('keys')) return <Empty icon="key" title={words.noScope} />;
  return (
    <form class="panel" onSubmit={(event) => void submit(event)}>
      <p class="hint">{words.lead}</p>
      <KeyFields
        name={name}
        onName={setName}
        password={password}
        onPassword={file === null || isCertificate ? null : setPassword}
      />
      <DropZone
        label={file === null ? words.drop : file.name}
        hint={file === null ? words.dropHint : isCertificate ? words.isCertificate : words.isKey}
        accept=".p12,.pfx,.pem,.crt,.cer"
        small
        onFiles={([next]) => next !== undefined && setFile(next)}
      />
      {fault !== null && <FaultBox message={fault} />}
      <div class="row">
        <Button
          kind="primary"
          type="submit"
          icon={file === null ? 'search' : 'key'}
          busy={busy}
          disabled={name === ''}
        >
          {file === null ? words.look : words.keep}
        </Button>
        {file !== null && (
          <Button kind="quiet" onClick={() => setFile(null)}>
            {text.cancel}
          </Button>
        )}
      </div>
      {key !== null && <KeyFacts of={key} onDelete={() => setDeleting(true)} />}
      {deleting && key !== null && (
        <Confirm
          title={words.deleteTitle}
          question={words.deleteQuestion(key.name)}
          action={text.delete}
          onClose={() => setDeleting(false)}
          onDo={() => {
            setDeleting(false);
            void attempt(() => deleteKey(key.name).then(() => null));
          }}
        />
      )}
    </form>
  );
}

interface KeyFieldsProps {
  name: string;
  onName: (name: string) => void;
  password: string;
  /** null if there is nothing to open. */
  onPassword: ((password: string) => void) | null;
}

function KeyFields({ name, onName, password, onPassword }: KeyFieldsProps) {
  return (
    <div class="form-grid">
      <label class="field">
        <span class="field-label">{words.name}</span>
        <input
          required
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
          autocomplete="off"
          value={name}
          onInput={(event) => onName(event.currentTarget.value)}
        />
        <span class="hint">{words.nameHint}</span>
      </label>
      {onPassword !== null && (
        <label class="field">
          <span class="field-label">{words.password}</span>
          <input
            type="password"
            autocomplete="new-password"
            value={password}
            onInput={(event) => onPassword(event.currentTarget.value)}
          />
          <span class="hint">{words.passwordHint}</span>
        </label>
      )}
    </div>
  );
}

function KeyFacts({ of: key, onDelete }: { of: Key; onDelete: () => void }) {
  const isOver = Date.parse(key.valid_to) < Date.now();
  return (
    <section class="card panel key" aria-label={key.name}>
      <header class="row">
        <h2>{key.name}</h2>
        <span class="badge">{words.kinds[key.kind]}</span>
        {isOver && <span class="badge fault">{words.over}</span>}
        <span class="space" />
        <Button kind="quiet" icon="trash" label={text.library.deleteLabel(key.name)} onClick={onDelete} />
      </header>
      <dl class="facts">
        <dt>{words.subject}</dt>
        <dd>{key.subject}</dd>
        <dt>{words.issuer}</dt>
        <dd>{key.issuer}</dd>
        <dt>{words.valid}</dt>
        <dd>
          {timeOf(key.valid_from)} – {timeOf(key.valid_to)}
        </dd>
        <dt>{words.fingerprint}</dt>
        <dd>
          <code>{key.fingerprint}</code>
        </dd>
      </dl>
    </section>
  );
}
