import { describe } from 'vitest';
import { testLivingScripts } from '../print/living-scripts-tests.ts';
import { startWebKit } from './engine.ts';

describe('WebKit', () => {
  testLivingScripts((fetcher) => startWebKit({}, fetcher));
});
