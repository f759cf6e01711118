import { describe } from 'vitest';
import { testAuthorPages } from '../print/author-pages.ts';
import { startWebKit } from './engine.ts';

describe('WebKit', () => {
  testAuthorPages((fetcher) => startWebKit({}, fetcher), { hasKinds: false });
});
