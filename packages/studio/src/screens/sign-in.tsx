import { useState } from 'preact/hooks';
import { callJson } from '../api/client.ts';
import { PlatenError } from '@platen/client/errors';
import { messageOf } from '../api/problem.ts';
import type { TokenInfo } from '../api/types.ts';
import { PAGE_OF } from '../help-pages.ts';
import { signedOutBecause, signIn } from '../state/session.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { DocsLink } from '../ui/docs-link.tsx';
import { FaultBox } from '../ui/empty.tsx';

export function SignIn() {
  const [value, setValue] = useState('');
  const [keep, setKeep] = useState(true);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const shown = fault ?? signedOutBecause.value;

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const token = value.trim();
    if (token === '') return;
    setBusy(true);
    try {
      signIn(token, await callJson<TokenInfo>('GET', 'token', { token }), keep);
    } catch (error) {
      const refused = error instanceof PlatenError && error.status === 401;
      setFault(refused ? text.signIn.wrong : messageOf(error));
      setBusy(false);
    }
  };

  return (
    <main class="sign-in">
      <form class="sign-in-card" onSubmit={(event) => void submit(event)}>
        <span class="brand-mark large" aria-hidden="true" />
        <h1>{text.product}</h1>
        <p class="lead">{text.signIn.lead}</p>
        {shown !== null && <FaultBox message={shown} />}
        <label class="field">
          <span class="field-label">{text.signIn.label}</span>
          <input
            type="password"
            name="token"
            autocomplete="off"
            spellcheck={false}
            required
            aria-describedby="token-hint"
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        <p id="token-hint" class="hint">
          {text.signIn.hint}
        </p>
        <label class="check">
          <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.currentTarget.checked)} />
          {text.signIn.keep}
        </label>
        <Button kind="primary" type="submit" busy={busy}>
          {text.signIn.action}
        </Button>
        <DocsLink page={PAGE_OF.settings} />
      </form>
    </main>
  );
}
