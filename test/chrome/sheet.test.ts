import { testSheet } from '../print/sheet.ts';
import { startEngine } from './engine.ts';

testSheet(() => startEngine());
