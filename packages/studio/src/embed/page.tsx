import { render } from 'preact';
import { PlatenError } from '@platen/client/errors';
import { messageOf } from '../api/problem.ts';
import { Editor } from '../screens/editor.tsx';
import { embedding, type Embedding } from '../state/embedding.ts';
import { supply } from '../state/session.ts';
import { text } from '../text.ts';
import { FaultBox, Loading } from '../ui/empty.tsx';
import { Notices } from '../ui/notices.tsx';
import { applyLook, followScheme } from './look.ts';
import { type Connect, type FromFrame, type Hello, type Pane, PANES, type ToFrame } from './protocol.ts';
import { SuppliedTokens } from './tokens.ts';

/**
 * The page in the frame: the editor of the one template that the page around it names, without the other screens. Only
 * pages of configured origins can have it in a frame (`frame-ancestors`, site.ts).
 */

const root = document.getElementById('studio');

function show(content: Parameters<typeof render>[0]): void {
  if (root !== null) render(content, root);
}

class Session implements Embedding {
  panes: readonly Pane[] = PANES;
  readonly #port: MessagePort;
  readonly tokens: SuppliedTokens;
  #template: string | null = null;

  constructor(port: MessagePort) {
    this.#port = port;
    this.tokens = new SuppliedTokens(() => this.#post({ type: 'ask-token' }));
    port.addEventListener('message', ({ data }: MessageEvent<ToFrame>) => this.#received(data));
    port.start();
  }

  readonly tell: Embedding['tell'] = (type, detail) => this.#post({ type, detail } as FromFrame);

  #post(message: FromFrame): void {
    this.#port.postMessage(message, []);
  }

  #received(message: ToFrame): void {
    switch (message.type) {
      case 'open':
        // One template for the life of the frame: the element loads another frame for another one.
        if (this.#template !== null) return;
        this.#template = message.template;
        this.#look(message.look);
        void this.#open(message.template, message.panes);
        break;
      case 'look':
        this.#look(message.look);
        break;
      case 'token':
        this.tokens.received(message.token);
        break;
      case 'no-token':
        this.tokens.failed(message.message);
        break;
    }
  }

  #look(look: Parameters<typeof applyLook>[0]): void {
    const faults = applyLook(look);
    if (faults.length > 0) this.tell('error', { code: 'look_invalid', message: faults.join(' ') });
  }

  async #open(template: string, panes: readonly string[]): Promise<void> {
    const unknown = panes.find((name) => !PANES.some((pane) => pane === name));
    if (template === '') return this.#fail('template_missing', text.embed.noTemplate);
    if (unknown !== undefined) return this.#fail('panes_invalid', text.embed.noPane(unknown));
    if (panes.length > 0) this.panes = PANES.filter((pane) => panes.includes(pane));
    try {
      await this.tokens.renewed();
    } catch (error) {
      return this.#fail(error instanceof PlatenError ? error.code : 'token_missing', messageOf(error));
    }
    show(
      <main class="embed">
        <Editor id={template} />
        <Notices />
      </main>,
    );
  }

  #fail(code: string, message: string): void {
    show(
      <main class="screen">
        <FaultBox message={message} />
      </main>,
    );
    this.tell('error', { code, message });
  }
}

/** Takes the first port from the window around this one, and listens to no other window, nor to a second port. */
function connect(event: MessageEvent): void {
  const [port] = event.ports;
  if (event.source !== window.parent || (event.data as Partial<Connect> | null)?.platen !== 'connect') return;
  if (port === undefined) return;
  removeEventListener('message', connect);
  const session = new Session(port);
  supply.current = session.tokens;
  embedding.current = session;
}

followScheme();
if (window.parent === window) {
  show(
    <main class="screen">
      <h1>{text.product}</h1>
      <FaultBox message={text.embed.alone} />
    </main>,
  );
} else {
  show(<Loading label={text.loading} />);
  addEventListener('message', connect);
  window.parent.postMessage({ platen: 'hello' } satisfies Hello, '*');
}
