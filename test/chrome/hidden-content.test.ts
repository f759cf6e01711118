import { testHiddenContent } from '../print/hidden-content.ts';
import { startEngine } from './engine.ts';

testHiddenContent(() => startEngine());
