import { tmpdir } from 'node:os';
import { type Environment, integer, list, oneOf, optionalString, requiredString } from '../shared/config.ts';
import { type ServingSettings, servingSettings } from '../shared/http/serving.ts';
import { imageFonts } from '../shared/image-fonts.ts';
import { type JobsSettings, jobsSettings } from '../shared/jobs/config.ts';
import { signingSettings, type SigningSettings } from '../shared/signing/config.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';
import type { ChromeMode } from '@platen/print/chrome';
import { outsideOf } from '@platen/print/fetcher';

/** The configuration of the render function, read once at cold start. */
export interface RenderConfig extends ServingSettings {
  templatesTable: string;
  filesBucket: string;
  logLevel: LogLevel;
  /** Bytes of template files that are kept in memory. */
  cacheBytes: number;
  /** Most records of a batch in one request. */
  maxRecords: number;
  /** Most records of a batch that is a job. */
  maxJobRecords: number;
  /** null: the deployment has no jobs. */
  jobs: JobsSettings | null;
  signing: SigningSettings;
  /** Most milliseconds for filling one template with one record. */
  fillTimeout: number;
  /** Most milliseconds for printing one document. */
  printTimeout: number;
  /** Name of the function that converts documents; null for a deployment without one. */
  convertFunction: string | null;
  /** Most milliseconds for converting one document. */
  convertTimeout: number;
  /** The outside resources that templates may load (I-22). */
  outsideResources: 'open' | 'off' | readonly string[];
  chromeMode: ChromeMode;
  /** Path of an installed Chrome or Chromium; null for the layer's. */
  chrome: string | null;
  /** Folder of the layers: Lambda's `/opt`, or a folder of the local service. */
  layerRoot: string;
  /** Folder where Chromium is unpacked; the functions of a machine share it. */
  chromeDirectory: string;
  /** Folder of font files for text in SVG images of office templates; null if there is no fonts layer. */
  imageFonts: string | null;
}

/** @throws ConfigError naming the variable */
export function readConfig(env: Environment = process.env): Readonly<RenderConfig> {
  return Object.freeze({
    ...servingSettings(env),
    templatesTable: requiredString(env, 'PLATEN_TEMPLATES_TABLE'),
    filesBucket: requiredString(env, 'PLATEN_FILES_BUCKET'),
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
    cacheBytes: integer(env, 'PLATEN_CACHE_MB', { min: 0, max: 4_096, fallback: 64 }) * 1024 * 1024,
    maxRecords: integer(env, 'PLATEN_MAX_RECORDS', { min: 1, max: 100_000, fallback: 2_000 }),
    maxJobRecords: integer(env, 'PLATEN_MAX_JOB_RECORDS', { min: 1, max: 1_000_000, fallback: 100_000 }),
    jobs: jobsSettings(env),
    signing: signingSettings(env),
    fillTimeout: integer(env, 'PLATEN_FILL_TIMEOUT_MS', { min: 100, max: 300_000, fallback: 10_000 }),
    printTimeout: integer(env, 'PLATEN_PRINT_TIMEOUT_MS', { min: 1_000, max: 800_000, fallback: 30_000 }),
    convertFunction: optionalString(env, 'PLATEN_CONVERT_FUNCTION'),
    convertTimeout: integer(env, 'PLATEN_CONVERT_TIMEOUT_MS', { min: 1_000, max: 240_000, fallback: 60_000 }),
    outsideResources: outsideOf(list(env, 'PLATEN_OUTSIDE_RESOURCES')),
    chromeMode: oneOf(env, 'PLATEN_CHROME_MODE', ['auto', 'multi', 'single'] as const, 'auto'),
    chrome: optionalString(env, 'PLATEN_CHROME'),
    layerRoot: optionalString(env, 'PLATEN_LAYER_ROOT') ?? '/opt',
    chromeDirectory: optionalString(env, 'PLATEN_CHROME_DIR') ?? tmpdir(),
    imageFonts: imageFonts(env),
  });
}
