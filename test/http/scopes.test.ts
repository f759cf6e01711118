import { describe, expect, it } from 'vitest';
import { FUNCTION_GROUPS, type Scope, SCOPES, scopesOf } from '../../packages/contract/src/route.ts';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { createGroup, noContent } from '../../functions/shared/http/index.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { bodyText, CONTEXT, gatewayEvent } from '../support/gateway-event.ts';

/** Who may do what (I-2): each route asks for the least scope that fits. */

setLogLevel('silent');

const READ: Scope[] = ['templates:read'];
const WRITE: Scope[] = ['templates:write'];
const JOBS: Scope[] = ['render', 'pdf'];

/** Written out here once more, so that a route whose scope is changed, or forgotten, is noticed. */
const WANTED: Readonly<Record<string, readonly Scope[] | 'token' | 'open'>> = {
  getToken: 'token',
  getOpenApi: 'open',
  listTokens: ['admin'],
  createToken: ['admin'],
  revokeToken: ['admin'],
  listTemplates: READ,
  addTemplate: WRITE,
  getTemplate: READ,
  changeTemplate: WRITE,
  deleteTemplate: WRITE,
  listDeletedTemplates: READ,
  restoreTemplate: WRITE,
  listVersions: READ,
  listHistory: READ,
  publishVersion: WRITE,
  exportTemplates: READ,
  importTemplates: WRITE,
  getFields: READ,
  getChangedFields: READ,
  listTranslations: READ,
  putTranslation: WRITE,
  getTranslation: READ,
  deleteTranslation: WRITE,
  putSample: WRITE,
  getSample: READ,
  deleteSample: WRITE,
  listPartials: READ,
  putPartial: WRITE,
  getPartial: READ,
  deletePartial: WRITE,
  listFonts: READ,
  putFont: WRITE,
  deleteFont: WRITE,
  addStylesheet: WRITE,
  deleteStylesheet: WRITE,
  addImage: WRITE,
  deleteImage: WRITE,
  getTemplateFile: READ,
  getStylesheetFile: READ,
  getStylesheetFileAsCalled: READ,
  getImageFile: READ,
  renderNow: ['render'],
  renderNowBatch: ['render'],
  renderTemplate: ['render'],
  renderTemplateBatch: ['render'],
  renderUrl: ['pdf'],
  renderImage: ['render'],
  renderBarcode: ['render'],
  renderStoredImage: ['render'],
  renderStoredImageByPost: ['render'],
  mergePdf: ['pdf'],
  splitPdf: ['pdf'],
  splitPdfToZip: ['pdf'],
  compressPdf: ['pdf'],
  editPdfMetadata: ['pdf'],
  encryptPdf: ['pdf'],
  renderPdfPages: ['pdf'],
  processPdf: ['pdf'],
  stampPdf: ['pdf'],
  watermarkPdf: ['pdf'],
  attachToPdf: ['pdf'],
  outlinePdf: ['pdf'],
  flattenPdf: ['pdf'],
  imposePdf: ['pdf'],
  redactPdf: ['pdf'],
  selectPdfPages: ['pdf'],
  rotatePdf: ['pdf'],
  scalePdf: ['pdf'],
  numberPdfPages: ['pdf'],
  putPdfLetterhead: ['pdf'],
  decryptPdf: ['pdf'],
  linearizePdf: ['pdf'],
  conformPdf: ['pdf'],
  validateFacturX: ['pdf'],
  embedFacturX: ['pdf'],
  extractFacturX: ['pdf'],
  signPdf: ['pdf'],
  verifyPdf: ['pdf'],
  putKey: ['keys'],
  getKey: ['keys'],
  deleteKey: ['keys'],
  pdfInfo: ['pdf'],
  pdfAttachments: ['pdf'],
  pdfText: ['pdf'],
  pdfForm: ['pdf'],
  fillPdfForm: ['pdf'],
  createUpload: ['templates:write', 'render', 'pdf'],
  listJobs: JOBS,
  getJob: JOBS,
  cancelJob: JOBS,
  getJobResult: JOBS,
  // The secret is for whoever has calls made at the end of jobs.
  getJobReport: JOBS,
  getWebhook: JOBS,
};

/** What is answered to a token with these scopes alone; 501 is past the check, as nothing answers here. */
async function answered(route: (typeof ROUTES)[number], scopes: string) {
  const path = route.path.replace(/\{\w+\+?\}/g, 'x');
  const event = { ...gatewayEvent({ method: route.method, path, scopes }), resource: route.path };
  const reply = await createGroup(route.group, {})(event, CONTEXT);
  return {
    status: reply.status,
    body: JSON.parse(bodyText(reply)) as { code: string; detail: string },
  };
}

describe.each(ROUTES)('$method $path', (route) => {
  const wanted = WANTED[route.operation];

  it.each(SCOPES)('with a token of the scope %s alone', async (scope) => {
    const allowed = !Array.isArray(wanted) || wanted.includes(scope);
    const { status, body } = await answered(route, scope);
    expect([status, body.code]).toEqual(allowed ? [501, 'not_implemented'] : [403, 'insufficient_scope']);
    if (!allowed) expect(body.detail).toContain(scopesOf(route).join(' or '));
  });

  it('with a token that has no scope at all', async () => {
    expect((await answered(route, '')).status).toBe(Array.isArray(wanted) ? 403 : 501);
  });

  it('with a token as it is minted without a list', async () => {
    const scopes = SCOPES.filter((scope) => scope !== 'admin').join(' ');
    const isForAdmins = Array.isArray(wanted) && wanted.every((scope) => scope === 'admin');
    expect((await answered(route, scopes)).status).toBe(isForAdmins ? 403 : 501);
  });
});

it('every route of the contract is in the table above', () => {
  expect(ROUTES.map(({ operation }) => operation).toSorted()).toEqual(Object.keys(WANTED).toSorted());
});

it.each(FUNCTION_GROUPS)('answers of %s have the header nosniff, and name their request', async (group) => {
  for (const route of ROUTES.filter((entry) => entry.group === group)) {
    const path = route.path.replace(/\{\w+\+?\}/g, 'x');
    const event = { ...gatewayEvent({ method: route.method, path }), resource: route.path };
    const operations = { [route.operation]: async () => noContent() };
    for (const answers of [operations, {}]) {
      const { headers } = await createGroup(group, answers)(event, CONTEXT);
      expect(headers, route.operation).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-request-id': 'test-request',
      });
    }
  }
});
