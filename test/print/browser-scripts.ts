import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { printOnce } from '../chrome/engine.ts';
import { pdfText } from '../chrome/pdf.ts';
import type { Start } from './engine.ts';

/** Tests that scripts of documents have what browsers give them; all engines must pass them. */
export function testBrowserScripts(start: Start): void {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await start());
  });
  afterAll(() => stop());

  const textOf = async (script: string): Promise<string> =>
    pdfText(await printOnce(printer, `<p id="p">unset</p><script>${script}</script>`)).trim();

  describe('the language of the browser', () => {
    it('is a language tag (BCP 47), with which numbers are formatted', async () => {
      const format = `new Intl.NumberFormat(navigator.language, { style: 'currency', currency: 'EUR' }).format(1234.5)`;
      const script = `p.textContent = [...navigator.languages, navigator.language, ${format}].join(' ')`;
      expect(await textOf(script)).toBe('en-US en-US €1,234.50');
    });

    it('is that of numbers and dates without a language', async () => {
      const values = `(1234567.8).toLocaleString(), new Date(0).toLocaleDateString(), ['b', 'B', 'a'].sort(Intl.Collator().compare)`;
      expect(await textOf(`p.textContent = [${values}].join(' ')`)).toBe('1,234,567.8 1/1/1970 a,b,B');
    });
  });

  describe('the answer of a worker', () => {
    const worker = (body: string): string =>
      `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(body)}])))`;
    const SLOW = 'const end = Date.now() + 300; while (Date.now() < end);';

    it('is waited for after its start, and after each message to it', async () => {
      const body = `${SLOW} postMessage('ready'); onmessage = ({ data }) => { ${SLOW} postMessage(data * 2) }`;
      const script = `const worker = ${worker(body)};
        worker.onmessage = ({ data }) => { p.textContent = data; if (data === 'ready') worker.postMessage(21) }`;
      expect(await textOf(script)).toBe('42');
    });

    it('comes before timers that give it up', async () => {
      const script = `const late = setTimeout(() => { p.textContent = 'late' }, 5000);
        ${worker(`${SLOW} postMessage('in time')`)}.onmessage = ({ data }) => { clearTimeout(late); p.textContent = data }`;
      expect(await textOf(script)).toBe('in time');
    });

    it('is not waited for forever, nor in place of timers', async () => {
      const script = `${worker('')}.postMessage(1); setTimeout(() => { p.textContent = 'timer' }, 3000)`;
      expect(await textOf(script)).toBe('timer');
    });
  });
}
