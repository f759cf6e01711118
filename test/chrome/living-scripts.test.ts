import { testLivingScripts } from '../print/living-scripts-tests.ts';
import { startEngine } from './engine.ts';

testLivingScripts(() => startEngine());
