import { describe } from 'vitest';
import { testBrowserScripts } from '../print/browser-scripts.ts';
import { startWebKit } from './engine.ts';

describe('WebKit', () => {
  testBrowserScripts((fetcher) => startWebKit({}, fetcher));
});
