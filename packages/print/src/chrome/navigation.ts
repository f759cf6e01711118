import { ProtocolError } from './connection.ts';
import type { Tab } from './tab.ts';

/** Loads documents in the main frame of a tab. */
export class Navigation {
  readonly #tab: Tab;
  #onLoad: (() => void) | undefined;
  /** Whether the tab has navigated to its document, or has opened the one into which content is written. */
  #committed = false;

  constructor(tab: Tab) {
    this.#tab = tab;
    // Before these, only late events of the previous document arrive.
    tab.on('Page.frameNavigated', ({ frame }) => {
      this.#committed ||= frame.parentId === undefined;
    });
    tab.on('Page.documentOpened', ({ frame }) => {
      this.#committed ||= frame.parentId === undefined;
    });
    tab.on('Page.loadEventFired', () => this.#loaded());
    // The only event if a document navigates away while it loads, which is refused but ends its loading.
    tab.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === tab.id) this.#loaded();
    });
  }

  /** Navigates to a URL and waits until it is loaded. @throws ProtocolError */
  async go(url: string): Promise<void> {
    const loaded = this.#nextLoad();
    const { errorText } = await this.#tab.send('Page.navigate', { url });
    if (errorText !== undefined) throw new ProtocolError('Page.navigate', errorText);
    await loaded;
  }

  /** Replaces the content of the loaded document, and waits until everything in it is loaded. */
  async write(html: string): Promise<void> {
    const loaded = this.#nextLoad();
    await this.#tab.send('Page.setDocumentContent', { frameId: this.#tab.id, html });
    await loaded;
  }

  #nextLoad(): Promise<void> {
    this.#committed = false;
    return new Promise((resolve) => {
      this.#onLoad = resolve;
    });
  }

  #loaded(): void {
    if (this.#committed) this.#onLoad?.();
  }
}
