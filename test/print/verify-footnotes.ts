/**
 * Checks the footnotes of generated texts: each must stand at the foot of the page of its call, below all text.
 *
 *   npm run verify -- footnotes [texts] [first] [blocks of each]
 */
import { writeFile } from 'node:fs/promises';
import { document, PLAIN, startEngine } from '../chrome/engine.ts';
import { notedTextOf, noteFaults } from './footnotes.ts';

const count = Number(process.argv[2] ?? 50);
const first = Number(process.argv[3] ?? 1);
const most = process.argv[4] === undefined ? null : Number(process.argv[4]);
const { printer, stop } = await startEngine();
let wrong = 0;
let notes = 0;
try {
  for (let seed = first; seed < first + count; seed++) {
    const text = notedTextOf(seed, most);
    const warnings: string[] = [];
    const session = printer.session('notes');
    const pdf = await session.print(
      { ...document(text.html), warn: (warning) => void warnings.push(warning) },
      PLAIN,
    );
    await session.close();
    const faults = [...warnings, ...noteFaults(text, pdf)];
    notes += text.count;
    if (faults.length > 0) {
      wrong += 1;
      console.log(`${seed}: ${faults.join('; ')}`);
      if (process.env['KEEP'] !== undefined) await writeFile(`${process.env['KEEP']}-${seed}.pdf`, pdf);
    }
  }
  console.log(`${count} texts with ${notes} notes: ${wrong} with faults`);
} finally {
  await stop();
}
process.exitCode = wrong === 0 ? 0 : 1;
