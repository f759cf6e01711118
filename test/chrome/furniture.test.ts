import { testFurniture } from '../print/furniture.ts';
import { startEngine } from './engine.ts';

testFurniture(() => startEngine());
