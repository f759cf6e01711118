import { testEmoji } from '../print/emoji.ts';
import { startEngine } from './engine.ts';

testEmoji(() => startEngine());
