import type { RenderOptions } from '../../packages/contract/src/options.ts';
import { describe, expect, it } from 'vitest';
import { documentName, EntryNames } from '../../functions/render/naming.ts';
import { baseName } from '../../packages/core/src/file-name.ts';
import { outputFormat } from '../../functions/render/output.ts';
import { ALL_AUTHOR_PAGES } from '../../packages/print/src/page-rules.ts';
import {
  requestedSettings,
  type RenderTarget,
  type TemplateOptions,
} from '../../functions/render/settings.ts';

const TO_PDF: RenderTarget = { source: 'html', output: 'pdf' };
const withOptions = (options: TemplateOptions): RenderTarget => ({
  ...TO_PDF,
  template: { field: 'template', options },
});

describe('options of a rendering', () => {
  it('have the defaults of the specification', () => {
    expect(requestedSettings({}, TO_PDF)).toEqual({
      page: {
        paper: 'A4',
        landscape: false,
        fitsContent: false,
        margins: { top: 2, right: 1, bottom: 2, left: 1 },
        author: ALL_AUTHOR_PAGES,
        scale: 1,
        printBackground: true,
        pageRange: null,
        outline: true,
        browser: null,
        skipFurnitureOnFirstPage: false,
        firstPageNumber: 1,
      },
      furniture: {
        enabled: true,
        title: true,
        date: true,
        pageNumber: true,
        locale: null,
        header: null,
        footer: null,
        growing: { top: true, bottom: true },
      },
      locale: null,
      templatingEngine: 'jinja2',
      undefinedNames: 'warn',
      autoescape: null,
      renderingEngine: 'chrome',
      compress: false,
      encryptPassword: null,
      filename: null,
      formFields: false,
      office: {},
      requestedSteps: [],
      claims: null,
      facturX: null,
      picture: null,
      sent: {},
      failOn: [],
    });
  });

  it('come from the call, else the template, else the default (I-7), false and 0 included', () => {
    const { page, furniture, renderingEngine, compress } = requestedSettings(
      { margin_top: 0, print_background: true, title_header_enabled: false },
      withOptions({
        margin_top: 5,
        margin_left: 3,
        print_background: false,
        landscape: true,
        scale: null,
        page_range: '2-',
        rendering_engine: 'webkit',
        display_header_footer: false,
        compress: true,
      }),
    );
    expect(page).toMatchObject({
      margins: { top: 0, left: 3, right: 1 },
      landscape: true,
      scale: 1,
      pageRange: '2-',
    });
    expect(page.printBackground).toBe(true);
    expect(furniture).toMatchObject({ title: false, enabled: false });
    expect({ renderingEngine, compress }).toEqual({ renderingEngine: 'webkit', compress: true });
  });

  it('leave the choice to the document if they are not set (I-49)', () => {
    const open = (call: RenderOptions, template: TemplateOptions = {}): unknown =>
      requestedSettings(call, withOptions(template)).page.author;
    expect(open({ paper_format: 'A4', margin_top: 0 }, { landscape: false, margin_left: null })).toEqual({
      paper: false,
      orientation: false,
      margins: { top: false, right: true, bottom: true, left: true },
    });
    const all = { paper_format: 'A4', landscape: true, margin_top: 1 } as const;
    expect(open({ ...all, css_page: true })).toEqual(ALL_AUTHOR_PAGES);
    expect(open(all, { css_page: true })).toEqual(ALL_AUTHOR_PAGES);
    expect(open({ css_page: false })).toBeNull();
    expect(open({ css_page: true }, { css_page: false })).toEqual(ALL_AUTHOR_PAGES);
  });

  it('make a sheet of lengths, which the paper and the document do not change (I-49)', () => {
    const sheet = (call: RenderOptions): unknown => {
      const { paper, landscape, fitsContent, author } = requestedSettings(call, TO_PDF).page;
      return { paper, landscape, fitsContent, author: author?.paper };
    };
    const rest = { landscape: false, fitsContent: false, author: false };
    expect(sheet({ paper_width: '62mm', paper_height: '4in' })).toEqual({
      ...rest,
      paper: { width: expect.closeTo(62 / 25.4), height: 4 },
    });
    expect(sheet({ paper_width: 2.54, paper_height: '96px', landscape: true })).toEqual({
      ...rest,
      paper: { width: 1, height: 1 },
      landscape: true,
    });
    // The other length is that of the paper, turned as it is.
    expect(sheet({ paper_width: '144pt', paper_format: 'Letter', landscape: true })).toEqual({
      ...rest,
      paper: { width: 2, height: 8.5 },
    });
    expect(sheet({ paper_height: 'content' })).toMatchObject({ fitsContent: true, paper: 'A4' });
    expect(() => requestedSettings({ paper_width: 2, margin_left: 1.95 }, TO_PDF)).toThrow('leaves no room');
    expect(() => requestedSettings({ paper_height: 'content', margin_top: 60 }, TO_PDF)).not.toThrow();
  });

  it('leave space for content on the paper, or are refused with the sum and the length', () => {
    expect(() =>
      requestedSettings({ paper_format: 'A6', margin_left: 5.5, margin_right: 5 }, TO_PDF),
    ).toThrow('margin_left + margin_right is 10.5 cm, which leaves no room on the width of 10.5 cm');
    expect(() =>
      requestedSettings({ paper_format: 'A6', landscape: true, margin_left: 5.5, margin_right: 5 }, TO_PDF),
    ).not.toThrow();
  });
});

it('margins have to leave space in a word-processor document made from html, too', () => {
  expect(() => requestedSettings({ margin_left: 100 }, { source: 'html', output: 'docx' })).toThrow(
    'leaves no room',
  );
});

describe('margins that have no effect', () => {
  it.each<RenderTarget>([
    { source: 'docx', output: 'pdf' },
    { source: 'docx', output: 'docx' },
    { source: 'ods', output: 'xlsx' },
    { source: 'html', output: 'html' },
  ])('are accepted with any sum: $source to $output (I-20)', (target) => {
    expect(() =>
      requestedSettings({ margin_top: 20, margin_bottom: 20, margin_left: 100 }, target),
    ).not.toThrow();
  });
});

describe('output formats (I-13)', () => {
  it('include the alias that clients use', () => {
    expect(outputFormat('xlx', 'ods')).toBe('xlsx');
  });

  it('are refused across families with the list of possible ones', () => {
    expect(() => outputFormat('xlsx', 'html')).toThrow(
      'html cannot be rendered as "xlsx", only as pdf, html, docx, odt',
    );
    expect(() => outputFormat('html', 'docx')).toThrow(
      'docx cannot be rendered as "html", only as pdf, docx, odt',
    );
    expect(() => outputFormat('constructor', 'docx')).toThrow('cannot be rendered as');
  });
});

describe('file names (I-15)', () => {
  it('number the entries from 1, padded to the length of the count', () => {
    expect(new EntryNames('Invoice', 9, 'pdf').of(0, null)).toBe('Invoice-1.pdf');
    expect(new EntryNames('Invoice', 100, 'pdf').of(8, null)).toBe('Invoice-009.pdf');
  });

  it('are never the same twice in one archive, on no file system', () => {
    const names = new EntryNames('Letter', 9, 'pdf');
    const own = ['a', 'A.pdf', 'a-2', 'a', null, 'Letter-5', 'e\u0301', '\u00e9', 'a'];
    expect(own.map((name, index) => names.of(index, name))).toEqual([
      'a.pdf',
      'A-2.pdf',
      'a-2-2.pdf',
      'a-3.pdf',
      'Letter-5.pdf',
      'Letter-5-2.pdf',
      'e\u0301.pdf',
      '\u00e9-2.pdf',
      'a-4.pdf',
    ]);
    // Letters that fold to several, or to one that is no lower case of theirs.
    const folded = new EntryNames('Letter', 9, 'pdf');
    expect(['ß', 'SS', 's', 'ſ'].map((name, index) => folded.of(index, name))).toEqual([
      'ß.pdf',
      'SS-2.pdf',
      's.pdf',
      'ſ-2.pdf',
    ]);
  });

  it('for 100,000 records with the same name are found without comparing all of them', () => {
    const names = new EntryNames('Letter', 100_000, 'pdf');
    const given = Array.from({ length: 100_000 }, (_, index) => names.of(index, 'same'));
    expect(new Set(given).size).toBe(100_000);
    expect(given.at(-1)).toBe('same-100000.pdf');
  });

  it('keep any script and lose characters that a file system or an archive reads as a path', () => {
    expect(baseName('Größe 名前')).toBe('Größe 名前');
    expect(baseName('../../etc/passwd')).toBe('_.._etc_passwd');
    expect(baseName('a\u0000b:c?')).toBe('a_b_c_');
    expect(baseName('...')).toBe('document');
    expect(Buffer.byteLength(baseName('名'.repeat(255)))).toBeLessThanOrEqual(200);
    expect(baseName(`${'a'.repeat(199)} b`)).toBe('a'.repeat(199));
    // Devices of Windows, and what makes `gpj.exe` read as `exe.jpg`.
    expect(['con', 'LPT1.old', 'console', 'aux .x'].map(baseName)).toEqual([
      'con_',
      'LPT1_.old',
      'console',
      'aux_ .x',
    ]);
    expect(baseName('CONIN$')).toBe('CONIN$_');
    expect(baseName('a\u202egpj.exe\u2028\u0085')).toBe('a_gpj.exe__');
    expect(baseName('a\u061cb')).toBe('a_b');
  });

  it('do not repeat an ending the name has already', () => {
    expect(documentName('letter.PDF', 'pdf')).toBe('letter.PDF');
    expect(documentName('letter.html', 'pdf')).toBe('letter.html.pdf');
  });
});
