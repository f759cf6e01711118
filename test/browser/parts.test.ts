import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openStudio, type OpenStudio } from './studio.ts';

/** One template in the making: each of its parts changed, and seen on the page. */

const service = inject('service');
/** Enter that comes sooner after a list has opened is not meant for it: CodeMirror waits for 75 ms. */
const ATTENTIVE_MS = 200;
let studio: OpenStudio;

beforeAll(async () => {
  studio = await openStudio(service);
  const { page, go, press } = studio;
  await go('templates');
  await press('New template');
  await page.waitForSelector('dialog .gallery button');
  await page.locator('::-p-xpath(//dialog//button[.//*[.="Blank page"]])').click();
  await page.waitForSelector('.editor');
  await press('Code');
});
afterAll(async () => await studio.close());

const api = async (address: string): Promise<Response> =>
  await fetch(`${service.url}/v1/${address}`, { headers: { authorization: service.token } });
const id = (): string => decodeURIComponent(studio.page.url().split('/').at(-1) ?? '');
const isSeen = (words: string): string =>
  `(document.querySelector('.pdf-layer:not(.behind) .pdf-text')?.textContent ?? '').includes(${JSON.stringify(words)})`;
/** Whether the page that is seen has a hundred pixels that are nearly of a colour. */
const hasColour = (red: number, green: number, blue: number): string => `(() => {
  const canvas = document.querySelector('.pdf-layer:not(.behind) canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const near = (at, wanted) => Math.abs(data[at] - wanted) < 12;
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (near(at, ${red}) && near(at + 1, ${green}) && near(at + 2, ${blue})) count++;
  return count > 100;
})()`;
/** Text of the editor of that name. */
const textOf = (label: string): string =>
  `document.querySelector('.parts-pane .code-editor')?.shadowRoot?.querySelector('[aria-label="${label}"]')?.innerText`;

async function control(key: 'End' | ' '): Promise<void> {
  await studio.page.keyboard.down('Control');
  await studio.page.keyboard.press(key);
  await studio.page.keyboard.up('Control');
}

it('shows text, data, header and footer in the preview while one types', async () => {
  const { tab, shows, write } = studio;
  await write(
    'Sample data',
    '{ "number": "2026-1", "customer": { "name": "Ada" }, "items": [{ "price": 12 }] }',
  );
  await write('Template', '<h1>Offer {{ number }}</h1>');
  await shows(isSeen('Offer 2026-1'));
  await tab('Header');
  await write('Header', '<div style="font-size: 9pt">Head of {{ customer.name }}</div>');
  await shows(isSeen('Head of Ada'));
  await tab('Footer');
  await write('Footer', '<div style="font-size: 9pt">Foot <span class="pageNumber"></span></div>');
  await shows(isSeen('Foot 1'));
  await studio.expectAccessible();
});

it('has stylesheets that apply in their order', async () => {
  const { tab, press, shows, write } = studio;
  await tab('Styles');
  await press('Add stylesheet');
  await write('Stylesheet style.css', 'h1 { background: #ff0000 }');
  await shows(hasColour(255, 0, 0));
  await press('Add stylesheet');
  await write('Stylesheet style2.css', 'h1 { background: #0000ff }');
  await shows(hasColour(0, 0, 255));
  await studio.expectAccessible();
});

it('accepts dropped and pasted images, under the names that it shows', async () => {
  const { page, tab, shows, write } = studio;
  await tab('Images');
  const files = `(name, colour) => {
    const transfer = new DataTransfer();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><path fill="' + colour + '" d="M0 0h80v80H0z"/></svg>';
    transfer.items.add(new File([svg], name, { type: 'image/svg+xml' }));
    return transfer;
  }`;
  await page.evaluate(`(() => {
    const dataTransfer = (${files})('dropped.svg', '#00ff00');
    document.querySelector('.images-pane .drop')
      .dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  await shows("document.querySelector('.image-list')?.textContent.includes('{{ dropped }}') === true");
  await page.evaluate(`(() => {
    // Not every browser lets a page say what its own events have in their clipboard.
    const paste = new Event('paste', { bubbles: true });
    Object.defineProperty(paste, 'clipboardData', { value: (${files})('pasted.svg', '#ff00ff') });
    document.body.dispatchEvent(paste);
  })()`);
  await shows("document.querySelector('.image-list')?.textContent.includes('{{ pasted }}') === true");
  await studio.expectAccessible();
  await tab('Template');
  await write(
    'Template',
    '<h1>Offer {{ number }}</h1><img src="{{ dropped }}"><img src="{{ pasted }}"><p>End</p>',
  );
  await shows(hasColour(0, 255, 0));
  await shows(hasColour(255, 0, 255));
});

it('completes names of the data and filters, and closes opened tags', async () => {
  const { page, shows } = studio;
  const open = (name: string): string => `(() => {
    const tip = document.querySelector('.parts-pane .code-editor').shadowRoot.querySelector('.cm-tooltip-autocomplete');
    return tip?.querySelector('[aria-selected=true]')?.textContent.includes('${name}') === true;
  })()`;
  await page.locator('>>> [aria-label="Template"].cm-content').click();
  await control('End');
  await page.keyboard.type('{{ customer.na');
  await control(' ');
  await shows(open('name'));
  await pause(ATTENTIVE_MS);
  await page.keyboard.press('Enter');
  await page.keyboard.type(' | upp');
  await control(' ');
  await shows(open('upper'));
  await pause(ATTENTIVE_MS);
  await page.keyboard.press('Enter');
  await shows(`${textOf('Template')}.replaceAll(' ', '').includes('{{customer.name|upper}}')`);
  await shows(isSeen('ADA'));
  await control('End');
  await page.keyboard.type('<section>');
  await shows(`${textOf('Template')}.endsWith('<section></section>')`);
});

it('inserts a field that is pressed in the form, also when the text is not in sight', async () => {
  const { page, tab, press, shows, write } = studio;
  await write('Template', '<p>Price: </p>');
  await press('Form');
  await studio.expectAccessible();
  await page.locator('.field-name[title="Insert number"]').click();
  await shows(`${textOf('Template')}.includes('{{ number }}')`);
  await tab('Options');
  await page.waitForSelector('#option-paper_format');
  await page.locator('.field-name[title="Insert customer.name"]').click();
  await shows(`(${textOf('Template')} ?? '').includes('{{ customer.name }}')`);
  await shows(isSeen('Ada'));
  await press('JSON');
});

it('opens the line of a fault, in each part', async () => {
  const { page, tab, shows, write } = studio;
  await tab('Header');
  await write('Header', '<p>one</p>');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two {{ number | nofilter');
  await tab('Options');
  await page.waitForSelector('#option-paper_format');
  await page.locator('.faults .link').click();
  await shows(`(() => {
    const editor = document.querySelector('.parts-pane .code-editor')?.shadowRoot;
    return editor?.activeElement != null && editor.querySelector('.cm-activeLine')?.textContent.startsWith('two') === true;
  })()`);
  await write('Header', '<p>Head</p>');
  await shows("document.querySelector('.faults') === null");
});

it('has options that the document keeps', async () => {
  const { page, tab, press, shows, folder } = studio;
  await tab('Options');
  await page.waitForSelector('#option-paper_format');
  await page.select('#option-paper_format', 'A6');
  await page.locator('#option-page_range').fill('1');
  await shows(isSeen('Price'));
  await studio.expectAccessible();
  await press('Publish');
  await page.waitForSelector('.editor-head .badge.published');
  const answer = await fetch(`${service.url}/v1/render/pdf/${id()}`, {
    method: 'POST',
    headers: { authorization: service.token },
    body: new URLSearchParams({ render_data: '{"number": 1, "customer": {"name": "x"}, "items": []}' }),
  });
  const file = path.join(folder, 'options.pdf');
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  expect(execFileSync('pdfinfo', [file], { encoding: 'utf8' })).toMatch(/Page size: +297\.\d+ x 4(19|20)/);
});

it('keeps samples by name, opens them again, and deletes them', async () => {
  const { page, press, shows, write } = studio;
  const isSaved = "!document.querySelector('.data-pane').textContent.includes('Save sample')";
  await press('Save sample');
  await page.locator('.inline-form button').click();
  await shows(isSaved);
  expect(await (await api(`template/${id()}/samples/example`)).json()).toMatchObject({ number: '2026-1' });
  await page.select('.data-pane select', '');
  await write('Sample data', '{ "number": "2027-9", "customer": { "name": "Grace" }, "items": [] }');
  await shows(isSeen('2027-9'));
  await press('Save sample');
  await page.locator('.inline-form input').fill('second');
  await page.keyboard.press('Enter');
  await shows("document.querySelector('.data-pane select').value === 'second'");
  expect(await (await api(`template/${id()}/samples/second`)).json()).toMatchObject({ number: '2027-9' });
  await page.select('.data-pane select', 'example');
  await shows(isSeen('2026-1'));
  await press('Delete this sample');
  await shows("document.querySelector('.data-pane select').value === 'second'");
  await shows(isSeen('2027-9'));
  expect((await api(`template/${id()}/samples/example`)).status).toBe(404);
});

it('has the call for it in four languages, without the token', async () => {
  const { page, tab, press, shows } = studio;
  await tab('As code');
  for (const [language, word] of [
    ['TypeScript', 'new Platen('],
    ['Python', 'import requests'],
    ['Command line', 'platen render'],
    ['curl', 'curl -sS --fail-with-body'],
  ] as const) {
    await press(language);
    await shows(`document.querySelector('.as-code pre')?.textContent.includes('${word}') === true`);
    const code = await page.$eval('.as-code pre', (shown) => shown.textContent);
    expect(code).toContain(id());
    expect(code).not.toContain(service.token);
  }
  await studio.expectAccessible();
});
