import { type Environment, integer, oneOf, optionalString, requiredString } from '../shared/config.ts';
import { type ServingSettings, servingSettings } from '../shared/http/serving.ts';
import { imageFonts } from '../shared/image-fonts.ts';
import { type JobsSettings, jobsSettings } from '../shared/jobs/config.ts';
import { signingSettings, type SigningSettings } from '../shared/signing/config.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';

/** The configuration of the images function, read once at cold start. */
export interface ImagesConfig extends ServingSettings {
  templatesTable: string;
  filesBucket: string;
  /** null: the deployment has no jobs. */
  jobs: JobsSettings | null;
  signing: SigningSettings;
  logLevel: LogLevel;
  /** Bytes of stored images kept in memory. */
  cacheBytes: number;
  /** Name of the function that draws PostScript; null for a deployment without one. */
  convertFunction: string | null;
  /** Name of the function that prints html; null for a deployment without one. */
  renderFunction: string | null;
  /** Milliseconds for reading and converting one image. */
  timeout: number;
  /** Folder of font files for text in SVG; null if there is no fonts layer. */
  fontFolder: string | null;
}

/** @throws ConfigError naming the variable */
export function readConfig(env: Environment = process.env): Readonly<ImagesConfig> {
  return Object.freeze({
    ...servingSettings(env),
    templatesTable: requiredString(env, 'PLATEN_TEMPLATES_TABLE'),
    filesBucket: requiredString(env, 'PLATEN_FILES_BUCKET'),
    jobs: jobsSettings(env),
    signing: signingSettings(env),
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
    cacheBytes: integer(env, 'PLATEN_CACHE_MB', { min: 0, max: 4_096, fallback: 64 }) * 1024 * 1024,
    convertFunction: optionalString(env, 'PLATEN_CONVERT_FUNCTION'),
    renderFunction: optionalString(env, 'PLATEN_RENDER_FUNCTION'),
    timeout: integer(env, 'PLATEN_IMAGE_TIMEOUT_MS', { min: 100, max: 280_000, fallback: 60_000 }),
    fontFolder: imageFonts(env),
  });
}
