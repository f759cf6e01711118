import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchBrowser, typeAtEnd } from '../support/browser.ts';
import { call, expectStatus, form, jsonOf, mint } from './client.ts';

/** The Studio in a browser, as a person uses it. */

const { url, token } = inject('service');
const ATTACK = '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>';

let browser: Awaited<ReturnType<typeof launchBrowser>>;
let page: Page;
const violations: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.browser.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      violations.push(message.text());
  });
  page.on('pageerror', (error) => violations.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(url).origin) && !/^(?:blob|data):/.test(request.url()))
      violations.push(`loads ${request.url()}`);
    if (request.url().includes(token)) violations.push('a token in an address');
  });
});

afterAll(() => browser.close());

/** The address of the link to the documentation within an element. */
const helpOf = (within: string) =>
  page.$eval(`${within} a[target=_blank]`, ({ href }) => href as unknown as string);
const press = (name: string) => page.locator(`::-p-aria(${name})`).setTimeout(60_000).click();
const shows = (expression: string) => page.waitForFunction(expression, { timeout: 60_000 });

/** Words of the page that is seen, as the text layer has them. */
const pageShows = (words: string) =>
  shows(
    `(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes(${JSON.stringify(words)})`,
  );

/** Dark pixels of the page that is seen. */
const ink = () =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('.pdf-layer:not(.behind) canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] + data[at + 1] + data[at + 2] < 380) dark++;
    return dark;
  })()`) as Promise<number>;

async function expectAccessible(screen: string): Promise<void> {
  if ((await page.evaluate('typeof axe')) === 'undefined') {
    const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    await page.evaluate(await readFile(source, 'utf8'));
  }
  const found = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  );
  expect(found, screen).toEqual([]);
}

async function typeInto(label: string, text: string): Promise<void> {
  await page.locator(`>>> [aria-label="${label}"].cm-content`).click();
  await typeAtEnd(page, text);
}

describe('from signing in to a published template', () => {
  it('refuses a wrong token, and accepts a right one, which stays out of the address', async () => {
    const answer = await page.goto(`${url}/studio/`);
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'self'");
    await page.waitForSelector('input[name=token]');
    await expectAccessible('signing in');
    await page.type('input[name=token]', 'wrong');
    await press('Sign in');
    await page.waitForSelector('[role=alert]');
    await page.locator('input[name=token]').fill(token);
    await press('Sign in');
    await page.waitForSelector('.screen-head');
    expect(page.url()).not.toContain(token);
    expect(await helpOf('.nav-foot')).toBe(`${new URL(url).origin}/docs/start/studio.html`);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  it('begins with a sample and shows its page', async () => {
    await press('New template');
    await page.waitForSelector('.gallery canvas');
    await expectAccessible('the gallery');
    await page.locator('.gallery li:first-child button').click();
    await pageShows('Fjord & Field');
    await expectAccessible('the editor');
  });

  it('updates the page when the template or the data change', async () => {
    const before = await ink();
    await typeInto('Template', '\n<h1>Typed {{ number }} words</h1><h1>MMMMMMMMMM</h1>');
    await pageShows('Typed 2026-0117 words');
    expect(await ink()).toBeGreaterThan(before + 500);
  });

  it('shows at which line a template is wrong, and keeps the last page', async () => {
    await typeInto('Template', '\n{{ number | nofilter }}');
    await page.waitForSelector('.faults');
    expect(await helpOf('.faults')).toBe(`${new URL(url).origin}/docs/reference/errors/template_syntax.html`);
    expect(await helpOf('.nav-foot')).toBe(`${new URL(url).origin}/docs/guides/templating.html`);
    await page.waitForSelector('>>> .cm-lintRange-error', { visible: true });
    expect(await page.$eval('.faults', (element) => element.textContent)).toMatch(/nofilter.*line \d+/);
    expect(await page.$('.pdf-layer canvas')).not.toBeNull();
    await expectAccessible('a template that is wrong');
    for (let n = 0; n < 8; n++) {
      await page.keyboard.down('Control');
      await page.keyboard.press('Backspace');
      await page.keyboard.up('Control');
      if ((await page.$('.faults')) === null) break;
    }
    await page.waitForFunction("document.querySelector('.faults') === null", { timeout: 60_000 });
  });

  it('keeps a draft, then publishes it for renderings', async () => {
    const id = decodeURIComponent(new URL(page.url()).hash.split('/').at(-1) ?? '');
    const first = jsonOf(expectStatus(await call('GET', `/v1/template/${id}`), 200));
    await press('Save draft');
    await shows("document.querySelector('.badge.draft') !== null");
    expect(jsonOf(await call('GET', `/v1/template/${id}`))['version']).toBe(first['version']);
    await press('Publish');
    await shows("document.querySelector('.editor-head .badge.published') !== null");
    const now = jsonOf(await call('GET', `/v1/template/${id}`));
    expect(Number(now['version'])).toBeGreaterThan(Number(first['version']));
    const file = await call('GET', `/v1/template/file/${id}`);
    expect(file.bytes.toString()).toContain('Typed {{ number }} words');
  });

  it('has options, versions and code for it', async () => {
    for (const [tab, sign] of [
      ['Options', '#option-paper_format'],
      ['Versions', '.versions li'],
      ['As code', 'pre.code'],
      ['Styles', '.styles-pane'],
      ['Images', '.image-list img'],
    ] as const) {
      await page.locator(`::-p-xpath(//button[@role="tab"][starts-with(., "${tab}")])`).click();
      await page.waitForSelector(sign);
      await expectAccessible(tab);
    }
  });
});

it('shows names, data and faults of other users as text only', async () => {
  const added = jsonOf(
    expectStatus(
      await call('POST', '/v1/template', {
        body: form({
          template_data: JSON.stringify({ name: ATTACK, format: 'html', description: ATTACK, note: ATTACK }),
          file_data: [`<p>{{ name }}{{ x.y.z['${ATTACK}'] }}</p>`, `${ATTACK}.html`],
        }),
      }),
      200,
    ),
  );
  await call('PUT', `/v1/template/${String(added['id'])}/samples/attack`, {
    body: JSON.stringify({ name: ATTACK, [ATTACK]: ATTACK }),
    headers: { 'content-type': 'application/json' },
  });
  await page.goto(`${url}/studio/#/templates/${String(added['id'])}`);
  await page.waitForSelector('.faults code');
  expect(await page.$eval('.faults', (element) => element.textContent)).toContain('<script>');
  await press('Form');
  await page.waitForSelector('.data-form');
  expect(await page.$eval('.data-form', (element) => element.textContent)).toContain('<script>');
  await page.goto(`${url}/studio/#/templates`);
  await page.waitForSelector('.template-card');
  expect(await page.$eval('.cards', (element) => element.textContent)).toContain('<img src=x');
  expect(await page.evaluate('window.attacked')).toBeUndefined();
  await expectAccessible('the list');
});

it('gives a template no access to the Studio: neither to its token nor to its pages', async () => {
  const look = `<script>
    const seen = [];
    for (const look of [() => sessionStorage['platen.token'], () => parent.sessionStorage['platen.token'],
      () => opener.location.href, () => document.cookie]) {
      try { seen.push(String(look() || 'nothing')); } catch (error) { seen.push(error.name); }
    }
    document.write('<p>seen: ' + seen.join(', ') + ' of ' + location.origin + '</p>');
    fetch(${JSON.stringify(`${url}/v1/token`)}).then((answer) => answer.text()).then((text) => document.write(text), () => {});
    try { top.attacked = 1; } catch {}
  </script>`;
  const added = jsonOf(
    expectStatus(
      await call('POST', '/v1/template', {
        body: form({ template_data: '{"name":"Look","format":"html"}', file_data: [look, 'look.html'] }),
      }),
      200,
    ),
  );
  await page.goto(`${url}/studio/#/templates/${String(added['id'])}`);
  await pageShows('seen:');
  const seen = await page.$eval('.pdf-layer:not(.behind) .pdf-text', (element) => element.textContent);
  expect(seen).not.toContain(token);
  expect(seen).not.toContain(new URL(url).host);
  expect(seen).not.toContain('tenant');
  expect(await page.evaluate('window.attacked')).toBeUndefined();
});

it('shows nothing within a page of another origin, which protects visitors from clickjacking', async () => {
  const decoy = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<h1>Decoy</h1><iframe src="${url}/studio/"></iframe><iframe src="${url}/studio/index.html"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => decoy.listen(0, '127.0.0.1', resolve));
  const other = await browser.browser.newPage();
  try {
    const { port } = decoy.address() as AddressInfo;
    await other.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'networkidle0' });
    const framed = other.frames().slice(1);
    expect(framed).toHaveLength(2);
    for (const frame of framed) {
      expect(frame.url()).toMatch(/^chrome-error:/);
      expect(await frame.evaluate('document.querySelector("input, .app, script[src]") === null')).toBe(true);
    }
    // The same page on its own is shown.
    await other.goto(`${url}/studio/`);
    await other.waitForSelector('input[name=token]');
  } finally {
    await other.close();
    decoy.close();
  }
});

it('opens nothing of another tenant from its ids in an address', async () => {
  const other = await mint('--tenant', 'studio-neighbour');
  const added = jsonOf(
    expectStatus(
      await call('POST', '/v1/template', {
        headers: { authorization: other },
        body: form({
          template_data: '{"name":"Not yours","format":"html"}',
          file_data: ['<p>x</p>', 'x.html'],
        }),
      }),
      200,
    ),
  );
  for (const id of [String(added['id']), '../../v1/token']) {
    for (const screen of ['templates', 'batches']) {
      await page.goto(`${url}/studio/#/${screen}/${encodeURIComponent(id)}`);
      await page.waitForSelector(screen === 'templates' ? '[role=alert]' : '.drop');
      expect(await page.evaluate('document.body.textContent')).not.toContain('Not yours');
    }
  }
});

it('caused no violation of its policy, no error, and loaded nothing from another origin', () => {
  expect(violations).toEqual([]);
});
