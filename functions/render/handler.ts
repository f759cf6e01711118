import { ROUTES_OF_RENDER } from '@platen/contract/groups/render';
import { tmpdir } from 'node:os';
import { createConverter } from '../shared/convert/client.ts';
import { createFetcher } from '@platen/print/fetcher';
import { createGroup, streaming } from '../shared/http/index.ts';
import { createWorker } from '../shared/jobs/worker.ts';
import { jobServices } from '../shared/jobs/config.ts';
import { isStampsOrder } from '../shared/html-stamps/protocol.ts';
import { Signing } from '../shared/signing/signing.ts';
import { log, setLogLevel } from '../shared/log.ts';
import { removeLeftovers } from '../shared/temporary-files.ts';
import { measure } from '../shared/measures.ts';
import { itemReader } from '../shared/store/item-reader.ts';
import { TemplateStore } from '../shared/store/templates.ts';
import { TenantFiles } from '../shared/store/tenant-files.ts';
import { TranslationStore } from '../shared/store/translations.ts';
import { UploadStore } from '../shared/store/uploads.ts';
import { servingServices } from '../shared/http/serving.ts';
import { createChromePrinter } from '@platen/print/chrome';
import { readConfig } from './config.ts';
import { serveStamps } from './html/stamps.ts';
import { Filler } from './texts/filler.ts';
import { TemplateImages } from './images.ts';
import { batchSteps } from './job/steps.ts';
import { renderOperations } from './operations.ts';
import type { RenderDependencies } from './dependencies.ts';
import { coverageFile } from '@platen/print/fonts';
import { Preparer } from './texts/preparer.ts';
import { createWebKitPrinter } from '@platen/print/webkit/printer';

/** The render function. Its services start while Lambda initialises it, the browser first. */
const config = readConfig();
setLogLevel(config.logLevel);
removeLeftovers();

/** Events of the printer that mean a retry or a fallback. */
const FALLBACKS: ReadonlySet<string> = new Set(['chrome_retry', 'chrome_multi_failed']);

const fetcher = createFetcher({ outside: config.outsideResources });
const printer = createChromePrinter(
  {
    layerRoot: config.layerRoot,
    executable: config.chrome,
    unpackDir: config.chromeDirectory,
    workDir: tmpdir(),
    mode: config.chromeMode,
    printTimeout: config.printTimeout,
    log: (event, details) => {
      if (FALLBACKS.has(event)) measure('fallbacks', 1);
      log.info(event, details);
    },
  },
  fetcher,
);
// If the browser does not start now, the first request tries again and reports the error.
printer.warm().catch((error: unknown) => log.error('the browser did not start', { error }));

const converter = createConverter({
  functionName: config.convertFunction,
  bucket: config.filesBucket,
  timeout: config.convertTimeout,
});

const filler = new Filler({ timeout: config.fillTimeout });
const preparer = new Preparer(filler.threads, config.fillTimeout, coverageFile(config.layerRoot));

/** One request reads both the item of a template and the revision of the tenant's fonts. */
const read = itemReader(config.templatesTable);

/** Bytes of partials that are kept in memory, for templates that are sent along. */
const PARTIALS_CACHE = 8 * 1024 * 1024;

const dependencies: RenderDependencies = {
  templates: new TemplateStore({
    table: config.templatesTable,
    bucket: config.filesBucket,
    cacheBytes: config.cacheBytes,
    read,
  }),
  tenantFonts: new TenantFiles('fonts', {
    table: config.templatesTable,
    bucket: config.filesBucket,
    cacheBytes: config.cacheBytes,
    read,
  }),
  partials: new TenantFiles('partials', {
    table: config.templatesTable,
    bucket: config.filesBucket,
    cacheBytes: PARTIALS_CACHE,
  }),
  fonts: config.imageFonts,
  images: new TemplateImages({ fontFolder: config.imageFonts, converter }, config.cacheBytes),
  filler,
  preparer,
  printers: {
    chrome: printer,
    webkit: createWebKitPrinter(
      { printTimeout: config.printTimeout, concurrency: printer.concurrency },
      converter,
      fetcher,
      preparer,
    ),
  },
  converter,
  fetcher,
  signing: new Signing(config.signing),
  translations: new TranslationStore({ table: config.templatesTable }),
  maxRecords: config.maxRecords,
  maxJobRecords: config.maxJobRecords,
};
const operations = renderOperations(dependencies);
const services = {
  routes: ROUTES_OF_RENDER,
  ...servingServices(config),
  uploads: new UploadStore({ bucket: config.filesBucket }),
  jobs: jobServices(config.jobs, config.filesBucket),
};

export const serve = createGroup('render', operations, services);

export const handler = streaming(
  serve,
  createWorker(operations, services, batchSteps(dependencies)),
  (event) => (isStampsOrder(event) ? serveStamps(event, dependencies) : undefined),
);
