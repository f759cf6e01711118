import { describe } from 'vitest';
import { testNetwork, testOutsideResources } from '../print/network.ts';
import { startEngine } from './engine.ts';

describe.each(['multi', 'single'] as const)('Chromium, %s-process', (mode) => {
  testNetwork((fetcher) => startEngine({ mode }, fetcher));
});

describe('Chromium', () => {
  testOutsideResources((fetcher) => startEngine({}, fetcher));
});
