import type { Send } from './connection.ts';

/** The settings of a page for one document. */
export interface PageState {
  media: 'print' | 'screen';
  /** Values of media features, as JSON. */
  features: string;
  javascript: boolean;
  /** Whether errors of scripts are reported. */
  hears: boolean;
  transparent: boolean;
}

/** The initial settings of a page, which fit most documents. */
export const INITIAL_STATE: PageState = {
  media: 'print',
  features: '{}',
  javascript: true,
  hears: false,
  transparent: false,
};

/** Remembers the settings of a page, so that unchanged ones need no commands. */
export class PageSettings {
  #state = INITIAL_STATE;
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Whether scripts run, for a page on which nothing else changes. */
  async setScripts(javascript: boolean): Promise<void> {
    await this.set({ ...this.#state, javascript });
  }

  /** Whether errors of scripts are reported, for a page on which nothing else changes. */
  async setHearing(hears: boolean): Promise<void> {
    await this.set({ ...this.#state, hears });
  }

  /** Applies changed settings; commands are executed in order, so there is no need to wait for each. */
  async set(wanted: PageState): Promise<void> {
    const { media, features, javascript, hears, transparent } = this.#state;
    this.#state = wanted;
    await Promise.all([
      (media !== wanted.media || features !== wanted.features) &&
        this.#send('Emulation.setEmulatedMedia', {
          media: wanted.media,
          features: Object.entries(JSON.parse(wanted.features) as Record<string, string>).map(
            ([name, value]) => ({ name, value }),
          ),
        }),
      javascript !== wanted.javascript &&
        this.#send('Emulation.setScriptExecutionDisabled', { value: !wanted.javascript }),
      // Messages of the previous document would be reported once a listener is set.
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
