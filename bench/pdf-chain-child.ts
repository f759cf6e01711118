import { processPdfs, type Step } from '../packages/pdf/src/steps/index.ts';
import { highestMemory } from './figures.ts';

/** A process of pdf-chain.ts that runs steps and has no other data in its memory. */

export const STEPS: readonly Step[] = [
  { name: 'merge', options: {} },
  { name: 'rotate', options: { angle: 90 } },
  { name: 'stamp', options: { text: 'Copy', position: 'top-right', opacity: 0.5 } },
  { name: 'page_numbers', options: {} },
  { name: 'metadata', options: { Title: 'Chain' } },
];

export interface Figures {
  milliseconds: number;
  /** The peak, and the value before any work. */
  peak: number;
  before: number;
}

/** Runs the steps with the given indices. */
async function child([places = '', fonts = '', output = '', ...inputs]: readonly string[]): Promise<void> {
  const before = highestMemory();
  const started = performance.now();
  const steps = places.split(',').flatMap((place) => STEPS[Number(place)] ?? []);
  const task = { output, steps, breakSignatures: false, place: null, fonts };
  await processPdfs({ ...task, inputs: inputs.map((path) => ({ path })) }, { limits: { timeout: 600_000 } });
  const milliseconds = performance.now() - started;
  console.log(JSON.stringify({ milliseconds, peak: highestMemory(), before }));
}

if (import.meta.main) await child(process.argv.slice(2));
