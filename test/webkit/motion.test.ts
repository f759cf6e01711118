import { describe } from 'vitest';
import { testMotion } from '../print/motion.ts';
import { startWebKit } from './engine.ts';

describe('WebKit', () => {
  testMotion((fetcher) => startWebKit({}, fetcher));
});
