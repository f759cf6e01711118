import type { Connect, Details, FromFrame, Hello, Look, ToFrame } from './protocol.ts';

/**
 * `<platen-editor>`: the editor of one template in a page of another site. The file stands alone, because pages of other
 * origins load it: it imports types only.
 */

const PAGE = new URL(/* @vite-ignore */ 'embed.html', import.meta.url);
/** Time for the frame to greet after it has loaded: a page that a policy refuses loads too, and says nothing. */
const GREETING_MS = 3_000;
const LOADING_MS = 30_000;
const NAMES = ['accent', 'ink', 'soft', 'paper', 'surface', 'raised', 'line', 'radius', 'font'];

class PlatenEditor extends HTMLElement {
  static readonly observedAttributes = ['template', 'panes', 'scheme', 'label'];

  /** Returns a token from the server of the page. Without it, the attribute `token` is used. */
  declare fetchToken?: () => Promise<string> | string;

  readonly #root = this.attachShadow({ mode: 'open' });
  #frame: HTMLIFrameElement | null = null;
  #port: MessagePort | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The classes and styles of the page may change the colours. */
  readonly #changes = new MutationObserver(() => this.#sendLook());

  connectedCallback(): void {
    this.#open();
    addEventListener('message', this.#onMessage);
    const watched = { attributes: true, attributeFilter: ['class', 'style', 'data-theme'] };
    this.#changes.observe(document.documentElement, watched);
    this.#changes.observe(this, watched);
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#onMessage);
    this.#changes.disconnect();
    this.#close();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (this.#frame === null || before === now) return;
    if (name === 'scheme') this.#sendLook();
    else if (name === 'label') this.#frame.title = this.#label;
    else this.#open();
  }

  get #label(): string {
    return this.getAttribute('label') ?? 'Template editor';
  }

  #open(): void {
    this.#close();
    const frame = document.createElement('iframe');
    frame.title = this.#label;
    frame.allow = 'clipboard-write';
    // The editor cannot navigate the page that it is in.
    frame.setAttribute(
      'sandbox',
      'allow-scripts allow-same-origin allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox',
    );
    frame.src = PAGE.href;
    frame.addEventListener('load', () => this.#expectGreeting(GREETING_MS));
    this.#frame = frame;
    this.#root.replaceChildren(frame);
    this.#root.adoptedStyleSheets = [STYLE];
    this.#expectGreeting(LOADING_MS);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#port?.close();
    this.#port = null;
    this.#frame?.remove();
    this.#frame = null;
  }

  #expectGreeting(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#port === null) this.#timer = setTimeout(() => this.#refused(), ms);
  }

  #refused(): void {
    this.#close();
    const message = `The editor at ${PAGE.origin} does not answer, or may not be shown by pages of ${location.origin}. Allow this origin where the service is configured: PLATEN_EMBED_ORIGINS for npm start, platen:embedOrigins on AWS.`;
    const box = document.createElement('p');
    box.setAttribute('role', 'alert');
    box.textContent = message;
    this.#root.replaceChildren(box);
    this.#tell('error', { code: 'embed_refused', message });
  }

  readonly #onMessage = (event: MessageEvent): void => {
    const frame = this.#frame?.contentWindow;
    if (frame == null || event.source !== frame || event.origin !== PAGE.origin) return;
    if ((event.data as Partial<Hello> | null)?.platen !== 'hello') return;
    clearTimeout(this.#timer);
    // A frame that was loaded again greets again.
    this.#port?.close();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.addEventListener('message', ({ data }: MessageEvent<FromFrame>) => this.#received(data));
    port1.start();
    frame.postMessage({ platen: 'connect' } satisfies Connect, PAGE.origin, [port2]);
    const panes = (this.getAttribute('panes') ?? '').split(/[\s,]+/).filter((name) => name !== '');
    this.#send({ type: 'open', template: this.getAttribute('template') ?? '', panes, look: this.#look() });
  };

  #received(message: FromFrame): void {
    if (message.type === 'ask-token') void this.#answerToken(this.#port);
    else this.#tell(message.type, message.detail);
  }

  async #answerToken(port: MessagePort | null): Promise<void> {
    try {
      const token = this.fetchToken === undefined ? this.getAttribute('token') : await this.fetchToken();
      if (typeof token !== 'string' || token.trim() === '')
        throw new Error('The page has no token for the editor: fetchToken has to return one.');
      port?.postMessage({ type: 'token', token: token.trim() } satisfies ToFrame);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      port?.postMessage({ type: 'no-token', message } satisfies ToFrame);
    }
  }

  #look(): Look {
    const style = getComputedStyle(this);
    const set = NAMES.map((name) => [name, style.getPropertyValue(`--platen-${name}`).trim()] as const);
    return {
      scheme: this.getAttribute('scheme') ?? 'system',
      ...Object.fromEntries(set.filter(([, value]) => value !== '')),
    };
  }

  #sendLook(): void {
    this.#send({ type: 'look', look: this.#look() });
  }

  #send(message: ToFrame): void {
    this.#port?.postMessage(message);
  }

  #tell<Name extends keyof Details>(name: Name, detail: Details[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
  :host { display: block; height: 640px; min-height: 320px; }
  :host([hidden]) { display: none; }
  iframe { display: block; width: 100%; height: 100%; border: 0; }
  p { margin: 0; padding: 16px; border: 1px solid currentcolor; }
`);

if (customElements.get('platen-editor') === undefined) customElements.define('platen-editor', PlatenEditor);
