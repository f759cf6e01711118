import { testHiddenContent } from '../print/hidden-content.ts';
import { startWebKit } from './engine.ts';

testHiddenContent((fetcher) => startWebKit({}, fetcher));
