/** What answers contain. */

export {
  type DeletedTemplateJson,
  type FontJson,
  type ImageFileJson,
  type ImportJson,
  type InvoiceReportJson,
  type IssuedTokenJson,
  type JobJson,
  type JobState,
  type PartialJson,
  type ProblemJson,
  type SampleJson,
  type StyleFileJson,
  type TemplateJson,
  type TemplateEventJson,
  type TemplateVersionJson,
  jobSchema,
  problemSchema,
} from '../resources.ts';
export { documentInfoSchema, formFieldSchema } from '../pdf-info.ts';
export type { ReportJson } from '../report.ts';
export { RESPONSES } from '../responses.ts';
