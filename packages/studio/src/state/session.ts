import { computed, signal } from '@preact/signals';
import type { Limit } from '../api/limits.ts';
import type { TokenInfo } from '../api/types.ts';

/**
 * The current token. It is in memory, and in the sessionStorage of the tab while that is open; never in an
 * address, nor visible to other tabs or later visits.
 */

const KEY = 'platen.token';

export const token = signal<string | null>(null);
export const account = signal<TokenInfo | null>(null);
/** Limits of the token from the last answer; empty if it has none, or none is known yet. */
export const limits = signal<readonly Limit[]>([]);
/** The reason for signing out, shown on the sign-in page. */
export const signedOutBecause = signal<string | null>(null);

export const isSignedIn = computed(() => token.value !== null && account.value !== null);

/** Who supplies tokens to an embedded editor; null where a person signs in. */
export const supply: {
  current: { usable: () => Promise<string>; renewed: () => Promise<string> } | null;
} = { current: null };

/** Takes the token that the tab has kept. */
export function resume(): void {
  token.value = sessionStorage.getItem(KEY);
}

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
