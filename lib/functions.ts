import { globSync } from 'node:fs';
import path from 'node:path';
import { FUNCTION_GROUPS, type FunctionGroup } from '@platen/contract/route';

/** Every Lambda function of the service: its sources, its resources and its rights. */

export type FunctionName = FunctionGroup | 'authorizer' | 'sweep' | 'convert' | 'webhook';
/** The functions of a deployment. Renderings of batches may have a separate function with the same code. */
export type DeployedName = FunctionName | 'renderBatch';

export function specOf(name: DeployedName): FunctionSpec {
  return FUNCTIONS[name === 'renderBatch' ? 'render' : name];
}

/** The order of creation: other functions refer to `convert` and `render`. */
export const FUNCTION_NAMES: readonly FunctionName[] = [
  'convert',
  ...FUNCTION_GROUPS,
  'authorizer',
  'sweep',
  'webhook',
];

/** The layers, and the folder in each that contains its manifest. */
export const LAYERS = { chromium: 'chromium', fonts: 'fonts', native: 'nodejs' } as const;
export type LayerName = keyof typeof LAYERS;

/**
 * Environment variables of every function. With glibc's own number of arenas, an environment keeps most of the memory
 * that the threads of demanding documents freed, a part in each arena: 1.2 GB instead of 0.6 GB after a hundred.
 */
export const ALLOCATION = { MALLOC_ARENA_MAX: '2' } as const;

/** Environment variables besides those that every function gets: `ALLOCATION` and `PLATEN_LOG_LEVEL`. */
export type Variable =
  | 'PLATEN_TEMPLATES_TABLE'
  | 'PLATEN_TOKENS_TABLE'
  | 'PLATEN_METRICS_NAMESPACE'
  | 'PLATEN_FILES_BUCKET'
  | 'PLATEN_OUTSIDE_RESOURCES'
  | 'PLATEN_CHROME_MODE'
  | 'PLATEN_CACHE_MB'
  | 'PLATEN_DELETED_DAYS'
  | 'PLATEN_MAX_VERSIONS'
  | 'PLATEN_MAX_RECORDS'
  | 'PLATEN_MAX_JOB_RECORDS'
  | 'PLATEN_JOBS_TABLE'
  | 'PLATEN_JOBS_MACHINE'
  | 'PLATEN_JOB_DAYS'
  | 'PLATEN_SEALING_SECRET'
  | 'PLATEN_OIDC_ISSUER'
  | 'PLATEN_OIDC_AUDIENCE'
  | 'PLATEN_OIDC_GROUPS_CLAIM'
  | 'PLATEN_OIDC_GROUPS'
  | 'PLATEN_TSA_URL'
  | 'PLATEN_KMS_KEYS'
  | 'PLATEN_TRUST_ANCHORS'
  | 'PLATEN_WEBHOOK_QUEUE'
  | 'PLATEN_MAX_UPLOAD_MB'
  | 'PLATEN_FILL_TIMEOUT_MS'
  | 'PLATEN_PRINT_TIMEOUT_MS'
  | 'PLATEN_IMAGE_TIMEOUT_MS'
  | 'PLATEN_CONVERT_FUNCTION'
  | 'PLATEN_CONVERT_TIMEOUT_MS'
  | 'PLATEN_RENDER_FUNCTION';

export type TableAction =
  'GetItem' | 'BatchGetItem' | 'Query' | 'Scan' | 'PutItem' | 'UpdateItem' | 'DeleteItem';
type ObjectAction = 'GetObject' | 'PutObject' | 'DeleteObject';

/** The rights of a function's role. Everything else is denied. */
export interface Rights {
  templates?: readonly TableAction[];
  tokens?: readonly TableAction[];
  /** On one partition of the templates table, which contains no templates: the records of the sweep. */
  sweepNotes?: readonly TableAction[];
  /** On objects of the files bucket below the tenants' prefix. */
  files?: readonly ObjectAction[];
  /**
   * List those objects: all of them, or only with a prefix that names a template, or a partial or font too.
   * Without this permission, S3 answers 403 for a missing object, which looks like a fault of the storage.
   */
  listFiles?: 'all' | 'of-template' | 'of-tenant';
  /** On uploads: read them, or sign forms with which callers send them. */
  uploads?: 'read' | 'offer';
  /** On objects in transfer to another function and back. */
  transfers?: readonly ObjectAction[];
  /** List and read the fonts of tenants. */
  fonts?: true;
  /**
   * On the signing keys of tenants, in a separate partition of the templates table for each tenant: store them, or
   * only use them.
   */
  keys?: 'keep' | 'use';
  /** Count the requests of tenants whose tokens have limits. */
  usage?: true;
  /** Call the convert function, if the deployment has one. */
  convert?: boolean;
  /** Call the render function, which prints the html of stamps. */
  stamps?: boolean;
  /** Create and run jobs; show, cancel and delete them; or record their webhook calls. */
  jobs?: 'work' | 'answer' | 'notify';
}

/** Variables for functions that access jobs. */
const JOBS: readonly Variable[] = ['PLATEN_JOBS_TABLE', 'PLATEN_JOBS_MACHINE', 'PLATEN_JOB_DAYS'];
/** Variables for functions that create and run jobs: they encrypt and decrypt their requests. */
const JOB_WORK: readonly Variable[] = [...JOBS, 'PLATEN_SEALING_SECRET'];

/** Variables for functions that sign, besides the secret that encrypts keys. */
/** The provider with which people sign in. */
const SIGN_IN: readonly Variable[] = [
  'PLATEN_OIDC_ISSUER',
  'PLATEN_OIDC_AUDIENCE',
  'PLATEN_OIDC_GROUPS_CLAIM',
  'PLATEN_OIDC_GROUPS',
];

const SIGNING: readonly Variable[] = ['PLATEN_TSA_URL', 'PLATEN_KMS_KEYS'];

export interface FunctionSpec {
  /** Relative to the repository; exports `handler`. */
  entry: string;
  description: string;
  /** MB. Lambda gives CPU in proportion: one core at 1,769. */
  memory: number;
  timeoutSeconds: number;
  /** MB of /tmp; Lambda's 512 when absent. */
  ephemeral?: number;
  /** Requests that one environment can handle at a time, where it gets several; `CONCURRENCY` when absent. */
  concurrency?: number;
  /** Entries of worker threads, bundled beside the function as `<name>.mjs`. */
  workers?: readonly string[];
  /** Files of packages that are read at run time, as the packages export them; copied beside the function. */
  assets?: readonly string[];
  /** Large files of packages, which are compressed in the bundle; code reads them by `readLargeAsset`. */
  compressed?: readonly string[];
  /** The layers. An image function contains their files beside its code instead. */
  layers?: readonly LayerName[];
  /** The folder with the Dockerfile and its other files, if the function is a container image. */
  container?: string;
  /** The variables that the function reads. It uses its own default for those without a value. */
  variables: readonly Variable[];
  rights: Rights;
  /** Processes untrusted documents, and therefore runs without egress if the deployment is isolated. */
  untrusted?: boolean;
}

/**
 * Requests that one environment can handle at a time, where it gets several. On Lambda it gets one. More would wait for
 * the single thread that runs the function's own code.
 */
export const CONCURRENCY = 8;

const PDFIUM = '@embedpdf/pdfium/pdfium.wasm';

/** The engine that reads and writes PDFs. */
const QPDF = ['@neslinesli93/qpdf-wasm/dist/qpdf.js', '@neslinesli93/qpdf-wasm/dist/qpdf.wasm'];

/** The files of @platen/pdf that a function needs. */
const SHARED_PDF = {
  workers: ['packages/pdf/src/pdf.worker.ts', 'packages/pdf/src/steps/steps.worker.ts'],
  assets: [
    ...QPDF,
    // HarfBuzz shapes text in a PDF and subsets its fonts.
    'harfbuzzjs/dist/harfbuzz.wasm',
    'harfbuzzjs/dist/harfbuzz-subset.wasm',
  ],
};

/** The worker of @platen/pdf that reads and fills forms. */
const FORMS_WORKER = 'packages/pdf/src/forms/forms.worker.ts';
/** The worker of @platen/pdf that only lists the fields of a form. */
const OPEN_FORM_WORKER = 'packages/pdf/src/forms/open-form.worker.ts';

/** The files of @platen/imaging that a function needs. */
const SHARED_IMAGES = {
  workers: ['packages/imaging/src/images.worker.ts'],
  compressed: [
    '@imagemagick/magick-wasm/magick.wasm',
    '@myriaddreamin/typst-ts-web-compiler/pkg/typst_ts_web_compiler_bg.wasm',
    PDFIUM,
  ],
};

/** The schemas with which @platen/factur-x validates invoices. */
const FACTUR_X = {
  assets: globSync('packages/factur-x/schemas/*/*.xsd', { cwd: path.resolve(import.meta.dirname, '..') })
    .sort()
    .map((schema) => `./${schema}`),
};

export const FUNCTIONS: Readonly<Record<FunctionName, FunctionSpec>> = {
  service: {
    entry: 'functions/service/handler.ts',
    description: 'Token, OpenAPI document, and all other routes',
    memory: 512,
    timeoutSeconds: 30,
    variables: ['PLATEN_METRICS_NAMESPACE'],
    rights: {},
  },
  authorizer: {
    entry: 'functions/authorizer/handler.ts',
    description: 'Token to tenant and scopes',
    memory: 512,
    timeoutSeconds: 10,
    variables: ['PLATEN_TOKENS_TABLE', ...SIGN_IN],
    rights: { tokens: ['GetItem'] },
  },
  tokens: {
    entry: 'functions/authorizer/manage.ts',
    description: 'Makes, lists and revokes the tokens of a tenant',
    memory: 512,
    timeoutSeconds: 30,
    variables: ['PLATEN_TOKENS_TABLE', 'PLATEN_METRICS_NAMESPACE', ...SIGN_IN],
    // The counters of the function's own requests are in the same table.
    rights: { tokens: ['GetItem', 'Scan', 'PutItem', 'UpdateItem'] },
  },
  templates: {
    entry: 'functions/templates/handler.ts',
    description: 'Templates with their style and image files',
    memory: 1024,
    timeoutSeconds: 60,
    // The workers check the placeholders of office templates, list the fields of forms, and read translations.
    workers: [
      'packages/office/src/office.worker.ts',
      OPEN_FORM_WORKER,
      'functions/templates/catalogue.worker.ts',
    ],
    assets: QPDF,
    // The worker of office templates can draw charts.
    compressed: ['echarts/dist/echarts.min.js'],
    variables: [
      'PLATEN_TOKENS_TABLE',
      'PLATEN_METRICS_NAMESPACE',
      'PLATEN_TEMPLATES_TABLE',
      'PLATEN_FILES_BUCKET',
      'PLATEN_DELETED_DAYS',
      'PLATEN_MAX_VERSIONS',
    ],
    rights: {
      usage: true,
      templates: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      files: ['GetObject', 'PutObject', 'DeleteObject'],
      listFiles: 'of-tenant',
      uploads: 'read',
    },
  },
  sweep: {
    entry: 'functions/templates/sweep.ts',
    description: 'Deletes files and versions that no template refers to',
    memory: 512,
    timeoutSeconds: 15 * 60,
    variables: ['PLATEN_TEMPLATES_TABLE', 'PLATEN_FILES_BUCKET', 'PLATEN_DELETED_DAYS'],
    rights: {
      templates: ['GetItem', 'Query', 'DeleteItem'],
      sweepNotes: ['PutItem', 'DeleteItem'],
      files: ['DeleteObject'],
      listFiles: 'all',
    },
  },
  render: {
    entry: 'functions/render/handler.ts',
    description: 'Templates to documents',
    memory: 2048,
    timeoutSeconds: 15 * 60,
    ephemeral: 2048,
    workers: [
      'functions/render/texts/texts.worker.ts',
      'packages/office/src/office.worker.ts',
      ...SHARED_IMAGES.workers,
      ...SHARED_PDF.workers,
      FORMS_WORKER,
      OPEN_FORM_WORKER,
    ],
    assets: [...SHARED_PDF.assets, ...FACTUR_X.assets],
    compressed: [...SHARED_IMAGES.compressed, 'echarts/dist/echarts.min.js'],
    layers: ['chromium', 'fonts', 'native'],
    variables: [
      'PLATEN_TOKENS_TABLE',
      'PLATEN_METRICS_NAMESPACE',
      'PLATEN_TEMPLATES_TABLE',
      'PLATEN_FILES_BUCKET',
      'PLATEN_OUTSIDE_RESOURCES',
      'PLATEN_CHROME_MODE',
      'PLATEN_CACHE_MB',
      'PLATEN_MAX_RECORDS',
      'PLATEN_MAX_JOB_RECORDS',
      ...JOB_WORK,
      ...SIGNING,
      'PLATEN_FILL_TIMEOUT_MS',
      'PLATEN_PRINT_TIMEOUT_MS',
      'PLATEN_CONVERT_FUNCTION',
      'PLATEN_CONVERT_TIMEOUT_MS',
    ],
    rights: {
      usage: true,
      // The function reads a template together with the tenant's record of font changes, and lists the partials
      // and fonts of a tenant.
      templates: ['GetItem', 'BatchGetItem', 'Query'],
      keys: 'use',
      files: ['GetObject'],
      listFiles: 'of-tenant',
      uploads: 'read',
      transfers: ['GetObject', 'PutObject', 'DeleteObject'],
      convert: true,
      jobs: 'work',
    },
    untrusted: true,
  },
  convert: {
    entry: 'functions/convert/handler.ts',
    description: 'Office documents to PDF and to one another, html by WebKit, PostScript',
    memory: 3008,
    timeoutSeconds: 5 * 60,
    ephemeral: 2048,
    // LibreOffice works on one document at a time.
    concurrency: 1,
    container: 'functions/convert/container',
    assets: [
      './functions/convert/confine.py',
      './functions/convert/run_confined.py',
      './functions/convert/libreoffice/host.py',
      './functions/convert/libreoffice/converter.py',
      './functions/convert/libreoffice/columns.py',
      './functions/convert/libreoffice/contents.py',
      './functions/convert/libreoffice/pages.py',
      './functions/convert/libreoffice/sheets.py',
      './functions/convert/libreoffice/slides.py',
      './functions/convert/libreoffice/values.py',
      './functions/convert/webkit/webkit_host.py',
      './functions/convert/webkit/webkit_printer.py',
      'harfbuzzjs/dist/harfbuzz-subset.wasm',
    ],
    layers: ['fonts'],
    variables: ['PLATEN_CONVERT_TIMEOUT_MS'],
    // The function has no permissions, because its engines read untrusted documents. Signed URLs transfer the
    // documents.
    rights: {},
    untrusted: true,
  },
  images: {
    entry: 'functions/images/handler.ts',
    description: 'Images and barcodes to PDF',
    memory: 3008,
    timeoutSeconds: 5 * 60,
    ephemeral: 2048,
    workers: ['functions/images/vector.worker.ts', ...SHARED_IMAGES.workers, ...SHARED_PDF.workers],
    assets: [...SHARED_PDF.assets, ...FACTUR_X.assets],
    compressed: SHARED_IMAGES.compressed,
    layers: ['fonts', 'native'],
    variables: [
      'PLATEN_TOKENS_TABLE',
      'PLATEN_METRICS_NAMESPACE',
      'PLATEN_TEMPLATES_TABLE',
      'PLATEN_FILES_BUCKET',
      'PLATEN_CACHE_MB',
      'PLATEN_IMAGE_TIMEOUT_MS',
      'PLATEN_CONVERT_FUNCTION',
      'PLATEN_RENDER_FUNCTION',
      ...JOB_WORK,
      ...SIGNING,
    ],
    rights: {
      usage: true,
      templates: ['GetItem'],
      keys: 'use',
      files: ['GetObject'],
      listFiles: 'of-template',
      fonts: true,
      transfers: ['GetObject', 'PutObject', 'DeleteObject'],
      convert: true,
      stamps: true,
      uploads: 'read',
      jobs: 'work',
    },
    untrusted: true,
  },
  pdf: {
    entry: 'functions/pdf/handler.ts',
    description: 'PDF transformation, signatures and their keys',
    memory: 2048,
    timeoutSeconds: 15 * 60,
    // Space for uploads, results and intermediate files.
    ephemeral: 4096,
    workers: ['packages/pdf/src/operations/operations.worker.ts', FORMS_WORKER, ...SHARED_PDF.workers],
    assets: [...SHARED_PDF.assets, ...FACTUR_X.assets],
    compressed: [PDFIUM],
    layers: ['fonts', 'native'],
    variables: [
      'PLATEN_TOKENS_TABLE',
      'PLATEN_METRICS_NAMESPACE',
      'PLATEN_TEMPLATES_TABLE',
      'PLATEN_FILES_BUCKET',
      'PLATEN_MAX_UPLOAD_MB',
      ...SIGNING,
      'PLATEN_TRUST_ANCHORS',
      'PLATEN_RENDER_FUNCTION',
      ...JOB_WORK,
    ],
    rights: {
      usage: true,
      keys: 'keep',
      fonts: true,
      uploads: 'read',
      transfers: ['GetObject', 'PutObject', 'DeleteObject'],
      stamps: true,
      jobs: 'work',
    },
    untrusted: true,
  },
  jobs: {
    entry: 'functions/jobs/handler.ts',
    description: 'Uploads and asynchronous work',
    memory: 512,
    // Results are streamed, and the gateway forwards 2 MB per second beyond 10 MB.
    timeoutSeconds: 15 * 60,
    variables: [
      'PLATEN_TOKENS_TABLE',
      'PLATEN_METRICS_NAMESPACE',
      'PLATEN_FILES_BUCKET',
      'PLATEN_MAX_UPLOAD_MB',
      ...JOBS,
    ],
    rights: { usage: true, uploads: 'offer', jobs: 'answer' },
  },
  webhook: {
    entry: 'functions/jobs/webhook.ts',
    description: 'Sends webhooks when jobs end',
    memory: 512,
    timeoutSeconds: 30,
    variables: ['PLATEN_JOBS_TABLE', 'PLATEN_WEBHOOK_QUEUE'],
    rights: { jobs: 'notify' },
  },
};
