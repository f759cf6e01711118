import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { mint } from '../api/client.ts';
import { openStudio, type OpenStudio } from './studio.ts';

/** Tokens made, listed and revoked by whoever signed in with the scope for it. */

const service = inject('service');
let studio: OpenStudio;

beforeAll(async () => {
  const token = await mint('--tenant', 'studio', '--name', 'Operator', '--scopes', 'admin,render,pdf');
  studio = await openStudio({ ...service, token });
});
afterAll(async () => await studio.close());

const tokenInfo = async (token: string): Promise<Response> =>
  await fetch(`${service.url}/v1/token`, { headers: { authorization: token } });

it('makes a token, shows it once, and revokes it', async () => {
  const { page, go, press, shows } = studio;
  await go('settings');
  await page.waitForSelector('.tokens .job');
  await studio.expectAccessible();
  // Nothing is offered that the token in hand has not.
  expect(await page.$$eval('.tokens .check', (boxes) => boxes.map((box) => box.textContent))).toEqual([
    'admin',
    'render',
    'pdf',
  ]);
  await page.type('.tokens input', '<img src=x onerror=alert(1)> shop');
  await page.locator('::-p-xpath(//label[.="render"])').click();
  await press('Create a token');
  await page.waitForSelector('.tokens .made code');
  await studio.expectAccessible();
  await studio.picture('tokens');
  const token = await page.$eval('.tokens .made code', (code) => code.textContent ?? '');
  expect(await (await tokenInfo(token)).json()).toMatchObject({ tenant: 'studio', scopes: ['render'] });
  expect(page.url()).not.toContain(token);

  await go('jobs');
  await go('settings');
  await page.waitForSelector('.tokens .job:nth-child(2)');
  expect(await page.$eval('.tokens', (list) => list.innerHTML)).not.toContain(token);
  expect(await page.$('.tokens img')).toBeNull();
  await press('Revoke <img src=x onerror=alert(1)> shop');
  await studio.expectAccessible();
  await page.locator('::-p-xpath(//dialog//button[.="Revoke"])').click();
  await shows("document.querySelector('.tokens .badge.fault')?.textContent === 'Revoked'");
});

it('explains how to create a token with the required scope', async () => {
  const { page, press, shows } = studio;
  await press('Sign out');
  await page.waitForSelector('input[name=token]');
  await page.type('input[name=token]', service.token);
  await page.keyboard.press('Enter');
  await shows("document.querySelector('.panel pre')?.textContent.includes('--scopes admin') === true");
  expect(await page.$('.tokens')).toBeNull();
});
