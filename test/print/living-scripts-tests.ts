import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import type { Start } from './engine.ts';
import { LIVING_SCRIPTS } from './living-scripts.ts';
import { compareScripts, LIKE } from './script-page.ts';

/** Compares a selection of scripts with their pictures by HarfBuzz; `npm run verify:scripts` compares all. */
const SELECTION = [
  'Arabic',
  'NKo',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Ethiopic',
  'Thai',
  'Balinese',
];

export function testLivingScripts(start: Start): void {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await start());
  });
  afterAll(() => stop());

  it('words with marks and conjuncts are set as HarfBuzz sets them with the font of their script', async () => {
    const scripts = LIVING_SCRIPTS.filter(({ name }) => SELECTION.includes(name));
    const compared = await compareScripts(printer, scripts);
    expect(compared.map(({ script }) => script.name).sort()).toEqual(SELECTION.toSorted());
    for (const { script, similarity, boxes } of compared) {
      expect(boxes, script.name).toBe(0);
      expect(similarity, script.name).toBeGreaterThan(LIKE);
    }
  });
}
