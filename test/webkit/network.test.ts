import { describe } from 'vitest';
import { testNetwork, testOutsideResources } from '../print/network.ts';
import { startWebKit } from './engine.ts';

describe('WebKit', () => {
  testNetwork((fetcher) => startWebKit({}, fetcher));
  testOutsideResources((fetcher) => startWebKit({}, fetcher));
});
