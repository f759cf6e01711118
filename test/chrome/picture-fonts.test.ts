import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { document, PICTURE, PLAIN, startEngine } from './engine.ts';
import { pdfText } from './pdf.ts';

/** Chromium forgets the generic families of a page with a picture of it: what is printed afterwards must not know. */

/** Tells what it is set in that says no family, in a language. */
const tells = (language: string): string =>
  `<html lang="${language}"><p id="p">x<script>p.textContent = 'family: ' + getComputedStyle(p).fontFamily</script>`;

let printer: HtmlReader;
let stop: () => Promise<void>;
beforeAll(async () => {
  // One page, which everything comes to.
  ({ printer, stop } = await startEngine({ concurrency: 1 }));
});
afterAll(() => stop());

describe('a document printed after a picture of another one', () => {
  it.each(['en', 'ar', 'ja'])('keeps its font family: %s', async (language) => {
    const session = printer.session(language);
    const family = async (): Promise<string> =>
      pdfText(await session.print(document(tells(language)), PLAIN)).trim();
    try {
      const before = await family();
      expect(before).toMatch(/^family: (?:Tinos|"Noto Sans JP")$/);
      await session.picture(document('<html lang="he"><p>שלום'), PLAIN, PICTURE);
      expect(await family()).toBe(before);
    } finally {
      await session.close();
    }
  });
});
