import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Filler } from '../../functions/render/texts/filler.ts';
import { renderOperations } from '../../functions/render/operations.ts';
import type { RenderDependencies } from '../../functions/render/dependencies.ts';
import { isPicture, OUTPUT_FORMATS, outputFormat } from '../../functions/render/output.ts';
import { Preparer } from '../../functions/render/texts/preparer.ts';
import type { HtmlDocument, HtmlReader } from '../../packages/print/src/print.ts';
import { requestedSettings } from '../../functions/render/settings.ts';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  documentKind,
  effectOf,
  OPTION_NAMES,
} from '../../packages/contract/src/option-effects.ts';
import {
  PAGE_DEFAULTS,
  RENDERING_ENGINES,
  type RenderOptions,
  TEMPLATE_FORMATS,
  type TemplateFormat,
} from '../../packages/contract/src/options.ts';
import { createGroup, type Reply, type Serve } from '../../functions/shared/http/index.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import type { TemplateForRendering } from '../../functions/shared/store/templates/rendering.ts';
import { docx, p, partText } from '../office/build.ts';
import { bodyText, CONTEXT, gatewayEvent, multipart, urlencoded } from '../support/gateway-event.ts';

/** Options against what is made of what: honoured, without effect, or refused, and never left out in silence. */

setLogLevel('silent');

/** A value that asks for something, of every option. */
const ASKING: Required<RenderOptions> = {
  paper_format: 'A5',
  landscape: true,
  paper_width: '4in',
  paper_height: 10,
  margin_top: 3,
  margin_bottom: 3,
  margin_left: 3,
  margin_right: 3,
  css_page: false,
  scale: 0.5,
  print_background: false,
  page_range: '1-2',
  compress: true,
  steps: [{ rotate: { angle: 90 } }],
  conformance: ['pdf/a-3b'],
  on_violation: 'warn',
  language: 'de',
  title: 'A title',
  outline: false,
  form_fields: true,
  office: { landscape: true },
  view: { panel: 'thumbnails' },
  sign: { key: 'seal' },
  encrypt_password: 'hidden-word',
  factur_x: { profile: 'en16931', data: '.' },
  wait_for: { milliseconds: 5 },
  media: 'print',
  viewport: { width: 800, height: 600 },
  javascript: false,
  cookies: [{ name: 'a', value: 'b', domain: 'e.example' }],
  headers: [{ origin: 'https://e.example', name: 'a', value: 'b' }],
  fail_on: ['http'],
  full_page: false,
  selector: 'p',
  device_scale: 2,
  transparent: true,
  quality: 50,
  display_header_footer: false,
  disable_header_footer_first_page: true,
  first_page_number: 5,
  header_file: 'header',
  footer_file: 'footer',
  title_header_enabled: false,
  date_header_enabled: false,
  date_locale: 'de_AT',
  locale: 'de_AT',
  page_number_footer_enabled: false,
  templating_engine: 'none',
  undefined: 'strict',
  autoescape: true,
  rendering_engine: 'webkit',
  filename: '{{ number }}',
  x: 1,
  y: 1,
  w: 1,
  h: 1,
  keep_ratio: false,
  image_mode: 'L',
  transparency_enabled: false,
  background_color: [1, 2, 3],
  alt: 'What it shows',
  text_enabled: false,
};

const { paper_width: _width, paper_height: _height, ...withoutLengths } = PAGE_DEFAULTS;

/** The defaults as clients send them, whatever they ask for; `1-` is every page. */
const FULL_SET: RenderOptions = {
  ...withoutLengths,
  css_page: false,
  locale: 'en_US',
  page_range: '1-',
  filename: '',
  autoescape: false,
  disable_header_footer_first_page: false,
  templating_engine: 'jinja2',
  keep_ratio: true,
};

/** Every pair of formats that can be asked for. */
const PAIRS = TEMPLATE_FORMATS.flatMap((source) =>
  OUTPUT_FORMATS.flatMap((output) => {
    try {
      return [{ source, output: outputFormat(output, source) }];
    } catch {
      return [];
    }
  }),
);

let filler: Filler;
let serve: Serve;
let template: TemplateForRendering;
let printed: { html: string; engine: string }[] = [];

function printer(engine: string): HtmlReader {
  return {
    concurrency: 1,
    resourceUrl: (path) => `http://document/${path}`,
    warm: () => Promise.resolve(),
    close: () => Promise.resolve(),
    session: () => ({
      print: ({ html }: HtmlDocument) => {
        printed.push({ html, engine });
        return Promise.resolve(Buffer.from('%PDF-1.7'));
      },
      read: () => Promise.reject(new Error('nothing is taken apart here')),
      picture: () => Promise.resolve(Buffer.from('picture')),
      close: () => Promise.resolve(),
    }),
  };
}

beforeAll(() => {
  filler = new Filler({ timeout: 10_000 });
  const dependencies: RenderDependencies = {
    templates: { loadForRendering: () => Promise.resolve(template) },
    images: { displayable: () => new Map() } as unknown as RenderDependencies['images'],
    partials: { list: () => Promise.resolve([]) } as unknown as RenderDependencies['partials'],
    tenantFonts: { current: () => Promise.resolve([]) } as unknown as RenderDependencies['tenantFonts'],
    fonts: null,
    converter: {} as RenderDependencies['converter'],
    filler,
    preparer: new Preparer(filler.threads, 10_000),
    printers: { chrome: printer('chrome'), webkit: printer('webkit') },
    fetcher: {} as RenderDependencies['fetcher'],
    maxRecords: 10,
    maxJobRecords: 10,
  };
  serve = createGroup('render', renderOperations(dependencies));
});
afterAll(() => filler.close());

function stored(
  format: TemplateFormat,
  content: string | Buffer,
  more: Partial<TemplateForRendering> = {},
): TemplateForRendering {
  return {
    id: 't',
    name: 'Letter',
    format,
    templatingEngine: 'jinja2',
    options: {},
    dataSchema: null,
    file: { id: 'f', bytes: Buffer.from(content), text: format === 'html' ? String(content) : null },
    header: null,
    footer: null,
    styles: [],
    images: new Map(),
    version: 1,
    partials: [],
    fonts: [],
    ...more,
  };
}

async function render(output: string, options: object = {}, data: object = {}): Promise<Reply> {
  const body = urlencoded({ render_data: JSON.stringify(data), render_options: JSON.stringify(options) });
  return await serve(gatewayEvent({ method: 'POST', path: `/v1/render/${output}/t`, ...body }), CONTEXT);
}

const problemOf = (
  reply: Reply,
): { status: number; code: string; detail: string; errors: { field: string }[] } =>
  JSON.parse(bodyText(reply)) as ReturnType<typeof problemOf>;

describe('the table of options', () => {
  it('has every kind of document in it that can be asked for', () => {
    const kinds = PAIRS.flatMap(({ source, output }) =>
      RENDERING_ENGINES.map((engine) => documentKind(source, output, engine)),
    );
    const urls = RENDERING_ENGINES.map((engine) => documentKind('url', 'pdf', engine));
    const all = new Set<DocumentKind>([...kinds, ...urls, 'image', 'barcode']);
    expect([...all].toSorted()).toEqual(Object.keys(DOCUMENT_KINDS).toSorted());
  });

  it('lists the same options for both engines, except for those of browsers and fields (I-19, I-48)', () => {
    // WebKit prints, can be told nothing of how a browser loads, and makes no fields.
    const browsers = new Set<string>(['wait_for', 'media', 'viewport', 'javascript', 'form_fields']);
    for (const option of OPTION_NAMES.filter((name) => !browsers.has(name))) {
      expect([option, effectOf(option, 'webkit')]).toEqual([option, effectOf(option, 'chrome')]);
    }
  });

  it.each(PAIRS)(
    'is right for $source to $output: an honoured option changes something, a refused one is 422',
    ({ source, output }) => {
      const plain = requestedSettings({}, { source, output });
      for (const option of OPTION_NAMES) {
        const effect = effectOf(option, documentKind(source, output, 'chrome'));
        // What becomes of a violation is of interest where something is claimed.
        // Formats that lose nothing have no quality, and those without transparency none of that.
        if (isPicture(output) && (option === 'quality' || option === 'transparent') && output !== 'webp')
          continue;
        const besides: RenderOptions = option === 'on_violation' ? { conformance: ['pdf/a-3b'] } : {};
        if (option === 'on_violation' && effect !== 'honoured') continue;
        // What signs is looked for after the settings are read.
        if (option === 'sign' && effect === 'honoured') continue;
        const settings = () =>
          requestedSettings({ ...besides, [option]: ASKING[option] }, { source, output });
        if (effect === 'honoured') expect(settings(), option).not.toEqual(plain);
        else if (effect === 'none') expect(settings, option).not.toThrow();
        else expect(settings, option).toThrow(expect.objectContaining({ code: 'option_not_supported' }));
      }
    },
  );

  it.each(PAIRS)('accepts the whole set of defaults for $source to $output', ({ source, output }) => {
    expect(() => requestedSettings(FULL_SET, { source, output })).not.toThrow();
  });
});

describe('an option that only a PDF can carry', () => {
  const OTHERS = PAIRS.filter(({ output }) => output !== 'pdf' && output !== 'report');

  it.each(OTHERS)(
    'is refused in a call for $source to $output, before anything is done',
    async ({ source, output }) => {
      template = stored(source, 'not looked at');
      for (const option of ['encrypt_password', 'page_range', 'compress', 'conformance', 'steps'] as const) {
        const problem = problemOf(await render(output, { [option]: ASKING[option] }));
        expect(problem).toMatchObject({
          status: 422,
          code: 'option_not_supported',
          errors: [{ field: `render_options.${option}` }],
        });
        expect(problem.detail).toContain(`render_options.${option} cannot be honoured in an `);
        expect(problem.detail).toContain('but in a PDF ');
        expect(JSON.stringify(problem)).not.toContain('hidden-word');
      }
      const all = problemOf(await render(output, ASKING));
      const kind = documentKind(source, output, 'chrome');
      const besides = ['first_page_number', 'fail_on', 'rendering_engine'] as const;
      const alsoRefused = besides.filter((option) => effectOf(option, kind) === 'refused');
      expect(all.errors.map(({ field }) => field).toSorted()).toEqual(
        [
          ...alsoRefused.map((option) => `render_options.${option}`),
          'render_options.compress',
          'render_options.conformance',
          'render_options.encrypt_password',
          'render_options.factur_x',
          'render_options.office',
          'render_options.page_range',
          'render_options.sign',
          'render_options.steps',
          'render_options.view',
        ].toSorted(),
      );
    },
  );

  it('is refused in batches', async () => {
    template = stored('docx', await docx(p('Dear {{ name }}')));
    const body = urlencoded({ render_data: '[{}]', render_options: '{"encrypt_password":"hidden-word"}' });
    const reply = await serve(
      gatewayEvent({ method: 'POST', path: '/v1/render/docx/batch/t', ...body }),
      CONTEXT,
    );
    expect(problemOf(reply)).toMatchObject({ status: 422, code: 'option_not_supported' });
  });

  it('is refused if the template has it, unless the call resets it', async () => {
    template = stored('html', 'text {{ a }}', { options: { page_range: '2-3', compress: true } });
    const problem = problemOf(await render('html'));
    expect(problem).toMatchObject({
      status: 422,
      code: 'option_not_supported',
      errors: [{ field: 'template.page_range' }, { field: 'template.compress' }],
    });
    expect(problem.detail).toContain('render_options.page_range overrides it');
    const reply = await render('html', { page_range: '1-', compress: 'false' }, { a: 1 });
    expect([reply.status, bodyText(reply)]).toEqual([200, 'text 1']);
  });

  it('is refused if the template of the request has it', async () => {
    const parts = (data: object) => [
      { name: 'file_data', content: 'x', filename: 'x.html' },
      { name: 'template_data', content: JSON.stringify(data) },
    ];
    const send = async (data: object) =>
      await serve(
        gatewayEvent({ method: 'POST', path: '/v1/render/html', ...multipart(parts(data)) }),
        CONTEXT,
      );
    expect(problemOf(await send({ compress: true }))).toMatchObject({
      code: 'option_not_supported',
      errors: [{ field: 'template_data.compress' }],
    });
    const { headers, status } = await send({ header_file: '<b>mine</b>', footer_file: { id: 'x' } });
    expect([status, headers['warning']]).toEqual([
      200,
      '299 platen "template_data.header_file ignored: send the file as header_data"',
    ]);
  });
});

describe('a page range that was stored before ranges were validated', () => {
  it('is 422, in our own words', async () => {
    template = stored('html', 'x', { options: { page_range: '1-99999999999999999999' } });
    printed = [];
    const problem = problemOf(await render('pdf'));
    expect(problem).toMatchObject({ status: 422, code: 'page_range_outside_document' });
    expect(problem.detail).toContain('no document has a page 99999999999999999999');
    expect(printed).toEqual([]);
  });
});

describe('options that have no effect on an office template (I-20)', () => {
  it('are taken: margins of 20 cm, the header options, another engine', async () => {
    template = stored('docx', await docx(p('Dear {{ name }}')));
    const {
      page_range: _,
      compress: __,
      encrypt_password: ___,
      templating_engine: ____,
      undefined: _________,
      steps: _____,
      factur_x: ______,
      conformance: _______,
      sign: ________,
      office: __________,
      view: ___________,
      ...rest
    } = ASKING;
    const reply = await render('docx', { ...rest, margin_top: 20, margin_bottom: 20 }, { name: 'Ada' });
    expect(reply.status).toBe(200);
    expect(await partText(reply.body as Uint8Array, 'word/document.xml')).toContain('Dear Ada');
  });
});

describe('options of a template', () => {
  it('choose the engine', async () => {
    template = stored('html', 'x', { options: { rendering_engine: 'webkit' } });
    printed = [];
    await render('pdf');
    await render('pdf', { rendering_engine: 'chrome' });
    expect(printed.map(({ engine }) => engine)).toEqual(['webkit', 'chrome']);
  });
});

describe('templating_engine none', () => {
  const FINISHED = '<style>a{#b:c}</style><script>x={{a:{{1}}}}; "{% if"</script><p>{{ name }} {{ logo }}';

  it('prints a finished html document as it is, and makes html of it byte for byte', async () => {
    template = stored('html', FINISHED, { templatingEngine: 'none' });
    printed = [];
    expect((await render('pdf', {}, { name: 'Ada' })).status).toBe(200);
    // A document without a title gets that of its template.
    expect(printed.map(({ html }) => html)).toEqual([`<title>Letter</title>${FINISHED}`]);
    expect(bodyText(await render('html', {}, { name: 'Ada' }))).toBe(FINISHED);
  });

  it('leaves header and footer as they are, and can be asked for by the call', async () => {
    template = stored('html', FINISHED, { header: { id: 'h', text: '<p>{{ broken' } });
    expect(problemOf(await render('html')).code).toBe('template_syntax');
    printed = [];
    expect((await render('pdf', { templating_engine: 'none' })).status).toBe(200);
    expect(printed).toHaveLength(1);
  });

  it('gives an office document as it is', async () => {
    const bytes = await docx(p('Dear {{ name }} {% if'));
    template = stored('docx', bytes);
    const reply = await render('docx', { templating_engine: 'none' }, { name: 'Ada' });
    expect(reply.status).toBe(200);
    expect(Buffer.from(reply.body as Uint8Array).equals(bytes)).toBe(true);
  });
});
