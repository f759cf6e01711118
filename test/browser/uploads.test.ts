import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openStudio, type OpenStudio, pdfOf } from './studio.ts';

/** Files that are larger than a request may be: this service takes no more than API Gateway and Lambda do. */

const service = inject('service');
let studio: OpenStudio;
let large: string;

beforeAll(async () => {
  studio = await openStudio(service);
  const document = await PDFDocument.load(await pdfOf(service, '<h1>Large</h1>'));
  await document.attach(crypto.getRandomValues(new Uint8Array(65_536)), 'noise.bin');
  const noise = Buffer.concat(
    Array.from({ length: 110 }, () => crypto.getRandomValues(new Uint8Array(65_536))),
  );
  await document.attach(noise, 'more.bin');
  large = path.join(studio.folder, 'large.pdf');
  await writeFile(large, await document.save());
  expect(statSync(large).size).toBeGreaterThan(7_000_000);
});
afterAll(async () => await studio.close());

it('sends a PDF of 7 MB to the storage, and works on it', async () => {
  const { page, go, tab, choose } = studio;
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname.replace('/live', ''));
  });
  await go('pdf');
  await tab('Rotate');
  await choose(large);
  const rotated = await studio.work();
  expect(execFileSync('pdftotext', [rotated, '-'], { encoding: 'utf8' })).toContain('Large');
  expect(readFileSync(rotated).length).toBeGreaterThan(7_000_000);
  expect(execFileSync('qpdf', ['--check', rotated], { encoding: 'utf8' })).toContain('No syntax');
  expect(sent.filter((address) => address.startsWith('/v1/'))).toEqual(['/v1/uploads', '/v1/pdf/rotate']);

  // The same file again: it is there already.
  await page.locator('form button[type=submit]').click();
  await expect
    .poll(() => sent.filter((address) => address === '/v1/pdf/rotate').length, { timeout: 60_000 })
    .toBe(2);
  expect(sent.filter((address) => address === '/v1/uploads')).toHaveLength(1);
});
