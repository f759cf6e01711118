import { describe } from 'vitest';
import { testFurnitureByPage } from '../print/by-page.ts';
import { startWebKit } from './engine.ts';

describe('WebKit', () => {
  testFurnitureByPage((fetcher) => startWebKit({}, fetcher), { tags: true, namedPages: true });
});
