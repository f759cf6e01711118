import { ROUTES_OF_TEMPLATES } from '@platen/contract/groups/templates';
import { createGroup, streaming } from '../shared/http/index.ts';
import { setLogLevel } from '../shared/log.ts';
import { removeLeftovers } from '../shared/temporary-files.ts';
import { TemplateStore } from '../shared/store/templates.ts';
import { TenantFiles } from '../shared/store/tenant-files.ts';
import { TranslationStore } from '../shared/store/translations.ts';
import { UploadStore } from '../shared/store/uploads.ts';
import { servingServices } from '../shared/http/serving.ts';
import { config } from './config.ts';
import { tenantPartials } from '../shared/store/tenant-files/partials.ts';
import { fontsToKeep } from './fonts-to-keep.ts';
import { partialsOfVersion } from './partials.ts';
import { templateOperations } from './operations.ts';

setLogLevel(config.logLevel);
removeLeftovers();
const partials = new TenantFiles('partials', config);
const fonts = new TenantFiles('fonts', config);
const templates: TemplateStore = new TemplateStore({
  ...config,
  findPartials: async (tenant, template) =>
    await partialsOfVersion(
      template,
      tenantPartials(partials, tenant),
      async (file) => await templates.readFile(tenant, file),
    ),
  findFonts: async (tenant, content, read) => await fontsToKeep(fonts, tenant, content, read),
});

const operations = templateOperations({
  templates,
  partials,
  fonts,
  translations: new TranslationStore(config),
});

export const serve = createGroup('templates', operations, {
  routes: ROUTES_OF_TEMPLATES,
  uploads: new UploadStore(config),
  ...servingServices(config),
});

export const handler = streaming(serve);
