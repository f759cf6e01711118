import { testBrowserScripts } from '../print/browser-scripts.ts';
import { startEngine } from './engine.ts';

testBrowserScripts(() => startEngine());
