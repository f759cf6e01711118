/** The options of renderings and pictures: their schemas, values, effects and checks. */

export {
  type NewTemplateData,
  OPTION_ALIASES,
  PAGE_DEFAULTS,
  REMOVABLE_OPTIONS,
  type Removable,
  type RenderOptions,
  type RenderingEngine,
  type SentTemplateData,
  TEMPLATE_FORMATS,
  TEMPLATING_ENGINES,
  type TemplateChange,
  type TemplateData,
  type TemplateFormat,
  type TemplatingEngine,
  pageOptionsSchema,
  renderOptionsSchema,
  tagsSchema,
  templateDataSchema,
  templateFieldsSchema,
} from '../options.ts';
export type { FailOn } from '../browser-options.ts';
export { claimsOf, warnOfNotes, warnOfViolations } from '../claims.ts';
export { encryptOptions } from '../encryption.ts';
export type { OfficeOptions } from '../office-options.ts';
export { refuseUnsupported } from '../option-check.ts';
export { type DocumentKind, documentKind, effectOf } from '../option-effects.ts';
export { CONTENT_HEIGHT, centimetresOf } from '../option-values.ts';
export { KEY_NAME, type SignOptions } from '../signatures.ts';
