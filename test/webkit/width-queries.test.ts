import { describe } from 'vitest';
import { testWidthQueries } from '../print/width-queries.ts';
import { startWebKit } from './engine.ts';

describe('WebKit', () => {
  testWidthQueries((fetcher) => startWebKit({}, fetcher));
});
