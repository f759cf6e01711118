import { callJson } from '../api/client.ts';
import type { TokenInfo } from '../api/types.ts';
import { account, token } from '../state/session.ts';

/** The tokens of an embedded editor: the page supplies them, and they are in memory only. */

/** A token that ends sooner than this is replaced before the next request. */
const MARGIN_MS = 30_000;
const ANSWER_MS = 30_000;

export class SuppliedTokens {
  readonly #ask: () => void;
  #renewing: Promise<string> | null = null;
  #waiting: { resolve: (token: string) => void; reject: (error: Error) => void } | null = null;

  /** @param ask asks the page for a token; it answers with `received` or `failed` */
  constructor(ask: () => void) {
    this.#ask = ask;
  }

  /** Returns a token that does not end soon. @throws Error if the page has none; PlatenError if it is not valid */
  async usable(): Promise<string> {
    const [now, info] = [token.peek(), account.peek()];
    const ends = info?.expires_at ?? null;
    const isLasting = info !== null && (ends === null || Date.parse(ends) - Date.now() > MARGIN_MS);
    return now !== null && isLasting ? now : await this.renewed();
  }

  /** Returns another token from the page; requests at the same time wait for one. @throws as `usable` */
  async renewed(): Promise<string> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return await this.#renewing;
  }

  received(value: string): void {
    this.#waiting?.resolve(value);
  }

  failed(message: string): void {
    this.#waiting?.reject(new Error(message));
  }

  async #renew(): Promise<string> {
    const value = await this.#supplied();
    account.value = await callJson<TokenInfo>('GET', 'token', { token: value });
    token.value = value;
    return value;
  }

  async #supplied(): Promise<string> {
    const timer = setTimeout(() => this.failed('The page did not supply a token in time.'), ANSWER_MS);
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject };
        this.#ask();
      });
    } finally {
      clearTimeout(timer);
      this.#waiting = null;
    }
  }
}
