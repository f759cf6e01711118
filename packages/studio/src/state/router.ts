import { signal } from '@preact/signals';

/** The current screen: the fragment of the address, such as `#/templates/01kb…`. */

export type Route =
  | { screen: 'templates' }
  | { screen: 'template'; id: string }
  | { screen: 'batches'; template?: string }
  | { screen: 'library' }
  | { screen: 'jobs' }
  | { screen: 'pdf' }
  | { screen: 'usage' }
  | { screen: 'settings' };

export function parseRoute(fragment: string): Route {
  const [screen, id] = fragment.replace(/^#\/?/, '').split('/').map(decoded);
  if (screen === 'templates' && id !== undefined && id !== '') return { screen: 'template', id };
  if (screen === 'batches') return id === undefined || id === '' ? { screen } : { screen, template: id };
  if (isPlain(screen)) return { screen };
  return { screen: 'templates' };
}

/** Screens whose address ends with their name. */
const PLAIN = ['library', 'jobs', 'pdf', 'usage', 'settings'] as const;

const isPlain = (screen: string | undefined): screen is (typeof PLAIN)[number] =>
  PLAIN.some((name) => name === screen);

export function addressOf(route: Route): string {
  if (route.screen === 'template') return `#/templates/${encodeURIComponent(route.id)}`;
  if (route.screen === 'batches' && route.template !== undefined)
    return `#/batches/${encodeURIComponent(route.template)}`;
  return `#/${route.screen}`;
}

export const route = signal<Route>(parseRoute(location.hash));

/** Returns whether the screen may be left; a screen with unsaved changes sets it. */
export const mayLeave: { ask: (() => boolean) | null } = { ask: null };

export function go(to: Route): void {
  location.hash = addressOf(to);
}

/** Follows the address, including backward navigation. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    const next = parseRoute(location.hash);
    if (addressOf(next) === addressOf(route.value)) return;
    if (mayLeave.ask !== null && !mayLeave.ask()) {
      history.replaceState(null, '', addressOf(route.value));
      return;
    }
    route.value = next;
  });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
