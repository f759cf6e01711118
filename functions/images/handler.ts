import { ROUTES_OF_IMAGES } from '@platen/contract/groups/images';
import { createConverter } from '../shared/convert/client.ts';
import { createGroup, streaming } from '../shared/http/index.ts';
import { createWorker } from '../shared/jobs/worker.ts';
import { createStampsPrinter } from '../shared/html-stamps/client.ts';
import { jobServices } from '../shared/jobs/config.ts';
import { Signing } from '../shared/signing/signing.ts';
import { setLogLevel } from '../shared/log.ts';
import { removeLeftovers } from '../shared/temporary-files.ts';
import { TemplateStore } from '../shared/store/templates.ts';
import { TenantFiles } from '../shared/store/tenant-files.ts';
import { UploadStore } from '../shared/store/uploads.ts';
import { servingServices } from '../shared/http/serving.ts';
import { readConfig } from './config.ts';
import { imageOperations } from './operations.ts';

/** The images function. The first image that needs an engine loads it. */
const config = readConfig();
setLogLevel(config.logLevel);
removeLeftovers();

const operations = imageOperations({
  templates: new TemplateStore({
    table: config.templatesTable,
    bucket: config.filesBucket,
    cacheBytes: config.cacheBytes,
  }),
  tenantFonts: new TenantFiles('fonts', {
    table: config.templatesTable,
    bucket: config.filesBucket,
    cacheBytes: config.cacheBytes,
  }),
  engines: {
    fontFolder: config.fontFolder,
    converter: createConverter({
      functionName: config.convertFunction,
      bucket: config.filesBucket,
      timeout: config.timeout,
    }),
  },
  printStamps: createStampsPrinter({
    functionName: config.renderFunction,
    bucket: config.filesBucket,
    timeout: config.timeout,
  }),
  signing: new Signing(config.signing),
  timeout: config.timeout,
});
const services = {
  routes: ROUTES_OF_IMAGES,
  ...servingServices(config),
  uploads: new UploadStore({ bucket: config.filesBucket }),
  jobs: jobServices(config.jobs, config.filesBucket),
};

export const serve = createGroup('images', operations, services);

export const handler = streaming(serve, createWorker(operations, services));
