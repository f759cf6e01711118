import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import type { Readable, Writable } from 'node:stream';

/** A method of the Chrome DevTools Protocol, e.g. `Page.navigate`. */
export type Method = keyof ProtocolMapping.Commands;
/** The parameters of a command. */
export type Params<M extends Method> = ProtocolMapping.Commands[M]['paramsType'][0];
/** The result of a command. */
export type Result<M extends Method> = ProtocolMapping.Commands[M]['returnType'];

/** Sends a command to a page. */
export type Send = <M extends Method>(method: M, params?: Params<M>) => Promise<Result<M>>;
/** An event of the protocol, e.g. `Page.loadEventFired`. */
export type EventName = keyof ProtocolMapping.Events;
/** The parameters of an event. */
export type EventParams<E extends EventName> = ProtocolMapping.Events[E] extends [infer P] ? P : undefined;
type Listener = (params: never) => void;

/** The browser is gone: it crashed, was killed or was closed. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** The browser refused a command. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly method: string;

  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.method = method;
  }
}

interface Pending {
  method: Method;
  raw: boolean;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Message {
  id?: number;
  result?: unknown;
  error?: { message: string };
  method?: EventName;
  params?: unknown;
  sessionId?: string;
}

/**
 * The Chrome DevTools Protocol over the pipes of `--remote-debugging-pipe`: JSON messages, each ended by a zero byte.
 * One connection serves the browser and every page attached to it ("flat" sessions).
 */
export class Connection {
  readonly #output: Writable;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Map<EventName, Listener>>();
  readonly #onLost = new Map<string, (error: ConnectionLost) => void>();
  readonly #onEnded = new Map<string, (status: string) => void>();
  #received: Buffer[] = [];
  #nextId = 1;
  #lost: ConnectionLost | undefined;

  /**
   * @param output what the browser reads from
   * @param input what it writes to
   */
  constructor(output: Writable, input: Readable) {
    this.#output = output;
    this.on('', 'Target.targetCrashed', ({ targetId, status }) => this.#onEnded.get(targetId)?.(status));
    this.on('', 'Target.targetDestroyed', ({ targetId }) => this.#onEnded.get(targetId)?.('closed'));
    input.on('data', (chunk: Buffer) => this.#receive(chunk));
    input.on('close', () => this.lose('the browser has ended'));
    // A broken pipe means the same as a closed one, which is reported next.
    input.on('error', () => {});
    output.on('error', () => this.lose('the browser does not listen'));
  }

  /**
   * Sends a command and waits for its result.
   *
   * @param sessionId the target page; none for the browser itself
   * @throws ProtocolError, ConnectionLost
   */
  send<M extends Method>(method: M, params?: Params<M>, sessionId?: string): Promise<Result<M>> {
    return this.#request(method, params, sessionId, false) as Promise<Result<M>>;
  }

  /** Works as {@link send}, but returns the unparsed message: for results that consist of one long string. */
  sendRaw<M extends Method>(method: M, params?: Params<M>, sessionId?: string): Promise<Buffer> {
    return this.#request(method, params, sessionId, true) as Promise<Buffer>;
  }

  /** Calls `listener` for each such event of a session (`''` is the browser). One listener per event and session. */
  on<E extends EventName>(sessionId: string, event: E, listener: (params: EventParams<E>) => void): void {
    let events = this.#listeners.get(sessionId);
    if (events === undefined) this.#listeners.set(sessionId, (events = new Map()));
    events.set(event, listener);
  }

  /** Calls `listener` when the browser is gone, since a session that waits for an event would wait forever. */
  onLost(sessionId: string, listener: (error: ConnectionLost) => void): void {
    if (this.#lost === undefined) this.#onLost.set(sessionId, listener);
    else listener(this.#lost);
  }

  /** Calls `listener` when a target has ended: its process has `crashed` or was `killed`, or it was `closed`. */
  onEnded(targetId: string, listener: (status: string) => void): void {
    this.#onEnded.set(targetId, listener);
  }

  /** Whether the browser is gone. */
  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** Removes the listeners of a session and its target. */
  forget(sessionId: string, targetId: string): void {
    this.#onEnded.delete(targetId);
    this.#listeners.delete(sessionId);
    this.#onLost.delete(sessionId);
  }

  /** Fails all pending and future commands. */
  lose(reason: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = new ConnectionLost(reason);
    for (const pending of this.#pending.values()) pending.reject(this.#lost);
    for (const listener of this.#onLost.values()) listener(this.#lost);
    this.#pending.clear();
    this.#listeners.clear();
    this.#onLost.clear();
    this.#onEnded.clear();
    this.#received = [];
  }

  #request(method: Method, params: unknown, sessionId: string | undefined, raw: boolean): Promise<unknown> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { method, raw, resolve, reject });
      this.#output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const tail = chunk.subarray(start, end);
      const message = this.#received.length === 0 ? tail : Buffer.concat([...this.#received, tail]);
      this.#received = [];
      start = end + 1;
      this.#dispatch(message);
    }
    if (start < chunk.length) this.#received.push(chunk.subarray(start));
  }

  #dispatch(bytes: Buffer): void {
    // Chromium writes the id first; otherwise a long result could not be left unparsed.
    const id = /^\{"id":(\d+),"result"/.exec(bytes.toString('latin1', 0, 40))?.[1];
    const awaited = id === undefined ? undefined : this.#pending.get(Number(id));
    if (awaited?.raw === true) {
      this.#pending.delete(Number(id));
      awaited.resolve(bytes);
      return;
    }
    const message = JSON.parse(bytes.toString('utf8')) as Message;
    if (message.id === undefined) {
      if (message.method === undefined) return;
      const listener = this.#listeners.get(message.sessionId ?? '')?.get(message.method);
      listener?.(message.params as never);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.error === undefined) pending?.resolve(message.result);
    else pending?.reject(new ProtocolError(pending.method, message.error.message));
  }
}
