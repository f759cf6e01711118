import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'puppeteer-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { launchBrowser } from '../support/browser.ts';

/** The Studio in a browser, as a person has it in front of them. */
export interface OpenStudio {
  page: Page;
  /** For files that are dropped. */
  folder: string;
  /** Opens a screen, and waits until it has loaded. */
  go: (fragment: string) => Promise<void>;
  /** Presses the button of that name. */
  press: (name: string) => Promise<void>;
  tab: (title: string) => Promise<void>;
  /** Waits until an expression is true in the page. */
  shows: (expression: string) => Promise<void>;
  /** Replaces the text of an editor. @param label what a screen reader calls it */
  write: (label: string, text: string) => Promise<void>;
  /** Chooses files where they may be dropped, the place in sight that comes first. */
  choose: (...files: string[]) => Promise<void>;
  /** Drags an element to the place of another. */
  drag: (selector: string, to: string) => Promise<void>;
  /** Has the PDF tool in sight do its work. @returns the file that a person would download */
  work: () => Promise<string>;
  /** @param press presses what downloads @returns the file that a person would have then */
  download: (press: () => Promise<unknown>) => Promise<string>;
  /** See `picture` below. */
  picture: (name: string) => Promise<void>;
  /** No violation that axe-core finds, in light and in dark colours. */
  expectAccessible: () => Promise<void>;
  close: () => Promise<void>;
}

const pictures = process.env['PLATEN_PICTURES'];
/** Pixels from side to side of a screen in a picture, of which there are two. */
const PICTURED = 800;

/** Keeps a picture of the screen in sight where `PLATEN_PICTURES` says so: light on the left, dark on the right. */
export async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  await mkdir(pictures, { recursive: true });
  const before = (await page.evaluate('document.documentElement.dataset.theme')) as string;
  const shots: Buffer[] = [];
  for (const colours of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${colours}'`);
    await new Promise((resolve) => setTimeout(resolve, 700));
    shots.push(
      await sharp(await page.screenshot())
        .resize({ width: PICTURED, withoutEnlargement: true })
        .png()
        .toBuffer(),
    );
  }
  await page.evaluate(`document.documentElement.dataset.theme = '${before}'`);
  const joined = await sharp(shots, { join: { across: 2 } })
    .webp({ quality: 74 })
    .toBuffer();
  await writeFile(path.join(pictures, `studio-${name}.webp`), joined);
}

/** Signs in. */
export async function openStudio({ url, token }: { url: string; token: string }): Promise<OpenStudio> {
  const folder = await mkdtemp(path.join(tmpdir(), 'platen-screens-'));
  const { browser, close } = await launchBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}/studio/`);
  await page.waitForSelector('input[name=token]');
  await page.type('input[name=token]', token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.screen-head');

  const theme = (name: string): Promise<unknown> =>
    page.evaluate(`document.documentElement.dataset.theme = '${name}'`);
  return {
    page,
    folder,
    go: async (fragment) => {
      await page.goto(`${url}/studio/#/${fragment}`);
      await page.waitForFunction("document.querySelector('h1') && !document.querySelector('.loading')");
    },
    press: async (name) => {
      await page.locator(`::-p-aria(${name})`).click();
    },
    tab: async (title) => {
      await page.locator(`::-p-xpath(//button[@role="tab"][starts-with(., "${title}")])`).click();
      // Whoever leaves what is not saved is asked first.
      await page.waitForSelector(
        `::-p-xpath(//button[@role="tab"][@aria-selected="true"][starts-with(., "${title}")])`,
      );
    },
    shows: async (expression) => {
      await page.waitForFunction(expression);
    },
    write: async (label, text) => {
      const content = await page.waitForSelector(`>>> [aria-label="${label}"].cm-content`, { visible: true });
      await content?.focus();
      await page.keyboard.down('Control');
      await page.keyboard.press('a');
      await page.keyboard.up('Control');
      if (!isFirefox(page)) return await page.keyboard.sendCharacter(text);
      // To Firefox, puppeteer sends no more than one character at a time.
      await page.evaluate(`void document.execCommand('insertText', false, ${JSON.stringify(text)})`);
    },
    choose: async (...files) => {
      const input = (await page.waitForSelector('input[type=file]')) as unknown as {
        uploadFile(...files: string[]): Promise<void>;
      };
      await input.uploadFile(...files);
    },
    drag: async (selector, to) => {
      const [dragged, target] = [await page.waitForSelector(selector), await page.waitForSelector(to)];
      if (dragged === null || target === null) throw new Error('nothing to drag');
      if (!isFirefox(page)) {
        await dragged.drag(target);
        return await target.drop(dragged);
      }
      // Firefox begins to drag what WebDriver's mouse pulls, and never drops it: here the page is sent the events.
      await page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        const send = (selector, ...types) => types.forEach((type) => document.querySelector(selector)
          .dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })));
        send(${JSON.stringify(selector)}, 'dragstart');
        send(${JSON.stringify(to)}, 'dragenter', 'dragover', 'drop');
        send(${JSON.stringify(selector)}, 'dragend');
      })()`);
    },
    work: async () => {
      await page.locator('form button[type=submit]').click();
      return await downloaded(page, folder, async () => {
        await page.locator('.actions .button:nth-child(2)').click();
      });
    },
    download: (press) => downloaded(page, folder, press),
    picture: (name) => picture(page, name),
    expectAccessible: async () => {
      for (const colours of ['light', 'dark']) {
        await theme(colours);
        expect(await violations(page), colours).toEqual([]);
      }
      await theme('light');
    },
    close: async () => {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const isFirefox = (page: Page): boolean => page.browser().process()?.spawnfile.includes('firefox') === true;

/** What axe-core finds. */
export async function violations(page: Page): Promise<unknown> {
  if ((await page.evaluate('typeof axe')) === 'undefined') {
    const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    await page.evaluate(await readFile(source, 'utf8'));
  }
  return await page.evaluate(
    // Colours that are on their way to others are neither.
    `document.getAnimations().forEach((each) => each instanceof CSSTransition && each.finish());
    axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  );
}

/** The browser of the tests downloads nothing: what it is handed is taken. */
async function downloaded(page: Page, folder: string, press: () => Promise<unknown>): Promise<string> {
  await page.evaluate(`(() => {
    window.lastMade = null;
    window.makeUrl ??= URL.createObjectURL;
    URL.createObjectURL = (blob) => ((window.lastMade = blob), window.makeUrl.call(URL, blob));
  })()`);
  await press();
  await page.waitForFunction('window.lastMade !== null');
  // One text: of a list, WebDriver describes each number.
  const address = (await page.evaluate(`new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(window.lastMade);
  })`)) as string;
  const ending = address.startsWith('data:application/zip') ? 'zip' : 'pdf';
  const file = path.join(await mkdtemp(path.join(folder, 'downloads-')), `document.${ending}`);
  await writeFile(file, Buffer.from(address.slice(address.indexOf(',') + 1), 'base64'));
  return file;
}

/** A PDF of pages that say which they are. */
export async function pdfOf({ url, token }: { url: string; token: string }, html: string): Promise<Buffer> {
  const form = new FormData();
  form.set('file_data', new Blob([html]), 'page.html');
  const answer = await fetch(`${url}/v1/render/pdf`, {
    method: 'POST',
    headers: { authorization: token },
    body: form,
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
