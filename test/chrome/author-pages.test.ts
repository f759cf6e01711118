import { describe } from 'vitest';
import { testAuthorPages } from '../print/author-pages.ts';
import { startEngine } from './engine.ts';

describe('Chromium', () => {
  testAuthorPages((fetcher) => startEngine({}, fetcher));
});
