import { describe } from 'vitest';
import { testSheet } from '../print/sheet.ts';
import { startWebKit } from './engine.ts';

describe('WebKit', () => {
  testSheet((fetcher) => startWebKit({}, fetcher));
});
