import { testEmoji } from '../print/emoji.ts';
import { startWebKit } from './engine.ts';

testEmoji((fetcher) => startWebKit({}, fetcher));
