import { it } from 'vitest';
import { openStudio } from './studio.ts';
import { readFileSync } from 'node:fs';

it('x', async () => {
  const studio = await openStudio({ url: 'http://localhost:18917', token: 'blocks-token' });
  studio.page.setDefaultTimeout(6000);
  const problems: string[] = [];
  studio.page.on('console', (message) => problems.push(message.text()));
  studio.page.on('response', async (r) => { if (r.status() === 422) problems.push(r.url() + (await r.text().catch(() => ''))); });
  studio.page.on('pageerror', (error) => problems.push(String((error as Error).stack)));
  const isSeen = (words: string): string =>
    `(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes(${JSON.stringify(words)})`;
  const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
  const start = async (name: string) => {
    await studio.go('templates');
    await studio.press('New template');
    await studio.page.waitForSelector('dialog .gallery button');
    await studio.page.locator(`::-p-xpath(//dialog//button[.//*[.="${name}"]])`).click();
    await studio.page.waitForSelector('.editor');
  };
  const code = async () => {
    await studio.press('Code');
    await studio.page.waitForSelector('>>> [aria-label="Template"].cm-content', { visible: true });
    console.log(await studio.page.evaluate("document.querySelector('.parts-pane .code-editor').shadowRoot.querySelector('.cm-content').innerText"));
    await studio.press('Blocks');
  };
  const shot = (name: string) => studio.page.screenshot({ path: `/tmp/b-${name}.png` });
  try {
    const body = readFileSync('/tmp/zz.js', 'utf8');
    const AsyncFunction = Object.getPrototypeOf(async function () {}).constructor;
    await AsyncFunction('studio', 'page', 'isSeen', 'sleep', 'start', 'code', 'shot', body)(studio, studio.page, isSeen, sleep, start, code, shot);
  } finally {
    console.log(problems); await studio.page.screenshot({ path: '/tmp/b-last.png' });
    await studio.close();
  }
}, 90_000);
