import { useEffect, useRef } from 'preact/hooks';
import { callJson } from './api/client.ts';
import type { TokenInfo } from './api/types.ts';
import { SignIn } from './screens/sign-in.tsx';
import { Templates } from './screens/templates.tsx';
import { addressOf, route, type Route } from './state/router.ts';
import { account, isSignedIn, signOut, token } from './state/session.ts';
import { PAGE_OF } from './help-pages.ts';
import { isDark, theme } from './state/theme.ts';
import { text } from './text.ts';
import { Button } from './ui/button.tsx';
import { Loading } from './ui/empty.tsx';
import { DocsLink } from './ui/docs-link.tsx';
import { Icon, type IconName } from './ui/icon.tsx';
import { lazy } from './ui/lazy.tsx';
import { Notices } from './ui/notices.tsx';

const Editor = lazy(async () => (await import('./screens/editor.tsx')).Editor);
const Library = lazy(async () => (await import('./screens/library.tsx')).Library);
const others = () => import('./screens/others.ts');
const Batches = lazy(async () => (await others()).Batches);
const Jobs = lazy(async () => (await others()).Jobs);
const PdfTools = lazy(async () => (await others()).PdfTools);
const Usage = lazy(async () => (await others()).Usage);
const Settings = lazy(async () => (await others()).Settings);

const NAVIGATION: readonly { to: Route; icon: IconName; label: string }[] = [
  { to: { screen: 'templates' }, icon: 'template', label: text.nav.templates },
  { to: { screen: 'library' }, icon: 'library', label: text.nav.library },
  { to: { screen: 'batches' }, icon: 'batch', label: text.nav.batches },
  { to: { screen: 'jobs' }, icon: 'jobs', label: text.nav.jobs },
  { to: { screen: 'pdf' }, icon: 'tools', label: text.nav.pdf },
  { to: { screen: 'usage' }, icon: 'usage', label: text.nav.usage },
  { to: { screen: 'settings' }, icon: 'settings', label: text.nav.settings },
];

export function App() {
  useEffect(() => {
    if (token.value === null || account.value !== null) return;
    // The page was reloaded: the token of this tab may have been revoked since.
    callJson<TokenInfo>('GET', 'token').then(
      (info) => (account.value = info),
      (error: unknown) => signOut(error instanceof Error ? error.message : null),
    );
  }, []);
  useFocusOnScreen(addressOf(route.value));
  if (token.value === null) return <SignIn />;
  if (!isSignedIn.value) return <Loading label={text.loading} />;
  return (
    <div class="app">
      <a class="skip" href="#content" onClick={skip}>
        {text.skip}
      </a>
      <Navigation />
      <main id="content" class="content" tabIndex={-1}>
        <Screen />
      </main>
      <Notices />
    </div>
  );
}

/**
 * Moves the focus to a screen that replaces another: the focused element was removed, and the next Tab would start at
 * an unspecified place (WCAG 2.2, 2.4.3).
 */
function useFocusOnScreen(address: string): void {
  const before = useRef(address);
  useEffect(() => {
    if (before.current === address) return;
    before.current = address;
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [address]);
}

function Screen() {
  const shown = route.value;
  switch (shown.screen) {
    case 'template':
      return <Editor key={shown.id} id={shown.id} />;
    case 'batches':
      return <Batches template={shown.template} />;
    case 'library':
      return <Library />;
    case 'jobs':
      return <Jobs />;
    case 'pdf':
      return <PdfTools />;
    case 'usage':
      return <Usage />;
    case 'settings':
      return <Settings />;
    default:
      return <Templates />;
  }
}

function Navigation() {
  return (
    <nav class="nav" aria-label={text.nav.label}>
      <a class="brand" href={addressOf({ screen: 'templates' })}>
        <span class="brand-mark" aria-hidden="true" />
        <span class="brand-name">Platen</span>
      </a>
      <ul class="nav-list">
        {NAVIGATION.map(({ to, icon, label }) => (
          <li key={to.screen}>
            <a
              class="nav-link"
              href={addressOf(to)}
              aria-current={isCurrent(to, route.value) ? 'page' : undefined}
            >
              <Icon name={icon} size={20} />
              <span>{label}</span>
            </a>
          </li>
        ))}
      </ul>
      <div class="nav-foot">
        <DocsLink page={PAGE_OF[route.value.screen]} look="nav-link" />
        <Button
          kind="quiet"
          icon={isDark.value ? 'sun' : 'moon'}
          label={isDark.value ? text.theme.toLight : text.theme.toDark}
          onClick={() => (theme.value = isDark.value ? 'light' : 'dark')}
        />
      </div>
    </nav>
  );
}

function isCurrent(to: Route, now: Route): boolean {
  return to.screen === now.screen || (to.screen === 'templates' && now.screen === 'template');
}

/** The fragment of the address identifies the screen, so the skip link must not change it. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
