import { expect, it } from 'vitest';
import { looksOf, testFurnitureByPage } from '../print/by-page.ts';
import { startEngine } from './engine.ts';

testFurnitureByPage(() => startEngine());

it('content that many pages share is drawn once', () => {
  expect(looksOf(1000, { default: 'D', first: 'F' })).toBe(2);
  expect(looksOf(1000, { default: '<i class="pageNumber"></i>', first: 'F' })).toBe(1000);
});
