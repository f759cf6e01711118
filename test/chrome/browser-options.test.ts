import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserOptions, PictureOptions } from '../../packages/print/src/browser-options.ts';
import type { Fetcher } from '../../packages/print/src/fetcher/fetcher.ts';
import { Recorder } from '../../functions/render/report/recorder.ts';
import { type HtmlReader, PLAIN_PAGE, type PrintSession } from '../../packages/print/src/print.ts';
import { document, PICTURE, PLAIN, printOnce, startEngine } from './engine.ts';
import { pdfText } from './pdf.ts';

/** I-53: what the browser is told, waits for and shows. */

const ORDINARY: BrowserOptions = { waitFor: null, media: null, viewport: null, javascript: true };
const told = (given: Partial<BrowserOptions>): { browser: BrowserOptions } => ({
  browser: { ...ORDINARY, ...given },
});
const WINDOW = told({ media: 'screen', viewport: { width: 200, height: 100 } });

/** Answers with what the path says. */
const SITE: Fetcher = {
  fetch: async (url, { credentials } = {}) => {
    const address = new URL(url);
    const status = Number(/^\/(\d{3})$/.exec(address.pathname)?.[1] ?? 200);
    const seen = credentials?.(address) ?? {};
    const headers = { 'content-type': 'text/css', 'access-control-allow-origin': '*' };
    const bytes = Buffer.from(`p::after{content:"${JSON.stringify(seen).replaceAll('"', "'")}"}`);
    return { url, status, headers, bytes };
  },
};

let printer: HtmlReader;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ printer, stop } = await startEngine({ printTimeout: 20_000 }, SITE));
});
afterAll(() => stop());

async function picture(html: string, given: Partial<PictureOptions> = {}, options = WINDOW): Promise<Buffer> {
  const session = printer.session('test');
  try {
    return Buffer.from(
      await session.picture(document(html), { ...PLAIN_PAGE, ...options }, { ...PICTURE, ...given }),
    );
  } finally {
    await session.close();
  }
}

describe('wait_for', () => {
  // The clock of a document runs on while it is waited for.
  const LATE =
    '<p id="a">early</p><script>setTimeout(() => { a.textContent = "late"; a.className = "done" }, 300)</script>';

  it.each([
    ['a selector', { selector: '.done' }],
    ['an expression', { expression: 'a.textContent === "late"' }],
    [
      'a promise',
      { expression: 'new Promise((done) => setInterval(() => { if (a.className) done(true) }, 20))' },
    ],
    ['an expression that fails at first', { expression: 'document.querySelector(".done").id' }],
    ['milliseconds', { milliseconds: 500 }],
    ['all of them', { selector: 'p', expression: 'true', milliseconds: 400 }],
  ])('waits for %s', async (_, waitFor) => {
    // A watch, for which nobody waits by himself.
    const html = LATE.replace('setTimeout', 'window.onload = () => setInterval').replace('300', '1_000');
    const watched = 'milliseconds' in waitFor ? LATE : html;
    const pdf = await printOnce(printer, watched, told({ waitFor }));
    expect(pdfText(pdf)).toContain('late');
  });

  it('refuses an invalid selector and an invalid expression', async () => {
    for (const waitFor of [{ selector: 'p[' }, { expression: 'a ===' }]) {
      await expect(printOnce(printer, '<p>x', told({ waitFor }))).rejects.toMatchObject({
        code: 'invalid_option',
      });
    }
  });

  it('ends at the deadline of the rendering, and the error names the awaited condition', async () => {
    const { printer: shortDeadline, stop: end } = await startEngine({ printTimeout: 1_500 });
    try {
      const failed = printOnce(shortDeadline, '<p>x', told({ waitFor: { selector: '#never' } }));
      await expect(failed).rejects.toMatchObject({
        code: 'deadline_exceeded',
        message: expect.stringContaining('wait_for') as string,
      });
      expect(pdfText(await printOnce(shortDeadline, '<p>next'))).toContain('next');
    } finally {
      await end();
    }
  });
});

describe('the browser', () => {
  const HTML = `<style>@media print{.screen{display:none}}@media screen{.print{display:none}}</style>
    <p class="print">print</p><p class="screen">screen</p><p id="a">none</p><noscript>without</noscript>
    <script>a.textContent = innerWidth + 'x' + innerHeight</script>`;

  it('uses the medium, the window and the script setting of a document for that document alone', async () => {
    const screen = pdfText(await printOnce(printer, HTML, told({ media: 'screen' })));
    expect(screen).toContain('screen');
    expect(screen).not.toContain('print');
    const sized = told({ viewport: { width: 400, height: 300 } });
    expect(pdfText(await printOnce(printer, HTML, sized))).toContain('400x300');
    const still = pdfText(await printOnce(printer, HTML, told({ javascript: false })));
    expect(still).toContain('none');
    expect(still).toContain('without');
    const plain = pdfText(await printOnce(printer, HTML));
    expect(plain).toMatch(/print[^]*718x971/);
    expect(plain).not.toMatch(/screen|without/);
  });

  it('sends headers to matching addresses only, and reports failed requests', async () => {
    const failed: [string, number | null][] = [];
    const messages: string[] = [];
    const html = `<link rel="stylesheet" href="https://a.example/s"><p>seen</p><img src="https://b.example/404">
      <script>console.error('bad', 7); fetch('https://b.example/500').catch(() => {}); nowhere()</script>`;
    const pdf = await printOnce(printer, {
      ...document(html),
      credentials: (url) => (url.host === 'a.example' ? { authorization: 'me' } : {}),
      faults: {
        failed: (address, status) => failed.push([address, status]),
        message: (text) => messages.push(text),
      },
    });
    expect(pdfText(pdf)).toContain("seen{'authorization':'me'}");
    expect(failed.toSorted()).toEqual([
      ['https://b.example/404', 404],
      ['https://b.example/500', 500],
    ]);
    expect(messages).toEqual(['bad 7', expect.stringContaining('nowhere is not defined')]);
  });
});

describe('console messages of scripts', () => {
  const LOGGING = '<p>x<script>console.error("said")</script>';
  /** Prints in one session, so on one page, and gives back what is heard of the document. */
  const messagesOf = async (session: PrintSession, html: string): Promise<string[]> => {
    const messages: string[] = [];
    const faults = { failed: () => {}, message: (text: string) => void messages.push(text) };
    await session.print({ ...document(html), faults }, PLAIN);
    return messages;
  };

  it('are reported for their own document, and for no other one', async () => {
    const session = printer.session('said');
    await session.print(document(LOGGING), PLAIN);
    expect(await messagesOf(session, '<p>silent<script>1</script>')).toEqual([]);
    expect(await messagesOf(session, LOGGING)).toEqual(['said']);
    // A report hears as well; then the page is left, and the next document is heard all the same.
    const observer = new Recorder();
    await session.print({ ...document(LOGGING), observer }, PLAIN);
    await setTimeout(300);
    expect(await messagesOf(session, LOGGING)).toEqual(['said']);
    await session.close();
  });
});

describe('a picture', () => {
  const HTML = `<style>body{margin:0;background:#00f}div{height:400px;width:100px;background:#f00}
    @media print{div{display:none}}</style><div id="red"></div>`;

  it.each(['png', 'jpeg', 'webp'] as const)(
    'as %s shows the whole document as a screen does',
    async (format) => {
      const image = sharp(await picture(HTML, { format, quality: format === 'png' ? null : 80 }));
      expect(await image.metadata()).toMatchObject({ format, width: 200, height: 400 });
      const { data } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
      expect(data[0]).toBeGreaterThan(240);
      expect(data.at(-1)).toBeGreaterThan(240);
    },
  );

  it('shows the viewport, or an element, at any scale', async () => {
    const size = async (given: Partial<PictureOptions>): Promise<[number, number]> => {
      const { width, height } = await sharp(await picture(HTML, given)).metadata();
      return [width, height];
    };
    expect(await size({ fullPage: false })).toEqual([200, 100]);
    expect(await size({ selector: '#red' })).toEqual([100, 400]);
    expect(await size({ fullPage: false, deviceScale: 2 })).toEqual([400, 200]);
    await expect(size({ selector: '#blue' })).rejects.toMatchObject({ code: 'print_failed' });
    await expect(size({ deviceScale: 100 })).rejects.toMatchObject({ code: 'document_too_large' });
  });

  it('has a transparent background on request, and a white one otherwise', async () => {
    const corner = async (transparent: boolean): Promise<number[]> => {
      const { data } = await sharp(await picture('<p>x', { transparent }))
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      return [...data.subarray(0, 4)];
    };
    expect(await corner(true)).toEqual([0, 0, 0, 0]);
    expect(await corner(false)).toEqual([255, 255, 255, 255]);
  });
});
