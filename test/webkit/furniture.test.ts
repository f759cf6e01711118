import { describe } from 'vitest';
import { testFurniture } from '../print/furniture.ts';
import { installed, startWebKit } from './engine.ts';

describe.runIf(installed)('WebKit', () => {
  testFurniture((fetcher) => startWebKit({}, fetcher), { tagsAndLinks: true, joinedText: true });
});
