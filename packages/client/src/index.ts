/** A client of the document service Platen: docs/clients.md. */

export {
  type BatchOptions,
  type Jobs,
  Platen,
  type Records,
  type RenderCallOptions,
  type RenderData,
  type SentTemplate,
} from './client.ts';
export type { AnswerOf, Call, FieldsOf, OperationName, WorkName } from './call.ts';
export { PlatenDocument } from './document.ts';
export { type ClientCode, PlatenError } from './errors.ts';
export type { FileContent, FileInput, NamedFile, PreparedForm, UploadedFile } from './files.ts';
export { JobHandle, PendingJob, type WaitOptions } from './jobs.ts';
export type { PageGroup, PartOptions, Pdf } from './pdf.ts';
export type { ListOptions } from './lists.ts';
export type { PublishOptions, TemplateFiles, Templates, VersionOptions } from './templates.ts';
export type { CallOptions, TransportOptions } from './transport.ts';
export { type VerifyOptions, verifyWebhook, type WebhookEvent, WebhookError } from './webhook.ts';
export { type JobOptions, Work } from './work.ts';
export type * from './wire.ts';
