import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { launchBrowser } from '../support/browser.ts';
import { serveInProcess, type ServedService } from '../support/served.ts';
import { through, withFolder } from './support.ts';

/** Drawings through the service, beside the picture that Chromium shows on paper. */

let service: ServedService;
let browser: Awaited<ReturnType<typeof launchBrowser>>;

beforeAll(async () => {
  [service, browser] = await Promise.all([serveInProcess(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const drawing = (content: string, attributes = 'width="120" height="80"'): string =>
  `<svg ${NAMESPACES} ${attributes}>${content}</svg>`;

async function printed(svg: string): Promise<{ pdf: Buffer; warning: string }> {
  const form = new FormData();
  form.set('render_options', JSON.stringify({ x: 0, y: 0 }));
  form.set('image', new Blob([svg]), 'drawing.svg');
  const response = await fetch(`${service.url}/v1/render/img`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.token}` },
    body: form,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(bytes.toString());
  return { pdf: bytes, warning: response.headers.get('Warning') ?? '' };
}

/** The upper left corner of the page, as the drawing is natural size there. */
async function pixels(pdf: Buffer, width: number, height: number): Promise<Buffer> {
  const area = ['-x', '0', '-y', '0', '-W', String(width), '-H', String(height)];
  const bytes = await withFolder((folder) => {
    const [file, picture] = [join(folder, 'in.pdf'), join(folder, 'out')];
    writeFileSync(file, pdf);
    execFileSync('pdftocairo', ['-png', '-r', '96', '-singlefile', ...area, file, picture]);
    return readFileSync(`${picture}.png`);
  });
  return await sharp(bytes).flatten({ background: '#fff' }).removeAlpha().raw().toBuffer();
}

async function shown(svg: string, width: number, height: number): Promise<Buffer> {
  const page = await browser.browser.newPage();
  await page.setViewport({ width, height });
  await page.emulateMediaType('print');
  const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  await page.setContent(`<body style="margin:0"><img style="display:block" src="${address}">`);
  const bytes = await page.screenshot();
  await page.close();
  return await sharp(Buffer.from(bytes)).removeAlpha().raw().toBuffer();
}

/** The share of pixels that differ by more than a rounded edge. */
function difference(a: Buffer, b: Buffer): number {
  let different = 0;
  for (let at = 0; at < a.length; at += 3) {
    const most = Math.max(...[0, 1, 2].map((i) => Math.abs((a[at + i] ?? 0) - (b[at + i] ?? 0))));
    if (most > 60) different += 1;
  }
  return different / (a.length / 3);
}

const BOX = '<rect x="40" y="20" width="40" height="30" ';

describe('an SVG as Chromium draws it (I-23)', () => {
  it.each([
    ['rgb() with blanks and an opacity', drawing(`${BOX} fill="rgb(255 0 0 / 50%)"/>`)],
    ['hsl() with an opacity', drawing(`${BOX} fill="hsl(120deg 100% 30% / .5)"/>`)],
    [
      'oklch(), color(), lab(), hwb()',
      drawing(
        `${BOX} fill="oklch(70% .15 200)"/><rect width="9" height="9" fill="color(display-p3 1 0 0)"/><rect x="10" width="9" height="9" fill="lab(50% 40 59.5)"/><rect x="20" width="9" height="9" style="fill:hwb(194 0% 0%)"/>`,
      ),
    ],
    [
      'stop-color and flood-color',
      drawing(
        `<linearGradient id="g"><stop stop-color="rgb(0 128 0 / 80%)"/><stop offset="1" stop-color="oklch(60% .2 30)"/></linearGradient>${BOX} fill="url(#g)"/>`,
      ),
    ],
    [
      'custom properties with a fallback',
      drawing(
        `<style>:root{--a:teal}g{--b:var(--a)}rect{fill:var(--b);stroke:var(--none, red)}</style><g>${BOX}/></g>`,
      ),
    ],
    [
      'transform and its origin',
      drawing(`${BOX} style="transform:rotate(20deg);transform-origin:60px 35px" fill="purple"/>`),
    ],
    [
      'a transform in its own box',
      drawing(
        `${BOX} style="transform-box:fill-box;transform-origin:center;transform:rotate(.125turn) scale(80%)"/>`,
      ),
    ],
    [
      'translate, rotate and scale as properties',
      drawing(`${BOX} style="translate:10px 5%;rotate:15deg;scale:.7"/>`),
    ],
    ['an origin beside an attribute', drawing(`${BOX} transform="rotate(30)" transform-origin="center"/>`)],
    [
      'a transform of a gradient',
      drawing(
        `<linearGradient id="g" style="transform:rotate(90deg);transform-origin:.5px .5px"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>${BOX} fill="url(#g)"/>`,
      ),
    ],
    [
      'geometry',
      drawing(
        '<style>rect{x:30px;y:1cm;width:40px;height:20px;rx:8px}circle{cx:80px;cy:50px;r:15px}</style><rect fill="teal"/><circle fill="gold"/>',
      ),
    ],
    ['d as a property', drawing(`<path style="d:path('M10 10h60v40z')" fill="navy"/>`)],
    [
      'numbers without a unit, which are not valid',
      drawing('<style>rect{width:90}</style><rect width="30" height="30"/>'),
    ],
    [
      ':nth-child, :not, :is',
      drawing(
        '<style>rect:nth-child(2n+1){fill:red}rect:not(.a):is(#b){fill:lime}</style><rect width="20" height="20"/><rect x="30" width="20" height="20" id="b"/><rect x="60" class="a" width="20" height="20" fill="blue"/>',
      ),
    ],
    [
      'the order of the cascade',
      drawing(
        '<style>#a{fill:red}.b{fill:lime!important}rect{fill:blue}@layer x{.b{stroke:red!important}}</style><rect id="a" class="b" width="40" height="40" style="fill:black" fill="gray"/>',
      ),
    ],
    [
      '@media as in a picture',
      drawing(
        '<style>@media screen{rect{fill:red}}@media print{rect{fill:lime}}@media (prefers-color-scheme:dark){rect{fill:black}}</style><rect width="40" height="40"/>',
      ),
    ],
    [
      'a background of the root',
      drawing(`${BOX} fill="red"/>`, 'width="120" height="80" viewBox="0 0 60 80" style="background:#cdf"'),
    ],
    [
      'entities of Illustrator',
      `<!DOCTYPE svg [<!ENTITY c "#0a0"><!ENTITY s "fill:&c;">]>${drawing(`${BOX} style="&s;"/>`)}`,
    ],
    [
      'a foreign object',
      drawing(
        '<foreignObject width="120" height="80"><div xmlns="http://www.w3.org/1999/xhtml" style="width:70px;height:50px;background:teal"></div></foreignObject>',
      ),
    ],
    [
      'a stroke that does not scale',
      drawing(
        '<g transform="scale(8)"><path d="M2 2h8v5" stroke="red" stroke-width="3" fill="none" vector-effect="non-scaling-stroke"/></g>',
      ),
    ],
    [
      'bold and italic parts of a text',
      drawing(
        '<g font-family="Arial" font-size="40"><text y="300" font-weight="bold">MIN</text><text x="2" y="70">I<tspan font-weight="bold">M</tspan><tspan font-style="italic">IN</tspan></text></g>',
      ),
    ],
    ['a text without a size', drawing('<text y="20" transform="scale(3)" font-family="Arial">MM</text>')],
    [
      'sizes of text by keywords, and relative to others',
      drawing(
        '<g font-family="Arial" font-size="2em"><text y="20" font-size="50%">MMMM</text><text y="50" font-size="x-large">MM</text><text y="75" style="font-size:smaller">MM</text></g>',
      ),
    ],
    ['a size after `font`', drawing('<text y="60" style="font:9px Arial;font-size:60px">MM</text>')],
    [
      'lengths in em, rem and Q',
      drawing(
        '<rect x=".5em" y="1REM" width="40Q" height="2em"/><path d="M0 60h90" stroke="red" style="stroke-width:1rem"/>',
        'width="120" height="80" font-size="20"',
      ),
    ],
    ['a size in em', drawing(`${BOX}/>`, 'width="7.5em" height="5em" viewBox="0 0 80 60"')],
    ['a width alone', drawing(`${BOX}/>`, 'width="120" viewBox="0 0 90 60"')],
    [
      'a height beside a width of `auto`',
      drawing(`${BOX}/>`, 'width="auto" height="80" viewBox="0 0 90 60"'),
    ],
    ['a width beside a height of 100%', drawing(`${BOX}/>`, 'width="120" height="100%" viewBox="0 0 90 60"')],
    ['no size at all', drawing('<rect width="80%" height="40%"/>', '')],
    [
      'a symbol with percentages',
      drawing(
        '<symbol id="s" viewBox="0 0 9 9"><rect width="9" height="9" fill="teal"/></symbol><use href="#s" x="50%" y="10%" width="40%" height="80%"/>',
      ),
    ],
    [
      'a symbol with its own place and size',
      drawing(
        '<symbol id="s" x="5" y="9" width="25%" height="30" viewBox="0 0 9 9"><rect width="9" height="9"/></symbol><use href="#s"/><use href="#s" x="60" width="30"/>',
      ),
    ],
    [
      'the transform of a gradient and a pattern that others refer to',
      drawing(
        '<linearGradient id="a" gradientTransform="rotate(90)"><stop stop-color="gold"/><stop offset="1" stop-color="navy"/></linearGradient><linearGradient id="b" xlink:href="#a"/><radialGradient id="c" href="#b"/><pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="10" height="20"/></pattern><pattern id="q" href="#p" x="2"/><rect width="50" height="40" fill="url(#b)"/><rect x="60" width="50" height="40" fill="url(#c)"/><rect y="40" width="120" height="40" fill="url(#q)"/>',
      ),
    ],
    [
      'a focus with a radius',
      drawing(
        '<radialGradient id="g" fr=".3"><stop stop-color="#fff"/><stop offset="1"/></radialGradient><rect width="80" height="80" fill="url(#g)"/>',
      ),
    ],
    ['lengths of the viewport', drawing('<rect x="10vw" y="25vh" width="calc(100% - 40px)" height="20"/>')],
    [
      'white space that is kept',
      drawing('<text y="40" font-size="32" style="white-space:pre">     MM</text>'),
    ],
    [
      'small capitals',
      drawing('<text y="60" font-size="50" font-family="Arial" style="font-variant:small-caps">mmm</text>'),
    ],
    [
      'text of a drawing within it',
      drawing(
        `<image width="120" height="80" href="data:image/svg+xml,${encodeURIComponent(drawing('<text y="50" font-size="50" font-family="Arial">MMM</text>'))}"/>`,
      ),
    ],
    [
      'a clip path of a shape',
      drawing('<rect width="100" height="70" fill="teal" style="clip-path:circle(25px at 50px 35px)"/>'),
    ],
  ])('%s', async (_, svg) => {
    const { pdf, warning } = await printed(svg);
    expect(warning).toBe('');
    const [ours, right] = [await pixels(pdf, 120, 80), await shown(svg, 120, 80)];
    expect(difference(ours, right)).toBeLessThan(0.03);
  });

  it('has text in bold Latin beside Japanese, in its own family', async () => {
    const { pdf } = await printed(
      drawing('<text x="5" y="30" font-family="Times New Roman" font-weight="bold">Bold 日本語かな</text>'),
    );
    const { stdout } = await through('pdffonts', ['{in}'], pdf);
    expect(stdout).toMatch(/Tinos-Bold/);
    expect(stdout).toMatch(/NotoSansJP-Bold/);
  });

  it('keeps the families of a text in two scripts where another text has all of its letters in one', async () => {
    const { pdf, warning } = await printed(
      drawing(
        '<text y="20" font-family="Noto Sans JP">Ja 日本</text><text y="50" font-family="Times New Roman">Ja 日本</text>',
      ),
    );
    expect(warning).toBe('');
    const { stdout } = await through('pdffonts', ['{in}'], pdf);
    expect(stdout).toMatch(/Tinos/);
  });

  it('has text in scripts whose letters change their order, and emoji, as the browser sets it', async () => {
    const svg = drawing('<text x="5" y="40" font-size="24" font-family="Arial">নমস্তে 😀</text>');
    const { pdf, warning } = await printed(svg);
    expect(warning).toBe('');
    const { stdout } = await through('pdftotext', ['{in}', '-'], pdf);
    expect(stdout).toContain('নম');
    const fonts = await through('pdffonts', ['{in}'], pdf);
    expect(fonts.stdout).toMatch(/Bengali/);
    // The browser draws glyphs in colour as Type 3.
    expect(fonts.stdout).toMatch(/Type 3/);
  });

  it.each(['Exo 2', 'Press Start 2P', 'My Own Font'])(
    'names the missing family %s, and draws its text',
    async (family) => {
      const { pdf, warning } = await printed(
        drawing(`<text x="5" y="30" font-family="${family}">Shown</text>`),
      );
      expect(warning).toContain(family);
      const { stdout } = await through('pdftotext', ['{in}', '-'], pdf);
      expect(stdout).toContain('Shown');
    },
  );

  it('takes `Arial;` for Arial', async () => {
    const { pdf, warning } = await printed(drawing('<text x="5" y="30" font-family="Arial;">Shown</text>'));
    expect(warning).toBe('');
    const { stdout } = await through('pdffonts', ['{in}'], pdf);
    expect(stdout).toContain('Arimo-Regular');
  });

  it.each([
    ['a file beside it', '<image href="photo.png" width="9" height="9"/>', 'photo.png'],
    ['an animation', `${BOX}><animate attributeName="x" from="0" to="9" dur="1s"/></rect>`, 'animations'],
    ['a style sheet beside it', '<style>@import "a.css";</style><rect width="9" height="9"/>', 'a.css'],
    ['a character that no font has', '<text y="20">\u{10ffd}</text>', 'U+10FFD'],
  ])('names %s', async (_, content, name) => {
    const { warning } = await printed(drawing(content));
    expect(warning).toContain(name);
  });
});
