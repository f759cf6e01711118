import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildFontsLayer } from '../../../layers/fonts/build.ts';
import { Engine } from '../../../packages/pdf/src/files/engine.ts';
import { compilePdfium } from '../../../packages/pdf/src/pdfium/binary.ts';
import { compileQpdf } from '../../../packages/pdf/src/files/qpdf.ts';
import type { Step } from '../../../packages/pdf/src/steps/index.ts';
import { runSteps, type StepsDone, type StepsTask } from '../../../packages/pdf/src/steps/run.ts';

const { dist } = await buildFontsLayer();
const FONTS = path.join(dist, 'fonts', 'files');
const binary = await compileQpdf();
const pdfium = await compilePdfium();

/** Carries out steps as the thread does, without one: a thread for each of hundreds of chains takes a minute. */
export async function process(
  task: Pick<StepsTask, 'inputs' | 'output' | 'steps'> & Partial<StepsTask>,
): Promise<StepsDone> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'platen-test-steps-'));
  const rest = { breakSignatures: false, place: 'steps', fonts: FONTS, pdfium, now: '2026-11-22T08:00:00Z' };
  try {
    return await runSteps(new Engine(binary, scratch), { ...rest, ...task });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Carries out steps on files. @returns where the result is */
export async function chain(
  inputs: readonly string[],
  output: string,
  steps: readonly Step[],
): Promise<string> {
  await process({
    inputs: inputs.map((file, index) => ({ path: file, name: `file${index}` })),
    output,
    steps,
  });
  return output;
}
