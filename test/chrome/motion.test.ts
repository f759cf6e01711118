import { testMotion } from '../print/motion.ts';
import { startEngine } from './engine.ts';

testMotion(() => startEngine());
