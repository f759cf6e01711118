import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Authority, openAuthority } from '../signatures/support.ts';
import { fontOf } from '../support/fonts.ts';
import { openStudio, type OpenStudio, pdfOf } from './studio.ts';

/** What templates share, and the keys that PDFs are signed with: kept, changed, used. */

const service = inject('service');
let studio: OpenStudio;
let authority: Authority;

beforeAll(async () => {
  authority = await openAuthority();
  studio = await openStudio(service);
});
afterAll(async () => {
  await studio.close();
  await authority.close();
});

const api = async (address: string) =>
  await fetch(`${service.url}/v1/${address}`, { headers: { authorization: service.token } });

it('keeps a partial, and deletes it', async () => {
  const { page, go, press, shows, write } = studio;
  await go('library');
  await studio.expectAccessible();
  await press('New partial');
  await page.type('.shelf-new', 'letters/footer.html');
  await write('Name of the partial', '<footer>{{ sender.name }}, {{ sender.city }}</footer>');
  await press('Save');
  await shows("document.querySelector('.shelf-name')?.textContent === 'letters/footer.html'");
  await studio.expectAccessible();
  await studio.picture('library-partials');
  expect(await (await api('partials/letters/footer.html')).text()).toContain('{{ sender.city }}');
  await press('Delete letters/footer.html');
  await page.locator('::-p-xpath(//dialog//button[.="Delete"])').click();
  await shows("document.querySelector('.shelf-name') === null");
  expect((await api('partials/letters/footer.html')).status).toBe(404);
});

it('asks before one leaves an unsaved text', async () => {
  const { page, press, shows, write, tab } = studio;
  await press('New partial');
  await write('Name of the partial', '<p>not saved</p>');
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page.locator('::-p-xpath(//button[@role="tab"][.="Fonts"])').click();
  await shows("document.querySelector('.shelf-new') !== null");
  expect(asked).toHaveLength(1);
  page.once('dialog', (dialog) => void dialog.accept());
  await tab('Fonts');
});

it('keeps a font and shows it as it is printed', async () => {
  const { page, folder, tab, choose, shows } = studio;
  const file = path.join(folder, 'Waladea.ttf');
  await writeFile(file, fontOf('Waladea'));
  await tab('Fonts');
  await choose(file);
  await page.waitForSelector('.fonts canvas');
  expect(await page.$eval('.fonts', (list) => list.textContent)).toContain('Waladea');
  await studio.expectAccessible();
  await studio.picture('library-fonts');
  const bad = path.join(folder, 'bad.ttf');
  await writeFile(bad, 'no font');
  await choose(bad);
  await page.waitForSelector('.fault-box');
  await studio.press('Delete Waladea.ttf');
  await page.locator('::-p-xpath(//dialog//button[.="Delete"])').click();
  await shows("document.querySelector('.fonts li') === null");
});

it('keeps the translations of a locale', async () => {
  const { page, tab, press, shows } = studio;
  await tab('Translations');
  await press('New locale');
  await page.type('.shelf-new', 'nb');
  await press('Save');
  await shows("document.querySelector('.shelf-name')?.textContent === 'nb'");
  await studio.expectAccessible();
  await studio.picture('library-translations');
  expect(await (await api('translations/nb')).text()).toContain('msgid "Invoice"');
});

it('stores a key, signs a PDF with it at a place on its page, and shows who signed', async () => {
  const { page, folder, tab, choose, press, go } = studio;
  const key = path.join(folder, 'seal.p12');
  await writeFile(key, authority.pki.issue('Studio Seal').pkcs12('secret-word'));
  await tab('Keys');
  await page.type('.panel input', 'studio-seal');
  await choose(key);
  await page.type('input[type=password]', 'wrong');
  await press('Save');
  await page.waitForSelector('.fault-box');
  await page.locator('input[type=password]').fill('secret-word');
  await press('Save');
  await page.waitForSelector('.key');
  expect(await page.$eval('.key', (card) => card.textContent)).toContain('Studio Seal');
  await studio.expectAccessible();
  await studio.picture('library-keys');

  const pdf = path.join(folder, 'contract.pdf');
  await writeFile(pdf, await pdfOf(service, '<h1>Contract</h1><p>Between us.</p>'));
  await go('pdf');
  await tab('Sign');
  await choose(pdf);
  await page.waitForSelector('.area-layer');
  await draw([0.55, 0.1], [0.9, 0.16]);
  await page.waitForSelector('.area');
  await page.type('.form-grid .field:nth-child(1) input', 'studio-seal');
  const signed = await studio.work();
  await studio.expectAccessible();
  await studio.picture('pdf-sign');
  await tab('Signatures');
  await choose(signed);
  await page.locator('form button[type=submit]').click();
  await page.waitForSelector('.said');
  await studio.expectAccessible();
  await studio.picture('pdf-signatures');
  expect(await page.$eval('.said', (said) => said.textContent)).toContain('Studio Seal');
});

/** Draws a box on the first page, between places in shares of it. */
async function draw([x1, y1]: [number, number], [x2, y2]: [number, number]): Promise<void> {
  const { page } = studio;
  const sheet = await page.waitForSelector('.area-layer');
  const box = await sheet?.boundingBox();
  if (box == null) throw new Error('no page');
  await page.mouse.move(box.x + box.width * x1, box.y + box.height * y1);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * x2, box.y + box.height * y2, { steps: 5 });
  await page.mouse.up();
}
