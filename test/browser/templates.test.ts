import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openStudio, type OpenStudio } from './studio.ts';

/** The list of templates: found by their tags, exported and imported. */

const service = inject('service');
let studio: OpenStudio;

beforeAll(async () => {
  for (const [name, tags] of [
    ['Alpha', ['money', 'paper']],
    ['Beta', ['money']],
    ['Gamma', []],
  ] as const)
    await add(name, tags);
  studio = await openStudio(service);
});
afterAll(() => studio.close());

const api = async (address: string, init: RequestInit = {}): Promise<Response> =>
  await fetch(`${service.url}/v1/${address}`, { ...init, headers: { authorization: service.token } });

async function add(name: string, tags: readonly string[]): Promise<void> {
  const body = new FormData();
  body.set('template_data', JSON.stringify({ name, format: 'html', tags }));
  body.set('file_data', new Blob([`<p>${name}</p>`]), 'page.html');
  expect((await api('template', { method: 'POST', body })).status).toBe(200);
}

/** Opens the list anew, with nothing searched for. */
async function list(): Promise<void> {
  await studio.go('jobs');
  await studio.go('templates');
  await studio.shows("document.querySelectorAll('.template-card').length >= 3");
}

const cards = (): Promise<string[]> =>
  studio.page.$$eval('.template-card .card-title', (titles) => titles.map(({ textContent }) => textContent));

it('finds templates by a tag, pressed or typed', async () => {
  const { page, shows } = studio;
  await list();
  await studio.expectAccessible();
  await page.locator('::-p-xpath(//div[@role="group"]/button[.="money"])').click();
  await shows("document.querySelector('.tag[aria-pressed=true]') !== null");
  expect((await cards()).toSorted()).toEqual(['Alpha', 'Beta']);
  // The tag of a card narrows further.
  await page.locator('::-p-xpath(//li//button[.="paper"])').click();
  await shows("document.querySelectorAll('.template-card').length === 1");
  expect(await cards()).toEqual(['Alpha']);
  for (const tag of ['money', 'paper'])
    await page.locator(`::-p-xpath(//div[@role="group"]/button[.="${tag}"])`).click();
  await page.locator('.search input').fill('paper');
  await shows("document.querySelectorAll('.template-card').length === 1");
  expect(await cards()).toEqual(['Alpha']);
});

it('has tags and a description changed among the options, and saved', async () => {
  const { page, tab, press, shows } = studio;
  await list();
  await page.locator('::-p-xpath(//a[.//span[.="Gamma"]])').click();
  await page.waitForSelector('.editor');
  await tab('Options');
  await page.locator('#option-tags').fill('letters, paper , letters');
  await page.locator('#option-description').fill('For whoever writes');
  await studio.expectAccessible();
  await press('Publish');
  await shows("document.querySelector('.editor-head .badge.published') !== null");
  await list();
  await page.locator('::-p-xpath(//div[@role="group"]/button[.="letters"])').click();
  await shows("document.querySelectorAll('.template-card').length === 1");
  const elements = (await (await api('template')).json()) as {
    name: string;
    tags: string[];
    description: string;
  }[];
  expect(elements.find(({ name }) => name === 'Gamma')).toMatchObject({
    tags: ['letters', 'paper'],
    description: 'For whoever writes',
  });
});

it('exports the listed templates, imports them again, and shows the result of each', async () => {
  const { page, press, shows } = studio;
  await list();
  await page.locator('::-p-xpath(//div[@role="group"]/button[.="money"])').click();
  const zip = await studio.download(() => press('Export 2'));
  const elements = (await (await api('template')).json()) as { id: string; name: string }[];
  const beta = elements.find(({ name }) => name === 'Beta');
  await api(`template/${beta?.id}`, { method: 'DELETE' });

  await press('Import');
  const dialog = await page.waitForSelector('dialog input[type=file]');
  await (dialog as unknown as { uploadFile(file: string): Promise<void> }).uploadFile(zip);
  await studio.expectAccessible();
  await page.locator('::-p-xpath(//dialog//footer/button[.="Import"])').click();
  await page.waitForSelector('.outcome li');
  const outcome = await page.$$eval('.outcome li', (items) => items.map(({ textContent }) => textContent));
  expect(outcome.toSorted()).toEqual(['AlphaVersion 1Unchanged', 'BetaVersion 1Added']);
  await studio.expectAccessible();
  await studio.picture('templates-import');
  await press('Close');
  await shows("document.querySelector('dialog') === null");
  await shows("document.querySelectorAll('.template-card').length === 2");
});

it('imports a ZIP that is dropped on the list, and reports a file that is not a ZIP', async () => {
  const { page } = studio;
  await list();
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['no ZIP'], 'broken.zip'));
    document.querySelector('.screen').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  await page.waitForSelector('dialog[open]');
  expect(await page.$eval('dialog .drop-label', (label) => label.textContent)).toBe('broken.zip');
  await page.locator('::-p-xpath(//dialog//footer/button[.="Import"])').click();
  const fault = await page.waitForSelector('dialog .fault-box');
  expect(await fault?.evaluate((box) => box.textContent)).toMatch(/ZIP/);
});

it('duplicates a template with its files, options and samples', async () => {
  const { press, shows } = studio;
  const added = (await (await api('template')).json()) as { id: string; name: string }[];
  const alpha = added.find(({ name }) => name === 'Alpha');
  const style = new FormData();
  style.set('template_data', '{"format":"css","filename":"look.css"}');
  style.set('file_data', new Blob(['p { color: red }']), 'look.css');
  expect((await api(`template/css/${alpha?.id}`, { method: 'POST', body: style })).status).toBe(200);
  const sample = await fetch(`${service.url}/v1/template/${alpha?.id}/samples/one`, {
    method: 'PUT',
    headers: { authorization: service.token, 'content-type': 'application/json' },
    body: '{"a": 1}',
  });
  expect(sample.status).toBe(200);
  await list();
  await press('Duplicate Alpha');
  await shows(
    "Array.from(document.querySelectorAll('.card-title')).some(({ textContent }) => textContent === 'Alpha (copy)')",
  );
  await studio.expectAccessible();
  const [copy] = ((await (await api('template')).json()) as Record<string, unknown>[]).filter(
    ({ name }) => name === 'Alpha (copy)',
  );
  expect(copy).toMatchObject({
    tags: ['money', 'paper'],
    samples: [{ name: 'one' }],
    style_files: [{ filename: 'look.css' }],
  });
  expect(copy?.['id']).not.toBe(alpha?.id);
  const file = await api(`template/file/${String(copy?.['id'])}`);
  expect(await file.text()).toBe('<p>Alpha</p>');
});

it('says “Not saved” only while the text differs, and lists the keys of the editor', async () => {
  const { page, press, shows, write } = studio;
  await list();
  await page.locator('::-p-xpath(//a[.//span[.="Beta"]])').click();
  await page.waitForSelector('.editor');
  await write('Template', '<p>Beta!</p>');
  await shows("document.querySelector('.editor-head .badge.unsaved') !== null");
  await write('Template', '<p>Beta</p>');
  await shows("document.querySelector('.editor-head .badge.unsaved') === null");
  await press('Keys and help');
  await page.waitForSelector('dialog kbd');
  await studio.expectAccessible();
  await studio.picture('editor-keys');
  await page.keyboard.press('Escape');
  await shows("document.querySelector('dialog') === null");
});

it('restores a deleted template, and removes one permanently', async () => {
  const { page, press, shows } = studio;
  await list();
  const has = (name: string): string =>
    `[...document.querySelectorAll('.template-card .card-title')].some(({ textContent }) => textContent === '${name}')`;
  const isDeleted =
    "[...document.querySelectorAll('dialog .job strong')].some(({ textContent }) => textContent === 'Gamma')";
  await press('Delete Gamma');
  await page.locator('dialog .button.danger').click();
  await shows(`!${has('Gamma')}`);
  await press('Deleted templates');
  await page.waitForSelector('dialog .job');
  await studio.expectAccessible();
  await studio.picture('templates-deleted');
  await press('Restore Gamma');
  await shows(has('Gamma'));
  await shows(`!${isDeleted}`);
  await page.keyboard.press('Escape');

  await press('Delete Gamma');
  await page.locator('dialog .button.danger').click();
  await shows(`!${has('Gamma')}`);
  await press('Deleted templates');
  await press('Delete Gamma permanently');
  await page.locator('dialog dialog .button.danger').click();
  await shows(`!${isDeleted}`);
  const left = (await (await api('template/deleted')).json()) as { name: string }[];
  expect(left.map(({ name }) => name)).not.toContain('Gamma');
  await page.keyboard.press('Escape');
});
