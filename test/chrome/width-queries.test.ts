import { describe } from 'vitest';
import { testWidthQueries } from '../print/width-queries.ts';
import { startEngine } from './engine.ts';

describe('Chromium', () => {
  testWidthQueries((fetcher) => startEngine({}, fetcher));
});
