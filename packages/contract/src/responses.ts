import * as z from 'zod';
import { documentInfoSchema, formSchema, keySchema, verificationSchema } from './pdf-info.ts';
import { reportSchema } from './report.ts';
import {
  deletedTemplateSchema,
  fieldsSchema,
  fontSchema,
  imageFileSchema,
  importSchema,
  invoiceReportSchema,
  issuedTokenSchema,
  jobSchema,
  newTokenSchema,
  partialSchema,
  sampleSchema,
  styleFileSchema,
  templateEventSchema,
  templateSchema,
  templateVersionSchema,
  tokenSchema,
  translationSchema,
  uploadSchema,
  webhookSchema,
} from './resources.ts';
import type { JsonOperation } from './routes.ts';

/**
 * The schemas of JSON responses, by operation. They are separate from the route table, because only the OpenAPI
 * document needs them: functions start without them.
 */
export const RESPONSES: Readonly<Record<string, z.ZodType>> = {
  importTemplates: importSchema,
  getFields: fieldsSchema,
  getChangedFields: fieldsSchema,
  putSample: sampleSchema,
  validateFacturX: invoiceReportSchema,
  listFonts: z.array(fontSchema),
  putFont: fontSchema,
  createUpload: uploadSchema,
  listJobs: z.array(jobSchema),
  getJob: jobSchema,
  getJobReport: reportSchema,
  getWebhook: webhookSchema,
  listPartials: z.array(partialSchema),
  putPartial: partialSchema,
  pdfInfo: documentInfoSchema,
  pdfForm: formSchema,
  getToken: tokenSchema,
  getOpenApi: z.looseObject({}),
  putKey: keySchema,
  getKey: keySchema,
  verifyPdf: verificationSchema,
  listTemplates: z.array(templateSchema),
  addTemplate: templateSchema,
  getTemplate: templateSchema,
  addStylesheet: styleFileSchema,
  addImage: imageFileSchema,
  listTokens: z.array(issuedTokenSchema),
  createToken: newTokenSchema,
  listTranslations: z.array(translationSchema),
  putTranslation: translationSchema,
  changeTemplate: templateSchema,
  listDeletedTemplates: z.array(deletedTemplateSchema),
  restoreTemplate: templateSchema,
  listHistory: z.array(templateEventSchema),
  listVersions: z.array(templateVersionSchema),
  publishVersion: templateSchema,
} satisfies Record<JsonOperation, z.ZodType>;
