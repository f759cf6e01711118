import { ROUTES_OF_PDF } from '@platen/contract/groups/pdf';
import { createGroup, streaming } from '../shared/http/index.ts';
import { createWorker } from '../shared/jobs/worker.ts';
import { jobServices } from '../shared/jobs/config.ts';
import { setLogLevel } from '../shared/log.ts';
import { removeLeftovers } from '../shared/temporary-files.ts';
import { compileQpdf } from '@platen/pdf/qpdf';
import { UploadStore } from '../shared/store/uploads.ts';
import { servingServices } from '../shared/http/serving.ts';
import { readConfig } from './config.ts';
import { facturXOperations } from './factur-x.ts';
import { pdfOperations } from './operations.ts';

const config = readConfig();
setLogLevel(config.logLevel);
removeLeftovers();
// Compiled while the function starts; if that fails, the first request tries again and reports the error.
compileQpdf().catch(() => undefined);

const operations = { ...pdfOperations(config), ...facturXOperations() };
const services = {
  routes: ROUTES_OF_PDF,
  ...servingServices(config),
  uploads: new UploadStore({ bucket: config.filesBucket }),
  jobs: jobServices(config.jobs, config.filesBucket),
};

export const serve = createGroup('pdf', operations, services);

export const handler = streaming(serve, createWorker(operations, services));
