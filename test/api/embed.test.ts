import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame, HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchBrowser, typeAtEnd } from '../support/browser.ts';
import { addTemplate, call, expectStatus, jsonOf, mint } from './client.ts';

/** The editor in the pages of other sites: the example of the recipe, and what strangers try. */

const { url, token: operator } = inject('service');
const STUDIO = new URL(`${url}/studio/`);
let browser: Awaited<ReturnType<typeof launchBrowser>>;
let page: Page;
let template: string;
let other: string;
let token: string;
let admin: string;
const servers: Server[] = [];
const asked: string[] = [];
const faults: string[] = [];

/** A page of some other site. @param host `localhost` may embed the editor, `127.0.0.1` may not */
async function site(host: 'localhost' | '127.0.0.1', html: string, headers = {}): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
  });
  servers.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  return `http://${host}:${(server.address() as AddressInfo).port}/`;
}

/** A page with an editor, whose events it keeps. */
const hosting = (attributes: string, script = '', style = ''): string => `<!doctype html>
<html lang="en"><head><title>Host</title>
<script type="module" src="${STUDIO.href}embed.js"></script><style>${style}</style></head>
<body><main><h1>Host</h1><platen-editor ${attributes}></platen-editor></main>
<script>
  const editor = document.querySelector('platen-editor');
  window.told = [];
  for (const type of ['ready', 'saved', 'published', 'error'])
    editor.addEventListener(type, ({ detail }) => window.told.push({ type, ...detail }));
  ${script}
</script></body></html>`;

const supplies = (value: string): string => `window.asked = 0;
  editor.fetchToken = async () => (window.asked++, ${JSON.stringify(value)});`;

const told = async (type: string): Promise<Record<string, unknown>> => {
  await page.waitForFunction(`window.told.some((event) => event.type === '${type}')`);
  return (await page.evaluate(`window.told.find((event) => event.type === '${type}')`)) as Record<
    string,
    unknown
  >;
};

/** The frame with the editor, once it has loaded the page for it. */
async function frameOf(): Promise<Frame> {
  return await page.waitForFrame((frame) => frame.url() === `${STUDIO.href}embed.html`);
}

const seen = (frame: Frame, words: string) =>
  frame.waitForFunction(
    `(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes(${JSON.stringify(words)})`,
  );

async function violations(within: Page | Frame): Promise<unknown> {
  const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await within.evaluate(await readFile(source, 'utf8'));
  return await within.evaluate(
    `axe.run(document, { resultTypes: ['violations'], iframes: false }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  );
}

beforeAll(async () => {
  template = await addTemplate('<h1>Dear {{ name }}</h1>');
  other = await addTemplate('<h1>Another</h1>');
  token = await mint('--tenant', 'local', '--scopes', 'templates:read,templates:write,render');
  admin = await mint('--tenant', 'local', '--scopes', 'admin,templates:read,templates:write,render');
  browser = await launchBrowser();
  page = await browser.browser.newPage();
  page.setDefaultTimeout(60_000);
  // What is left unsaved is left.
  page.on('dialog', (dialog) => void dialog.accept());
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => asked.push(request.url()));
});

afterAll(async () => {
  await browser.close();
  for (const server of servers) server.close();
});

describe('the example of the recipe', () => {
  let folder: string;
  let server: ChildProcess;

  beforeAll(async () => {
    const recipe = await readFile('docs/recipes/embed.md', 'utf8');
    folder = await mkdtemp(path.join(tmpdir(), 'platen-embed-'));
    for (const [name, mark] of [
      ['server.mjs', 'EOF_JS'],
      ['index.html', 'EOF_HTML'],
    ] as const) {
      const text = recipe.split(`cat > ${name} << '${mark}'\n`)[1]?.split(`\n${mark}\n`)[0] ?? '';
      await writeFile(path.join(folder, name), text.replaceAll('http://localhost:8080', url));
    }
    const reserved = createServer().listen(0, 'localhost');
    await once(reserved, 'listening');
    const { port } = reserved.address() as AddressInfo;
    await new Promise((resolve) => reserved.close(resolve));
    server = spawn(process.execPath, ['server.mjs'], {
      cwd: folder,
      env: { PLATEN: `${url}/v1`, ADMIN_TOKEN: admin, TEMPLATE: template, PORT: String(port) },
      stdio: 'inherit',
    });
    for (;;) {
      const answer = await fetch(`http://localhost:${port}/`).catch(() => null);
      if (answer?.ok === true) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await page.goto(`http://localhost:${port}/`);
  });

  afterAll(async () => {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows the chosen panes of the one template, with the colours of the page', async () => {
    const frame = await frameOf();
    await frame.waitForSelector('.editor .parts-pane');
    expect(await frame.$('.data-pane')).toBeNull();
    expect(await frame.$('.preview-pane')).not.toBeNull();
    // No way to other templates, to the library or to the tokens.
    expect(await frame.$$eval('a', (links) => links.map(({ href }) => href as unknown as string))).toEqual(
      [],
    );
    expect(await frame.$('.nav')).toBeNull();
    expect(await page.evaluate("getComputedStyle(document.querySelector('platen-editor')).height")).toBe(
      `${Math.round((page.viewport()?.height ?? 0) * 0.8)}px`,
    );
  });

  it('is accessible: the frame has a title, axe finds nothing in either page, and keys reach it', async () => {
    const frame = await frameOf();
    expect(
      await page.$eval('platen-editor', (element) => element.shadowRoot?.querySelector('iframe')?.title),
    ).toBe('Editor of your letter');
    expect(await violations(page)).toEqual([]);
    expect(await violations(frame)).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await frame.evaluate('document.hasFocus()')).toBe(true);
  });

  it('saves and publishes, and tells the page', async () => {
    const frame = await frameOf();
    await frame.evaluate(
      "document.querySelector('.code-editor').shadowRoot.querySelector('.cm-content').focus()",
    );
    await typeAtEnd(page, '\n<p>Typed by a customer</p>');
    await seen(frame, 'Typed by a customer');
    await frame.evaluate(
      'document.getAnimations().forEach((each) => each instanceof CSSTransition && each.finish())',
    );
    expect(
      await frame.evaluate("getComputedStyle(document.querySelector('.button.primary')).backgroundColor"),
    ).toBe('rgb(10, 107, 68)');
    await page.keyboard.down('Control');
    await page.keyboard.press('s');
    await page.keyboard.up('Control');
    await page.waitForFunction(
      "document.querySelector('[role=status]').textContent === 'Version 2 is saved.'",
    );
    await frame.locator('.button.primary').click();
    await page.waitForFunction(
      "document.querySelector('[role=status]').textContent === 'Version 2 is in use.'",
    );
    const stored = jsonOf(expectStatus(await call('GET', `/v1/template/${template}`), 200));
    expect([stored['latest_version'], stored['published_version']]).toEqual([2, 2]);
  });

  it('has its tokens in no address and in no storage', async () => {
    const frame = await frameOf();
    expect(asked.filter((address) => address.includes('plt_'))).toEqual([]);
    expect(asked.some((address) => address.includes(`/v1/template/${template}`))).toBe(true);
    expect(
      await frame.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'),
    ).not.toContain('plt_');
  });
});

describe('tokens', () => {
  it('are asked for again before they end', async () => {
    const body = new FormData();
    body.set('expires_at', new Date(Date.now() + 25_000).toISOString());
    body.set('scopes', '["templates:read", "render"]');
    const answer = await call('POST', '/v1/tokens', { body, headers: { authorization: admin } });
    const { token: ending } = jsonOf(expectStatus(answer, 200));
    const script = `window.asked = 0;
      editor.fetchToken = () => window.asked++ < 3 ? ${JSON.stringify(ending)} : ${JSON.stringify(token)};`;
    await page.goto(await site('localhost', hosting(`template="${template}"`, script)));
    await told('ready');
    // Then one that lasts is not asked for again.
    await page.waitForFunction('window.asked >= 4');
    const frame = await frameOf();
    await seen(frame, 'Dear');
    expect(await page.evaluate('window.asked')).toBe(4);
  });

  it('are asked for again when they are refused, and the request is sent again', async () => {
    const script = `window.asked = 0; editor.fetchToken = () => (window.asked++, ${JSON.stringify(token)});`;
    await page.setRequestInterception(true);
    let refused = 0;
    const refuse = (request: HTTPRequest): void => {
      if (!request.url().endsWith('/v1/render/pdf') || refused++ > 0) return void request.continue();
      const body = JSON.stringify({ status: 401, code: 'unauthorized', title: 'Unauthorized' });
      void request.respond({ status: 401, contentType: 'application/problem+json', body });
    };
    page.on('request', refuse);
    try {
      await page.goto(await site('localhost', hosting(`template="${template}"`, script)));
      await seen(await frameOf(), 'Dear');
    } finally {
      page.off('request', refuse);
      await page.setRequestInterception(false);
    }
    expect([refused > 1, await page.evaluate('window.asked')]).toEqual([true, 2]);
  });

  it('that are missing or wrong are told to the page and to the person', async () => {
    await page.goto(await site('localhost', hosting(`template="${template}"`)));
    expect(await told('error')).toMatchObject({
      code: 'token_missing',
      message: expect.stringContaining('fetchToken'),
    });
    await (await frameOf()).waitForSelector('.fault-box');
    await page.goto(await site('localhost', hosting(`template="${template}" token="wrong"`)));
    expect(await told('error')).toMatchObject({ code: 'unauthorized' });
  });

  it('that only read have no buttons to save, and one without rights says which is missing', async () => {
    const reading = await mint('--tenant', 'local', '--scopes', 'templates:read,render');
    await page.goto(await site('localhost', hosting(`template="${template}"`, supplies(reading))));
    await told('ready');
    const frame = await frameOf();
    expect(await frame.$('.button.primary')).toBeNull();
    await seen(frame, 'Dear');
    const none = await mint('--tenant', 'local', '--scopes', 'render');
    await page.goto(await site('localhost', hosting(`template="${template}"`, supplies(none))));
    expect(await told('error')).toMatchObject({ code: 'insufficient_scope' });
  });
});

describe('attributes and properties', () => {
  it.each([
    [`template="${'0'.repeat(26)}"`, 'not_found'],
    ['', 'template_missing'],
    ['template="x" panes="text,keys"', 'panes_invalid'],
  ])('%s are refused with %s', async (attributes, code) => {
    await page.goto(await site('localhost', hosting(attributes, supplies(token))));
    expect(await told('error')).toMatchObject({ code });
  });

  it('take colours by name, and no value that is not one', async () => {
    const style = `platen-editor { --platen-accent: url(https://example.org/x.png); --platen-ink: #123456; --platen-shadow: none }`;
    await page.goto(
      await site('localhost', hosting(`template="${template}" scheme="dark"`, supplies(token), style)),
    );
    expect(await told('error')).toEqual({
      type: 'error',
      code: 'look_invalid',
      message: '--platen-accent has a value that is not allowed.',
    });
    await told('ready');
    const frame = await frameOf();
    const root = 'document.documentElement';
    expect(await frame.evaluate(`${root}.style.cssText`)).toBe('--ink: #123456;');
    expect(await frame.evaluate(`${root}.dataset.theme`)).toBe('dark');
    await page.evaluate(
      "document.querySelector('platen-editor').style.setProperty('--platen-accent', 'yellow')",
    );
    await frame.waitForFunction(`${root}.style.getPropertyValue('--on-accent') === '#0d1530'`);
    // What a person chose in the Studio stays as it is.
    expect(await frame.evaluate('localStorage.length')).toBe(0);
  });

  it('that change load another frame, and an element that is removed leaves nothing', async () => {
    await page.goto(await site('localhost', hosting(`template="${template}" panes="text"`, supplies(token))));
    await told('ready');
    await page.evaluate(
      `window.told.length = 0; document.querySelector('platen-editor').setAttribute('template', '${other}')`,
    );
    expect(await told('ready')).toMatchObject({ template: other });
    await page.evaluate("document.querySelector('platen-editor').remove()");
    expect(page.frames()).toHaveLength(1);
  });
});

describe('strangers', () => {
  it('cannot have the editor in a frame, and are told why', async () => {
    await page.goto(await site('127.0.0.1', hosting(`template="${template}"`, supplies(token))));
    const { code, message } = await told('error');
    expect(code).toBe('embed_refused');
    expect(message).toMatch(/http:\/\/127\.0\.0\.1:\d+.*PLATEN_EMBED_ORIGINS.*platen:embedOrigins/);
    expect(
      await page.$eval(
        'platen-editor',
        (element) => element.shadowRoot?.querySelector('[role=alert]')?.textContent,
      ),
    ).toBe(message);
    expect(await page.evaluate('window.asked')).toBe(0);
  });

  it('cannot have it in a frame of a page that may, nor any other page of the Studio', async () => {
    const inner = await site('localhost', hosting(`template="${template}"`, supplies(token)));
    await page.goto(await site('127.0.0.1', `<iframe src="${inner}"></iframe>`));
    const frame = await page.waitForFrame((each) => each.url() === inner);
    await frame.waitForFunction("window.told?.some(({ code }) => code === 'embed_refused')");
    await page.goto(await site('localhost', `<iframe src="${STUDIO.href}"></iframe>`));
    for (const each of page.frames().slice(1)) expect(await each.$('#studio')).toBeNull();
    for (const [name, rule] of [
      ['', "frame-ancestors 'none'"],
      ['index.html', "frame-ancestors 'none'"],
      ['embed.html', 'frame-ancestors http://localhost:*'],
    ] as const) {
      const { headers } = await fetch(new URL(name, STUDIO));
      expect(headers.get('content-security-policy')).toContain(rule);
      expect(headers.get('x-frame-options')).toBe(name === 'embed.html' ? null : 'DENY');
    }
  });

  it('in another frame of the page cannot answer the greeting', async () => {
    const script = `${supplies(token)}
      const stranger = document.createElement('iframe');
      document.body.append(stranger);
      stranger.contentWindow.eval(\`setInterval(() => {
        const frame = parent.document.querySelector('platen-editor').shadowRoot?.querySelector('iframe').contentWindow;
        const { port1, port2 } = new MessageChannel();
        frame?.postMessage({ platen: 'connect' }, '*', [port2]);
        port1.onmessage = ({ data }) => (parent.leaked = data);
        port1.postMessage({ type: 'open', template: '${other}', panes: [], look: {} });
      }, 0)\`);`;
    await page.goto(await site('localhost', hosting(`template="${template}" panes="text"`, script)));
    expect(await told('ready')).toMatchObject({ template });
    expect(await page.evaluate('window.leaked')).toBeUndefined();
  });

  it('get no token with a greeting of their own, and open no other template', async () => {
    await page.goto(await site('localhost', hosting(`template="${template}" panes="text"`, supplies(token))));
    await told('ready');
    const frame = await frameOf();
    await page.evaluate(`(() => {
      const editor = document.querySelector('platen-editor').shadowRoot.querySelector('iframe').contentWindow;
      const { port1, port2 } = new MessageChannel();
      editor.postMessage({ platen: 'connect' }, '*', [port2]);
      port1.onmessage = ({ data }) => (window.leaked = data);
      port1.postMessage({ type: 'open', template: '${other}', panes: [], look: {} });
      window.addEventListener('message', ({ ports }) => ports.length > 0 && (window.leaked = ports));
      window.postMessage({ platen: 'hello' }, '*');
    })()`);
    await frame.evaluate(
      `location.hash = '#/templates/${other}'; parent.postMessage({ type: 'ask-token' }, '*')`,
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await page.evaluate('window.leaked')).toBeUndefined();
    expect(await page.evaluate('window.asked')).toBe(1);
    expect(await page.evaluate("window.told.filter(({ type }) => type === 'ready').length")).toBe(1);
    // The port of the element is the one that the frame has.
    await page.evaluate(
      "document.querySelector('platen-editor').style.setProperty('--platen-radius', '1px')",
    );
    await frame.waitForFunction("document.documentElement.style.getPropertyValue('--radius') === '1px'");
    const text = "document.querySelector('.code-editor').shadowRoot.querySelector('.cm-content').textContent";
    expect(await frame.evaluate(text)).toContain('Dear');
  });

  it('find nothing on the page itself', async () => {
    await page.goto(`${STUDIO.href}embed.html`);
    await page.waitForSelector('.fault-box');
    expect(await page.$('.editor')).toBeNull();
    expect(await violations(page)).toEqual([]);
  });
});

it('caused no error, and sent no token in an address', () => {
  expect(faults).toEqual([]);
  expect(asked.filter((address) => [operator, token].some((each) => address.includes(each)))).toEqual([]);
});
