/**
 * Prints documents of many scripts again and again in random orders, on fresh and used pages, browsers and processes,
 * with both engines; Chromium takes pictures of them and of their parts in between. Fails when one of them ever looks
 * different.
 *
 *   npm run soak -- scripts --seconds 300 --seed 1 --engine both
 */
import { parseArgs } from 'node:util';
import { setLogLevel } from '../../functions/shared/log.ts';
import { document, PLAIN, startEngine } from '../chrome/engine.ts';
import type { PrintSession, ReadingSession } from '../../packages/print/src/print.ts';
import { drawnDocument, scriptDocuments, shuffled } from '../print/scripts.ts';
import { partsOf, pictureOf, pixelsOf } from '../print/steadiness.ts';
import { Random } from '../support/random.ts';
import { startWebKit } from '../webkit/engine.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', default: 'both' },
  },
});

setLogLevel('error');
const STARTS = {
  chrome: () => startEngine({ documentsPerBrowser: 40 }),
  webkit: () => startWebKit({ documentsPerProcess: 40 }),
};
const engines = (['chrome', 'webkit'] as const).filter((name) => [name, 'both'].includes(values.engine));
if (engines.length === 0) throw new Error('--engine is chrome, webkit or both');

/** As many documents are printed before the engine itself is started anew. */
const PRINTED_BY_ONE = 100;

let failures = 0;
for (const engine of engines) {
  const random = new Random(Number(values.seed));
  const end = Date.now() + (Number(values.seconds) * 1000) / engines.length;
  const seen = new Map<string, string>();
  const count = { documents: 0, engines: 0, sessions: 0, pdf: 0, picture: 0, parts: 0 };
  while (Date.now() < end) {
    const { printer, stop } = await STARTS[engine]();
    count.engines++;
    const last = count.documents + PRINTED_BY_ONE;
    while (Date.now() < end && count.documents < last) {
      // A page is kept for its tenant; another tenant gets another one.
      const session = printer.session(`tenant ${random.below(3)}`);
      count.sessions++;
      const order = shuffled(scriptDocuments(), random.below(2 ** 31)).slice(0, 1 + random.below(12));
      for (const { name, html } of order) {
        const [what, pixels] = await lookOf(session, html, random);
        const key = what === 'parts' ? what : `${name}, ${what}`;
        const before = seen.get(key) ?? pixels;
        seen.set(key, before);
        count.documents++;
        count[what]++;
        if (pixels === before) continue;
        failures++;
        console.error(
          `${engine}: "${key}" looks different (document ${count.documents} of seed ${values.seed})`,
        );
      }
      await session.close();
    }
    await stop();
  }
  console.log(
    `${engine}, seed ${values.seed}: ${count.documents} renderings of ${seen.size} kinds (${count.pdf} PDFs, ` +
      `${count.picture} pictures, ${count.parts} documents taken apart) in ${count.sessions} sessions ` +
      `of ${count.engines} engines, ${failures} of them different`,
  );
}
process.exitCode = failures === 0 ? 0 : 1;

/** Prints a document; one in four times it takes a picture of it, or of all parts of one with many drawings. */
async function lookOf(
  session: PrintSession | ReadingSession,
  html: string,
  random: Random,
): Promise<['pdf' | 'picture' | 'parts', string]> {
  const chance = 'picture' in session ? random.below(8) : 7;
  if ('picture' in session && chance === 0) return ['picture', await pictureOf(session, html)];
  if ('picture' in session && chance === 1)
    return ['parts', (await partsOf(session, drawnDocument())).join()];
  return ['pdf', pixelsOf(await session.print(document(html), PLAIN))];
}
