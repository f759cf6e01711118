import type { Send } from './connection.ts';

/** The settings of a page for one document. */
export interface PageState {
  media: 'print' | 'screen';
  javascript: boolean;
  /** Whether errors of scripts are told. */
  hears: boolean;
  transparent: boolean;
}

/** A page as it is opened, and as most documents want it. */
export const ORDINARY: PageState = { media: 'print', javascript: true, hears: false, transparent: false };

/** Remembers the settings of a page, so that unchanged ones cost nothing. */
export class PageSettings {
  #state = ORDINARY;
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Whether scripts run, of a page on which nothing else changes. */
  async setScripts(javascript: boolean): Promise<void> {
    await this.set({ ...this.#state, javascript });
  }

  /** Whether errors of scripts are told, of a page on which nothing else changes. */
  async setHearing(hears: boolean): Promise<void> {
    await this.set({ ...this.#state, hears });
  }

  /** Sets what differs; commands are carried out in their order, so that nobody has to wait before the next one. */
  async set(wanted: PageState): Promise<void> {
    const { media, javascript, hears, transparent } = this.#state;
    this.#state = wanted;
    await Promise.all([
      media !== wanted.media && this.#send('Emulation.setEmulatedMedia', { media: wanted.media }),
      javascript !== wanted.javascript &&
        this.#send('Emulation.setScriptExecutionDisabled', { value: !wanted.javascript }),
      // What the document before has said would be told as soon as somebody listens.
      !hears && wanted.hears && this.#send('Runtime.discardConsoleEntries'),
      hears !== wanted.hears && this.#send(wanted.hears ? 'Runtime.enable' : 'Runtime.disable'),
      transparent !== wanted.transparent &&
        this.#send(
          'Emulation.setDefaultBackgroundColorOverride',
          wanted.transparent ? { color: { r: 0, g: 0, b: 0, a: 0 } } : {},
        ),
    ]);
  }
}
