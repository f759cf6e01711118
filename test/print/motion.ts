import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { PLAIN, printOnce } from '../chrome/engine.ts';
import { pdfRaster, pdfText } from '../chrome/pdf.ts';
import type { Start } from './engine.ts';

const library = (name: string, file: string): string =>
  readFileSync(fileURLToPath(new URL(file, import.meta.resolve(name))), 'utf8');

/**
 * The body of a document: bars in an element of 400 by 300 pixels, with values from 0 to 20, in thirds of its width.
 */
const CHARTS: Readonly<Record<string, (values: string) => string>> = {
  'Chart.js': (values) => `
    <div style="width:400px;height:300px"><canvas id="c"></canvas></div><script>${library('chart.js', './chart.umd.js')}</script>
    <script>
      new Chart(document.getElementById('c'), { type: 'bar',
        data: { labels: ['a', 'b', 'c'], datasets: [{ data: ${values}, backgroundColor: '#f00' }] },
        options: { maintainAspectRatio: false, plugins: { legend: { display: false } },
          scales: { x: { display: false }, y: { display: false, min: 0, max: 20 } } } });
    </script>`,
  ECharts: (values) => `
    <div id="e" style="width:400px;height:300px"></div><script>${library('echarts/package.json', './dist/echarts.min.js')}</script>
    <script>
      echarts.init(document.getElementById('e')).setOption({ grid: { left: 0, right: 0, top: 0, bottom: 0 },
        xAxis: { show: false, data: ['a', 'b', 'c'] }, yAxis: { show: false, min: 0, max: 20 }, animationDuration: 2000,
        series: [{ type: 'bar', data: ${values}, itemStyle: { color: '#f00' } }] });
    </script>`,
};

/** A page without margins; one CSS pixel is one pixel of the raster. */
const FULL = { margins: { top: 0, right: 0, bottom: 0, left: 0 } };
const RED = ([r, g, b]: [number, number, number]): boolean => r > 200 && g < 80 && b < 80;

/** Tests that printing waits for the end of animations; all engines must pass them. */
export function testMotion(start: Start): void {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await start());
  });
  afterAll(() => stop());

  const print = (html: string): Promise<Uint8Array> =>
    printOnce(printer, `<!doctype html><style>body{margin:0}</style>${html}`, { ...PLAIN, ...FULL });
  const redBox = async (html: string): Promise<{ width: number; height: number } | null> => {
    const box = (await pdfRaster(await print(html), 1, 96)).box(RED);
    return box && { width: box.right - box.left + 1, height: box.bottom - box.top + 1 };
  };
  const redWidth = async (html: string): Promise<number | undefined> => (await redBox(html))?.width;
  const BAR = '<div id="bar" style="background:#f00;height:20px;width:10px"></div>';

  describe('what moves has come to rest', () => {
    it.each(Object.entries(CHARTS))(
      'in a chart of %s, whose bars are as high as their values',
      async (_, chart) => {
        const page = await pdfRaster(await print(chart('[12, 19, 7]')), 1, 96);
        const heights = [67, 200, 333].map((x) => {
          let count = 0;
          for (let y = 0; y < 300; y++) if (RED(page.at(x, y))) count++;
          return count;
        });
        for (const [index, value] of [12, 19, 7].entries())
          expect(Math.abs((heights[index] ?? 0) - (value / 20) * 300)).toBeLessThan(4);
      },
    );

    it.each([
      [
        'frames',
        `const begin = performance.now();
         const step = (time) => {
           const part = Math.min(1, (time - begin) / 1500);
           bar.style.width = 10 + 190 * part + 'px';
           if (part < 1) requestAnimationFrame(step);
         };
         requestAnimationFrame(step);`,
      ],
      [
        'an interval that ends',
        `let width = 10;
         const id = setInterval(() => { width += 1; bar.style.width = width + 'px'; if (width === 200) clearInterval(id); }, 20);`,
      ],
      [
        'timers that start one another, and the date',
        `const begin = Date.now();
         const step = () => {
           const part = Math.min(1, (new Date() - begin) / 3000);
           bar.style.width = 10 + 190 * part + 'px';
           if (part < 1) setTimeout(step, 50);
         };
         step();`,
      ],
      ['a single timer of five seconds', `setTimeout(() => { bar.style.width = '200px'; }, 5000);`],
      [
        'an animation of the document, which says when it has ended',
        `bar.animate([{ marginLeft: 0 }, { marginLeft: '50px' }], 800).finished.then(() => { bar.style.width = '200px'; });`,
      ],
      [
        'a transition, and what its end starts',
        `bar.style.transition = 'width 2s'; bar.getBoundingClientRect(); bar.style.width = '100px';
         bar.addEventListener('transitionend', () => setTimeout(() => {
           bar.style.transition = 'none'; bar.style.width = '200px';
         }, 300), { once: true });`,
      ],
      [
        'something that a message starts',
        `const { port1, port2 } = new MessageChannel();
         port1.onmessage = () => setTimeout(() => { bar.style.width = '200px'; }, 700);
         setTimeout(() => port2.postMessage(1), 400);`,
      ],
    ])('after %s', async (_, script) => {
      expect(
        await redWidth(`${BAR}<script>const bar = document.getElementById('bar');${script}</script>`),
      ).toBe(200);
    });

    it('in styles and drawings of documents without scripts', async () => {
      const styles = '<style>@keyframes grow{to{width:200px}} #bar{animation:grow 3s 1s forwards}</style>';
      expect(await redWidth(styles + BAR)).toBe(200);
      const drawing = (animation: string): string =>
        `<svg width="300" height="30"><rect width="10" height="20" fill="#f00">${animation}</rect></svg>`;
      const frozen =
        '<animate attributeName="width" from="10" to="200" begin="0.5s" dur="2s" fill="freeze"/>';
      expect(await redWidth(drawing(frozen))).toBe(200);
    });

    it('in a frame of the document', async () => {
      const inner = `${BAR}<script>setTimeout(() => { document.getElementById('bar').style.width = '200px'; }, 1200)</script>`;
      const frame = `<iframe style="border:0" srcdoc="${inner.replaceAll('"', '&quot;')}"></iframe>`;
      expect(await redWidth(frame)).toBe(200);
    });
  });

  describe('what never comes to rest holds up nobody', () => {
    it.each([
      ['frames', `const step = () => { n += 1; requestAnimationFrame(step); }; step();`],
      ['an interval', `setInterval(() => { n += 1; }, 10);`],
      ['a watch', `setInterval(() => { n += 1; document.title = new Date().toISOString(); }, 1000);`],
      [
        'waiting by looking at the clock',
        `setTimeout(() => { const end = Date.now() + 20; while (Date.now() < end); const last = performance.now() + 20; while (performance.now() < last); }, 50);`,
      ],
      ['timers', `const step = () => { n += 1; setTimeout(step); }; step();`],
      [
        'an animation',
        `document.body.animate([{ color: 'red' }, { color: 'blue' }], { duration: 500, iterations: Infinity });`,
      ],
    ])('with %s', async (_, script) => {
      const html = `<p>the text<script>let n = 0; ${script}</script>`;
      const begin = performance.now();
      expect(pdfText(await print(html))).toContain('the text');
      // The deadline of a document is 30 s.
      expect(performance.now() - begin).toBeLessThan(20_000);
    });

    it('and is printed as it begins', async () => {
      const styles =
        '<style>@keyframes pulse{from{width:100px}to{width:200px}} #bar{animation:pulse 1s infinite}</style>';
      expect(await redWidth(styles + BAR)).toBe(100);
    });
  });

  it('a document finds the clock as it is', async () => {
    const script = `
      const now = Date.now();
      const told = [
        new Date().constructor === Date, new Date() instanceof Date, Math.abs(new Date() - now) < 60000,
        typeof Date() === 'string', Date.UTC(2026, 0) === Number(new Date('2026-01-01T00:00:00Z')),
        new (class extends Date {})(0).getTime() === 0, performance.now() > 0, Number.isInteger(Date.now()),
        typeof setTimeout('') === 'number', clearTimeout(undefined) === undefined,
      ];
      document.body.append(told.every(Boolean) ? 'all true' : told.join(' '));`;
    expect(pdfText(await print(`<body><script>${script}</script>`))).toContain('all true');
  });

  it('a canvas keeps the colour behind what is drawn on it', async () => {
    const canvas = '<canvas id="c" width="200" height="100" style="display:block;background:#f00"></canvas>';
    const drawn = `${canvas}<script>const x = c.getContext('2d'); x.fillStyle = '#00f'; x.fillRect(50, 20, 20, 20)</script>`;
    const page = await pdfRaster(await print(drawn), 1, 96);
    expect(page.box(RED)).toEqual({ left: 0, top: 0, right: 199, bottom: 99 });
    expect(page.at(60, 30)).toEqual([0, 0, 255]);
  });
}
