import {
  type Connection,
  ConnectionLost,
  type EventName,
  type EventParams,
  type Method,
  type Params,
  type Result,
} from './connection.ts';
import type { Verdict } from './gate.ts';

/** The process of the page has ended; the browser is still running. */
export class PageCrashed extends Error {
  override readonly name = 'PageCrashed';
  /** Whether its document may be the cause; false if the process was killed. */
  readonly isOwnFault: boolean;

  constructor(message: string, isOwnFault = false) {
    super(message);
    this.isOwnFault = isOwnFault;
  }
}

/** How a page ends by what is in it: any other end comes from outside. */
const OWN_FAULTS: ReadonlySet<string> = new Set(['crashed', 'oom', 'closed']);

/** A tab of a browser: its commands, its events, and its possible end at any time. */
export class Tab {
  /** Also the id of its main frame. */
  readonly id: string;
  readonly #connection: Connection;
  readonly #sessionId: string;
  readonly #contextId: string | undefined;
  #told: ((reason: PageCrashed | ConnectionLost) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;
  /** Present once the tab can no longer be used. */
  #gone: PageCrashed | ConnectionLost | undefined;

  /**
   * Opens a tab.
   *
   * @param ownContext in a separate browser context, isolated from every other page of the browser; not possible
   * in a single-process browser
   */
  static async open(connection: Connection, ownContext: boolean): Promise<Tab> {
    const contextId = ownContext
      ? (await connection.send('Target.createBrowserContext', { disposeOnDetach: true })).browserContextId
      : undefined;
    const { targetId } = await connection.send('Target.createTarget', {
      url: 'about:blank',
      ...(contextId === undefined ? {} : { browserContextId: contextId }),
    });
    // The process may end before the tab can be attached to.
    let endedAs: string | undefined;
    connection.onEnded(targetId, (status) => (endedAs = status));
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
    const tab = new Tab(connection, sessionId, targetId, contextId);
    const end = (status: string): void =>
      tab.end(new PageCrashed(`the page has ended: ${status}`, OWN_FAULTS.has(status)));
    connection.onEnded(targetId, end);
    if (endedAs !== undefined) end(endedAs);
    connection.onLost(sessionId, (error) => tab.end(error));
    return tab;
  }

  private constructor(
    connection: Connection,
    sessionId: string,
    targetId: string,
    contextId: string | undefined,
  ) {
    this.id = targetId;
    this.#connection = connection;
    this.#sessionId = sessionId;
    this.#contextId = contextId;
  }

  /** Whether the tab can no longer be used. */
  get isGone(): boolean {
    return this.#gone !== undefined;
  }

  /** Returns why the tab has ended, which may arrive later than an error that it causes; undefined if it has not. */
  async ended(): Promise<PageCrashed | ConnectionLost | undefined> {
    // Events that precede the answer have been received with it.
    await this.#connection.send('Browser.getVersion').catch(() => {});
    return this.#gone;
  }

  /** Calls back when the tab ends. */
  onGone(listener: (reason: PageCrashed | ConnectionLost) => void): void {
    this.#told = listener;
  }

  /** Runs `work`, and fails immediately when the tab ends. */
  async unlessGone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#gone !== undefined) throw this.#gone;
    const gone = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    return Promise.race([work(), gone]);
  }

  /** Fails all pending and future work of the tab. */
  end(reason: PageCrashed | ConnectionLost): void {
    this.#told?.(reason);
    this.#gone ??= reason;
    this.#fail?.(this.#gone);
  }

  /** Closes the tab and its context. Does nothing if the browser has ended. */
  async close(): Promise<void> {
    this.#connection.forget(this.#sessionId, this.id);
    this.end(new PageCrashed('the page is closed'));
    const closed =
      this.#contextId === undefined
        ? this.#connection.send('Target.closeTarget', { targetId: this.id })
        : this.#connection.send('Target.disposeBrowserContext', { browserContextId: this.#contextId });
    await closed.catch((error: unknown) => {
      if (!(error instanceof ConnectionLost)) throw error;
    });
  }

  send<M extends Method>(method: M, params?: Params<M>): Promise<Result<M>> {
    return this.#connection.send(method, params, this.#sessionId);
  }

  /**
   * Sends a command whose result is binary.
   *
   * @returns the bytes
   */
  async data<M extends 'Page.printToPDF' | 'Page.captureScreenshot'>(
    method: M,
    params: Params<M>,
  ): Promise<Buffer> {
    return dataOf(await this.#connection.sendRaw(method, params, this.#sessionId));
  }

  /**
   * Sends a command without waiting for its result: the request or the page may be gone by now, which shows
   * elsewhere.
   */
  async tell<M extends Method>(method: M, params: Params<M>): Promise<void> {
    await this.send(method, params).catch(() => {});
  }

  /** Applies a decision to a paused request. */
  async answer(requestId: string, verdict: Verdict): Promise<void> {
    switch (verdict.kind) {
      case 'continue':
        return this.tell('Fetch.continueRequest', { requestId });
      case 'fail':
        return this.tell('Fetch.failRequest', { requestId, errorReason: verdict.reason });
      case 'fulfil': {
        const { buffer, byteOffset, byteLength } = verdict.body;
        return this.tell('Fetch.fulfillRequest', {
          requestId,
          responseCode: verdict.status,
          responseHeaders: verdict.headers,
          body: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
        });
      }
    }
  }

  on<E extends EventName>(event: E, listener: (params: EventParams<E>) => void): void {
    this.#connection.on(this.#sessionId, event, listener);
  }
}

/** The bytes of `{"id":…,"result":{"data":"<base64>",…}}`, without making a string of all of it first. */
function dataOf(message: Buffer): Buffer {
  const key = '"data":"';
  const start = message.indexOf(key) + key.length;
  const end = message.indexOf('"', start);
  return Buffer.from(message.toString('latin1', start, end), 'base64');
}
