import { type Environment, integer, oneOf, optionalString, requiredString } from '../shared/config.ts';
import { type ServingSettings, servingSettings } from '../shared/http/serving.ts';
import { imageFonts } from '../shared/image-fonts.ts';
import { type JobsSettings, jobsSettings } from '../shared/jobs/config.ts';
import { signingSettings, type SigningSettings } from '../shared/signing/config.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';

/** The configuration of the PDF function, read from the environment. */
export interface PdfConfig extends ServingSettings {
  logLevel: LogLevel;
  /** Most milliseconds of one transformation. */
  timeout: number;
  /** Most milliseconds of one page. */
  pageTimeout: number;
  /** Most bytes an engine may allocate for one transformation. */
  memory: number;
  /** Most bytes of all PDFs of one request together. */
  maxInput: number;
  /** Folder of the fonts for text; null for none. */
  fonts: string | null;
  /** Name of the function that prints html; null for a deployment without one. */
  renderFunction: string | null;
  /** Name of the table with the fonts of tenants; null for a deployment without it. */
  templatesTable: string | null;
  /** Name of the S3 bucket of uploads and of tenants' fonts. */
  filesBucket: string;
  /** null: the deployment has no jobs. */
  jobs: JobsSettings | null;
  signing: SigningSettings;
}

/** @throws ConfigError that names the variable at fault */
export function readConfig(env: Environment = process.env): Readonly<PdfConfig> {
  return Object.freeze({
    ...servingSettings(env),
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
    timeout: integer(env, 'PLATEN_PDF_TIMEOUT_MS', { min: 1_000, max: 800_000, fallback: 120_000 }),
    pageTimeout: integer(env, 'PLATEN_PDF_PAGE_TIMEOUT_MS', { min: 500, max: 800_000, fallback: 30_000 }),
    memory: integer(env, 'PLATEN_PDF_MEMORY_MB', { min: 64, max: 2_048, fallback: 768 }) * 2 ** 20,
    maxInput: integer(env, 'PLATEN_MAX_UPLOAD_MB', { min: 1, max: 2_048, fallback: 512 }) * 2 ** 20,
    fonts: imageFonts(env),
    renderFunction: optionalString(env, 'PLATEN_RENDER_FUNCTION'),
    templatesTable: optionalString(env, 'PLATEN_TEMPLATES_TABLE'),
    filesBucket: requiredString(env, 'PLATEN_FILES_BUCKET'),
    jobs: jobsSettings(env),
    signing: signingSettings(env),
  });
}
