import { describe } from 'vitest';
import { testNetwork, testOutsideResources } from '../print/network.ts';
import { installed, startWebKit } from './engine.ts';

describe.runIf(installed)('WebKit', () => {
  testNetwork((fetcher) => startWebKit({}, fetcher));
  testOutsideResources((fetcher) => startWebKit({}, fetcher));
});
