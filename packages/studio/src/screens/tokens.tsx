import { useState } from 'preact/hooks';
import { createToken, type IssuedToken, listTokens, type NewToken, revokeToken } from '../api/tokens.ts';
import { account } from '../state/session.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy.ts';
import { Confirm } from '../ui/dialog.tsx';
import { FaultBox } from '../ui/empty.tsx';
import { useAttempt } from '../ui/use-attempt.ts';
import { useLoad } from '../ui/use-load.ts';
import { dateOf, timeOf } from '../ui/when.ts';

const words = text.tokens;

/** Creates tokens of the tenant, shows each once, lists and revokes them, if the current token may. */
export function Tokens() {
  const { value, fault, reload } = useLoad(listTokens);
  const { busy, fault: failed, attempt } = useAttempt();
  const [made, setMade] = useState<NewToken | null>(null);
  const [revoking, setRevoking] = useState<IssuedToken | null>(null);
  const wrong = failed ?? fault;
  const newest = value?.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  const change = (work: () => Promise<void>): void => void attempt(work).then(reload);
  return (
    <section class="card panel tokens">
      <h2>{words.title}</h2>
      <NewTokenForm
        busy={busy}
        onMake={(...wanted) => change(async () => setMade(await createToken(...wanted)))}
      />
      {wrong !== null && <FaultBox message={wrong} />}
      {made !== null && (
        <div class="row made" role="status">
          <span class="hint">{words.once}</span>
          <code>{made.token}</code>
          <Button icon="copy" onClick={() => copyText(made.token)}>
            {text.copy}
          </Button>
        </div>
      )}
      <ul class="job-list">
        {newest?.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
        ))}
      </ul>
      {revoking !== null && (
        <Confirm
          title={words.revoke}
          question={words.question(revoking.name ?? revoking.id, revoking.current)}
          action={words.revoke}
          onClose={() => setRevoking(null)}
          onDo={() => {
            setRevoking(null);
            change(() => revokeToken(revoking.id));
          }}
        />
      )}
    </section>
  );
}

interface NewTokenFormProps {
  busy: boolean;
  onMake: (name: string, scopes: readonly string[], expires: string | undefined) => void;
}

/** A form for a new token, with at most the scopes of the current one. */
function NewTokenForm({ busy, onMake }: NewTokenFormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [day, setDay] = useState('');
  const end = account.value?.expires_at ?? null;
  const submit = (event: Event): void => {
    event.preventDefault();
    onMake(name, scopes, lastMoment(day, end));
    setName('');
  };
  return (
    <form class="form-grid" onSubmit={submit}>
      <label class="field">
        <span class="field-label">{words.name}</span>
        <input value={name} maxLength={100} onInput={(event) => setName(event.currentTarget.value)} />
        <span class="hint">{words.nameHint}</span>
      </label>
      <label class="field">
        <span class="field-label">{text.settings.expires}</span>
        <input
          type="date"
          min={new Date().toISOString().slice(0, 10)}
          max={end?.slice(0, 10)}
          value={day}
          onInput={(event) => setDay(event.currentTarget.value)}
        />
        <span class="hint">{end === null ? words.noEnd : words.ownEnd}</span>
      </label>
      <fieldset>
        <legend class="field-label">{text.settings.scopes}</legend>
        {account.value?.scopes.map((scope) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ currentTarget: { checked } }) =>
                setScopes(checked ? [...scopes, scope] : scopes.filter((other) => other !== scope))
              }
            />
            <code>{scope}</code>
          </label>
        ))}
      </fieldset>
      <Button kind="primary" type="submit" icon="plus" busy={busy} disabled={scopes.length === 0}>
        {words.make}
      </Button>
    </form>
  );
}

/**
 * Returns the end of a day in local time, or the expiry of the current token if that is earlier; undefined for no day.
 */
function lastMoment(day: string, end: string | null): string | undefined {
  if (day === '') return undefined;
  const last = new Date(`${day}T23:59:59`).toISOString();
  return end !== null && Date.parse(end) < Date.parse(last) ? end : last;
}

function TokenRow({ token, onRevoke }: { token: IssuedToken; onRevoke: () => void }) {
  const { id, name, scopes, created_at, expires_at, revoked_at, current } = token;
  const isOver = expires_at !== null && Date.parse(expires_at) < Date.now();
  const state = revoked_at !== null ? words.revoked : isOver ? words.expired : null;
  return (
    <li class="job">
      <span class="row job-head">
        <strong>{name ?? words.unnamed}</strong>
        <code class="hint">{id}</code>
        {current && <span class="badge published">{words.current}</span>}
        {state !== null && <span class="badge fault">{state}</span>}
        <span class="space" />
        {state === null && (
          <Button kind="quiet" icon="trash" label={words.revokeLabel(name ?? id)} onClick={onRevoke} />
        )}
      </span>
      <span class="row job-head">
        {scopes.map((scope) => (
          <code key={scope} class="badge">
            {scope}
          </code>
        ))}
        <span class="hint">
          {words.times(dateOf(created_at), expires_at === null ? null : timeOf(expires_at))}
        </span>
      </span>
    </li>
  );
}
