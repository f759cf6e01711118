import { describe } from 'vitest';
import { testSheet } from '../print/sheet.ts';
import { installed, startWebKit } from './engine.ts';

describe.runIf(installed)('WebKit', () => {
  testSheet((fetcher) => startWebKit({}, fetcher));
});
