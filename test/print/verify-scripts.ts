/**
 * Prints a line in each living script with both engines and compares it with its picture by HarfBuzz and the script's
 * Noto font, and likewise words of letters with random marks in the scripts that have such. Also writes the words with
 * the lowest similarity as pictures, for inspection.
 *
 *   npm run verify -- scripts --out FOLDER --words 20 --seed 1
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { startEngine } from '../chrome/engine.ts';
import { startWebKit } from '../webkit/engine.ts';
import { Random } from '../support/random.ts';
import { LIVING_SCRIPTS } from './living-scripts.ts';
import { markedWords } from './marked-words.ts';
import { compareScripts, LIKE } from './script-page.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    words: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const scripts = [...LIVING_SCRIPTS, ...markedWords(new Random(Number(values.seed)), Number(values.words))];
const engines = { chrome: () => startEngine(), webkit: () => startWebKit() };
let failures = 0;
for (const [engine, start] of Object.entries(engines)) {
  const { printer, stop } = await start();
  try {
    const compared = await compareScripts(printer, scripts);
    for (const { script, similarity, boxes } of compared) {
      const isGood = similarity >= LIKE && boxes === 0;
      if (!isGood) failures++;
      console.log(
        `${engine} ${script.name.padEnd(22)} ${similarity.toFixed(3)}${boxes > 0 ? ` ${boxes} boxes` : ''}${isGood ? '' : '  DIFFERS'}`,
      );
    }
    if (values.out !== undefined) {
      mkdirSync(values.out, { recursive: true });
      for (const { script, printed } of compared)
        await sharp(printed).toFile(path.join(values.out, `${script.name}-${engine}.png`));
    }
  } finally {
    await stop();
  }
}
console.log(
  `${LIVING_SCRIPTS.length} scripts and ${scripts.length - LIVING_SCRIPTS.length} with random marks, two engines: ${failures} lines differ`,
);
process.exitCode = failures === 0 ? 0 : 1;
