import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fontsFor, WHOLE_FONTS } from '../../packages/print/src/webkit/engine/everyday.ts';
import { everydayFamily } from '../../packages/print/src/fonts/everyday.ts';
import { printOnce } from '../chrome/engine.ts';
import { pdfFonts } from '../chrome/pdf.ts';
import { pixelsOf } from '../print/steadiness.ts';
import { startWebKit, type TestEngine } from './engine.ts';

/** Decision record 0082: documents with everyday characters alone are printed with smaller fonts. */

/** The names of a PDF's fonts, without the letters that mark a subset. */
const fontNames = (pdf: Uint8Array): string[] =>
  [...new Set(pdfFonts(pdf).map(({ name }) => name.replace(/^[A-Z]{6}\+/, '')))].sort();

const of = (html: string, css: string | null = null) =>
  fontsFor({
    html,
    files: new Map(
      css === null ? [] : [['a.css', { contentType: 'text/css', bytes: Buffer.from(css) }] as const],
    ),
  });

describe('the fonts of a document', () => {
  it('of everyday characters are the everyday parts', () => {
    const { rules, generic } = of('<p style="font-family:Arial">Wärme – 5&nbsp;€ &#169; “x”\n</p>');
    expect(rules).toContain('font-family:"Arial";src:local("Arimo everyday")');
    expect(rules).not.toContain('Courier');
    expect(generic['sans-serif']).toBe(everydayFamily('Arimo'));
  });

  it('with families that only its style sheets name have parts of these, too', () => {
    expect(of('<p>a', 'p { font-family: courier }').rules).toContain('"Cousine everyday"');
  });

  it.each([
    ['another character', '<p>Привет'],
    ['fonts of its own', '<style>@font-face { font-family: X; src: url(x) }</style><p>a'],
    ['fonts that scripts add', '<script>new FontFace("X", "url(x)")</script><p>a'],
  ])('with %s are the whole ones', (_, html) => {
    expect(of(html)).toEqual(WHOLE_FONTS);
  });

  it('are the whole ones if a style sheet has fonts', () => {
    expect(of('<p>a', '@font-face { font-family: X; src: url(x) }')).toEqual(WHOLE_FONTS);
  });

  it.each([
    ['a script', '<script>document.title = 1</script>'],
    ['an event handler', '<p onclick="x()">a'],
    ['a frame', '<iframe src="x.html"></iframe>'],
    ['a character reference by name', '<p>&Omega;'],
    ['a decimal character reference', '<p>&#1046;'],
    ['a hexadecimal character reference', '<p>&#x416;'],
    ['an escape in its styles', '<style>p::before { content: "\\416" }</style><p>a'],
    ['Greek numbers', '<ol style="list-style: lower-greek"><li>a</ol>'],
  ])('with %s keep the whole generic families', (_, html) => {
    const { rules, generic } = of(html);
    expect(generic).toEqual(WHOLE_FONTS.generic);
    expect(rules).not.toBe('');
  });
});

describe('a document with everyday characters', () => {
  let webkit: TestEngine;
  beforeAll(async () => {
    webkit = await startWebKit();
  });
  afterAll(async () => await webkit.stop());

  const families = [
    'Arial',
    'Helvetica Neue',
    'Times New Roman',
    'Courier',
    'sans-serif',
    'serif',
    'monospace',
  ];
  const text = families
    .map(
      (family) =>
        `<p style="font-family:'Open Sans',${family}">AVATAR To. fi ffl Čeština Wärme ő <b>bold ß</b> <i>italic</i> ` +
        `<b><i>both</i></b> <span style="font-weight:600">600</span> <span style="font-weight:900">900</span> → € “x”</p>`,
    )
    .join('');
  const controls =
    '<p>none <code>code</code> <input value="12"> <textarea>area</textarea> <button>OK</button>';
  const whole = '<!-- @font-face: the whole fonts -->';

  it('has the same pixels as with the whole fonts', { timeout: 60_000 }, async () => {
    const html = `<!doctype html>${text}${controls}`;
    const [small, large] = [
      await printOnce(webkit.printer, html),
      await printOnce(webkit.printer, html + whole),
    ];
    expect(pixelsOf(small)).toBe(pixelsOf(large));
    expect(fontNames(small)).toEqual(fontNames(large));
  });

  it('has characters that come later from the whole fonts', { timeout: 60_000 }, async () => {
    const html =
      `<!doctype html><p style="font-family:Arial">a&#x416; <b>&Omega;</b> <span style="font-family:sans-serif">` +
      `<script>document.write(String.fromCharCode(0x434))</script></span> <em id="x"></em>` +
      `<script>x.textContent = String.fromCharCode(0x42f)</script>`;
    const [small, large] = [
      await printOnce(webkit.printer, html),
      await printOnce(webkit.printer, html + whole),
    ];
    expect(pixelsOf(small)).toBe(pixelsOf(large));
    expect(fontNames(small)).toEqual(['Arimo-Bold', 'Arimo-Italic', 'Arimo-Regular']);
  });
});
