import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServedService, serveInProcess } from '../support/served.ts';
import { openStudio, type OpenStudio } from './studio.ts';

/** Previews that a key has made out of date, in the browser and in the functions' own log. */

/** How long the page of the test is busy, if nobody ends it: less than a function has. */
const BUSY_MS = 20_000;

let service: ServedService;
let studio: OpenStudio;

beforeAll(async () => {
  service = await serveInProcess([], { PLATEN_LOG_LEVEL: 'info' });
  studio = await openStudio(service);
});
afterAll(async () => {
  await studio.close();
  await service.stop();
});

/** Statuses of the renderings that the service has come to an end with. */
const renderings = (): number[] =>
  Array.from(service.output().matchAll(/ resource=\/v1\/render\/\{format\} status=(\d+)/g), ([, status]) =>
    Number(status),
  );

it('are given up by the service too, in the middle of a page, which is not waited for', async () => {
  const { page, go, press, shows, write } = studio;
  await go('templates');
  await press('New template');
  await page.waitForSelector('dialog .gallery button');
  await page.locator('::-p-xpath(//dialog//button[.//*[.="Blank page"]])').click();
  await page.waitForSelector('.pdf-layer canvas');
  await press('Code');
  // Looked for in every frame: what happens in a shadow tree wakes nobody who waits outside of it.
  await page.waitForSelector('>>> .cm-content[aria-label="Template"]', { visible: true });
  await expect.poll(() => renderings().length, { timeout: 60_000 }).toBeGreaterThan(0);
  expect(renderings()).not.toContain(504);

  const begun = page.waitForRequest((request) => request.url().endsWith('/v1/render/pdf'));
  await write(
    'Template',
    `<script>for (const end = Date.now() + ${BUSY_MS}; Date.now() < end; );</script><p>Late</p>`,
  );
  await begun;
  // The service is at it by now, or will not begin.
  await pause(2_000);
  await write('Template', '<h1>Newer</h1>');
  await shows(
    "(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes('Newer')",
  );
  // Without being told, the function finishes the busy page, with a 200.
  await expect.poll(() => renderings().includes(504), { timeout: BUSY_MS + 30_000 }).toBe(true);
});
