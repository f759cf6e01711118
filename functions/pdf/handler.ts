import { createGroup, streaming } from '../shared/http/index.ts';
import { setLogLevel } from '../shared/log.ts';
import { compileQpdf } from '../shared/pdf/qpdf.ts';
import { UploadStore } from '../shared/store/uploads.ts';
import { readConfig } from './config.ts';
import { pdfOperations } from './operations.ts';

const config = readConfig();
setLogLevel(config.logLevel);
// Compiled while the function starts; a failure is reported by the first request, which tries again.
compileQpdf().catch(() => undefined);

export const serve = createGroup('pdf', pdfOperations(config), {
  uploads: new UploadStore({ bucket: config.filesBucket }),
});

export const handler = streaming(serve);
