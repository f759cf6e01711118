import type { Route } from './route.ts';

/**
 * An example of every route: the OpenAPI document shows them, the pages of the routes render them as
 * commands, and test/docs/examples.test.ts runs them. Required parts that an example leaves out get default
 * values (`exampleOf`).
 */

export interface Example {
  /**
   * Path parameters. `$ID`, `$STYLE`, `$IMAGE`, `$JOB` and `$TOKEN_ID` stand for ids of resources created
   * earlier.
   */
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Text fields of the form; values other than text are sent as JSON. */
  fields?: Readonly<Record<string, unknown>>;
  /** File names by part name. */
  files?: Readonly<Record<string, string>>;
  /** The body of routes that take one JSON text. */
  body?: unknown;
}

/** The file that serves as any PDF, and one that serves as a second PDF. */
const [PDF, ANOTHER] = ['report.pdf', 'annex.pdf'];

const data = { number: 7, items: [{ name: 'Paper', price: 4.5 }] };
const render_data = JSON.stringify(data);
const records = JSON.stringify([data, { number: 8, items: [] }]);

/** Examples by operation. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  listTemplates: { query: { limit: '20' } },
  addTemplate: {
    fields: {
      template_data: { name: 'Invoice', format: 'html', templating_engine: 'flask', paper_format: 'A5' },
    },
    files: { file_data: 'invoice.html' },
  },
  addStylesheet: { fields: { template_data: { format: 'css' } }, files: { file_data: 'look.css' } },
  addImage: { fields: { template_data: { format: 'png' } }, files: { file_data: 'logo.png' } },
  changeTemplate: { fields: { template_data: { paper_format: 'A4' } } },
  publishVersion: { fields: { version: 'latest' } },
  exportTemplates: { query: { template: '$ID' } },
  importTemplates: { files: { file_data: 'templates.zip' } },
  putSample: { params: { name: 'usual' }, body: data },
  getSample: { params: { name: 'usual' } },
  deleteSample: { params: { name: 'usual' } },
  putPartial: { params: { name: 'letters/footer.html' }, files: { file_data: 'footer.html' } },
  getPartial: { params: { name: 'letters/footer.html' } },
  deletePartial: { params: { name: 'letters/footer.html' } },
  putFont: { params: { filename: 'Caladea.ttf' }, files: { file_data: 'Caladea.ttf' } },
  deleteFont: { params: { filename: 'Caladea.ttf' } },
  putTranslation: { params: { locale: 'de' }, files: { file_data: 'de.po' } },
  getTranslation: { params: { locale: 'de' } },
  deleteTranslation: { params: { locale: 'de' } },

  renderNow: { fields: { render_data }, files: { file_data: 'invoice.html' } },
  renderNowBatch: { fields: { render_data: records }, files: { file_data: 'invoice.html' } },
  renderTemplate: { fields: { render_data, render_options: { paper_format: 'A5' } } },
  renderTemplateBatch: { fields: { render_data: records, on_error: 'skip' } },
  renderUrl: { fields: { url: 'https://example.com/' } },
  renderImage: {
    fields: { render_options: { paper_format: 'A4', w: 12 } },
    files: { image: 'logo.png' },
  },
  renderBarcode: { fields: { data: { data: '5901234123457', barcode_format: 'ean13' } } },
  renderStoredImage: { params: { id: '$IMAGE' } },
  renderStoredImageByPost: { params: { id: '$IMAGE' }, fields: { render_options: { paper_format: 'A5' } } },

  splitPdf: { fields: { splits: [2, 4] } },
  splitPdfToZip: { fields: { splits: [[1], [2, 4]] } },
  compressPdf: { fields: { options: { quality: 'medium' } } },
  conformPdf: {
    fields: { conformance: ['pdf/a-2b'], title: 'Report', language: 'en' },
    files: { file: 'invoice.pdf' },
  },
  editPdfMetadata: { fields: { metadata: { Title: 'Report' } } },
  encryptPdf: { fields: { password: 'open sesame' } },
  renderPdfPages: { params: { format: 'png' }, fields: { dpi: 50, pages: '1' } },
  processPdf: { fields: { steps: [{ pages: { pages: '1-3' } }, { page_numbers: {} }] } },
  stampPdf: { fields: { text: 'DRAFT', angle: 45, opacity: 0.3 } },
  watermarkPdf: { fields: { text: 'COPY', opacity: 0.2 } },
  attachToPdf: {
    fields: { files: [{ file: 'part1', name: 'letter.json' }] },
    files: { file: PDF, part1: 'letter.json' },
  },
  outlinePdf: { fields: { items: [{ title: 'Beginning', page: 1 }] } },
  selectPdfPages: { fields: { pages: '3,1,5-' } },
  rotatePdf: { fields: { angle: 90, pages: '2' } },
  redactPdf: { fields: { words: ['report 3'] } },
  imposePdf: { fields: { columns: 2, rows: 1, paper_format: 'A4' } },
  scalePdf: { fields: { paper_format: 'A5' } },
  numberPdfPages: { fields: { format: 'Page {page} of {pages}', position: 'bottom-right' } },
  putPdfLetterhead: { files: { file: PDF, pdf: 'invoice.pdf' } },
  decryptPdf: { fields: { password: 'open sesame' }, files: { file: 'locked.pdf' } },
  pdfAttachments: { files: { file: 'attached.pdf' } },
  pdfText: { fields: { pages: '1' } },
  pdfForm: { files: { file: 'form.pdf' } },
  fillPdfForm: {
    fields: { data: { name: 'Ada', agree: true }, flatten: true },
    files: { file: 'form.pdf' },
  },
  embedFacturX: { files: { file: 'invoice.pdf', xml: 'factur-x.xml' } },
  extractFacturX: { files: { file: 'factur-x.pdf' } },
  validateFacturX: { files: { xml: 'factur-x.xml' } },

  putKey: { params: { name: 'seal' }, fields: { password: 'secret' }, files: { pkcs12: 'seal.p12' } },
  getKey: { params: { name: 'seal' } },
  deleteKey: { params: { name: 'seal' } },
  signPdf: { fields: { key: 'seal', reason: 'Paid' }, files: { file: PDF } },
  verifyPdf: { files: { file: 'signed.pdf' } },

  createUpload: { fields: { name: 'scan.pdf', content_type: 'application/pdf' } },
  listJobs: { query: { limit: '20' } },

  createToken: { fields: { name: 'web shop', scopes: ['render'], rate: 60 } },
};

/** Default path parameters. */
const PARAMS: Readonly<Record<string, string>> = { format: 'pdf', template_id: '$ID', id: '$ID' };

/** Variables for the id in a path, by the beginning of the path. */
const IDS: readonly [RegExp, string][] = [
  [/^\/v1\/jobs\//, '$JOB'],
  [/^\/v1\/tokens\//, '$TOKEN_ID'],
  [/^\/v1\/(template\/css\/file|css\/template\/file)\//, '$STYLE'],
  [/^\/v1\/template\/img\/file\//, '$IMAGE'],
];

/**
 * Path parameters of routes that delete a style sheet or an image: these take its own id, while the routes
 * that add one take the template's id in the same path.
 */
const DELETED: Readonly<Record<string, string>> = { deleteStylesheet: '$STYLE', deleteImage: '$IMAGE' };

/** Returns the example of a route, with every required part filled in. */
export function exampleOf(route: Route): Required<Example> {
  const { params, query = {}, fields = {}, files, body = null } = EXAMPLES[route.operation] ?? {};
  const names = Array.from(route.path.matchAll(/\{(\w+)\+?\}/g), ([, name = '']) => name);
  const id = DELETED[route.operation] ?? IDS.find(([path]) => path.test(route.path))?.[1];
  const usual: Readonly<Record<string, string>> = { ...PARAMS, ...(id === undefined ? {} : { id }) };
  return {
    params: Object.fromEntries(names.map((name) => [name, params?.[name] ?? usual[name] ?? name])),
    query,
    fields,
    files: files ?? Object.fromEntries(usualFiles(route)),
    body,
  };
}

function usualFiles({ files = {} }: Route): [string, string][] {
  return Object.entries(files)
    .filter(([, { required }]) => required)
    .flatMap(([name, { many }]): [string, string][] =>
      many === true
        ? [
            [`${name}1`, PDF],
            [`${name}2`, ANOTHER],
          ]
        : [[name, PDF]],
    );
}
