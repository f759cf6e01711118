import { describe } from 'vitest';
import { testFurniture } from '../print/furniture.ts';
import { startWebKit } from './engine.ts';

describe('WebKit', () => {
  testFurniture((fetcher) => startWebKit({}, fetcher), { tagsAndLinks: true, joinedText: true });
});
