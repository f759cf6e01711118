import { computed, signal } from '@preact/signals';
import type { Limit } from '../api/limits.ts';
import type { TokenInfo } from '../api/types.ts';

/**
 * Who is signed in. The token is in memory, and for as long as the tab is open in its sessionStorage; never in an
 * address, never in what other tabs or later visits see.
 */

const KEY = 'platen.token';

export const token = signal<string | null>(sessionStorage.getItem(KEY));
export const account = signal<TokenInfo | null>(null);
/** Limits of the token, as answers told them; none: it has none, or none was told yet. */
export const limits = signal<readonly Limit[]>([]);
/** Why somebody was signed out, to be said on the page for signing in. */
export const signedOutBecause = signal<string | null>(null);

export const isSignedIn = computed(() => token.value !== null && account.value !== null);

export function signIn(value: string, info: TokenInfo, keep: boolean): void {
  if (keep) sessionStorage.setItem(KEY, value);
  else sessionStorage.removeItem(KEY);
  signedOutBecause.value = null;
  token.value = value;
  account.value = info;
}

export function signOut(reason: string | null = null): void {
  sessionStorage.removeItem(KEY);
  token.value = null;
  account.value = null;
  limits.value = [];
  signedOutBecause.value = reason;
}

export function hasScope(scope: string): boolean {
  return account.value?.scopes.includes(scope) === true;
}
