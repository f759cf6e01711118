import { API } from '../api/client.ts';
import { account, hasScope, signOut } from '../state/session.ts';
import { type Theme, theme } from '../state/theme.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { Segments } from '../ui/segments.tsx';
import { timeOf } from '../ui/when.ts';
import { Tokens } from './tokens.tsx';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** Shows the current token, and how to create more tokens. */
export function Settings() {
  const info = account.value;
  return (
    <div class="screen narrow">
      <header class="screen-head">
        <h1>{text.settings.title}</h1>
        <Button icon="leave" onClick={() => signOut()}>
          {text.settings.signOut}
        </Button>
      </header>
      <section class="card panel">
        <h2>{text.settings.token}</h2>
        <dl class="facts">
          <dt>{text.settings.tenant}</dt>
          <dd>{info?.tenant}</dd>
          <dt>{text.settings.scopes}</dt>
          <dd>
            {info?.scopes.map((scope) => (
              <code key={scope} class="badge">
                {scope}
              </code>
            ))}
          </dd>
          <dt>{text.settings.expires}</dt>
          <dd>{info?.expires_at == null ? text.settings.never : timeOf(info.expires_at)}</dd>
          <dt>{text.settings.service}</dt>
          <dd>
            <code>{API.href}</code>
          </dd>
        </dl>
      </section>
      {hasScope('admin') ? (
        <Tokens />
      ) : (
        <section class="card panel">
          <h2>{text.tokens.title}</h2>
          <p>{text.settings.moreLead}</p>
          <pre class="code" tabIndex={0}>
            {text.settings.command(info?.tenant ?? '')}
          </pre>
        </section>
      )}
      <section class="card panel">
        <h2>{text.settings.colours}</h2>
        <Segments
          label={text.settings.colours}
          choices={THEMES.map((name) => ({ name, label: text.settings.themes[name] }))}
          chosen={theme.value}
          onChoose={(name) => (theme.value = name)}
        />
      </section>
    </div>
  );
}
