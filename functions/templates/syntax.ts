import type { TemplatingEngine } from '@platen/contract/options';
import { BARCODE_FILTERS } from '@platen/imaging/barcode/filters';
import { LANGUAGE_FILTERS } from '@platen/templating/languages/names';
import { type FieldFault, PlatenError, aroundColumn } from '@platen/core/errors';
import { checkPlaceholders } from './placeholders.ts';

/** Checks that the placeholders of a template parse (I-8). */

/** One text of a template, and where it comes from. */
export interface TemplateText {
  /** Name of the field in the API. */
  field: string;
  /** The name in errors: `template`, `header`, `footer`, `filename`, or a partial. */
  file: string;
  text: string;
}

/** The language of placeholders. */
type Language = Exclude<TemplatingEngine, 'none'>;

interface Finding {
  /** `template_budget`: too many placeholders, rather than invalid ones. */
  code: 'template_syntax' | 'template_budget';
  fault: FieldFault;
}

/** Returns the fault of a text; null if it parses. */
type Checker = (source: TemplateText) => Finding | null;

/**
 * @throws PlatenError `template_syntax` or `template_budget`, with a fault for each text that does not parse, which
 * names file, line and column
 */
export async function checkTemplateSyntax(
  texts: readonly TemplateText[],
  engine: TemplatingEngine,
): Promise<void> {
  if (texts.length === 0 || engine === 'none') return;
  for (const { field, file, text } of texts) checkPlaceholders(text, { field, file });
  const findings = findAll(texts, await checkerFor(engine));
  const [first] = findings;
  if (!first) return;
  const { file, line, column, message } = first.fault;
  const place = line === undefined ? '' : ` in line ${line}, column ${column ?? 1}`;
  const verdict = first.code === 'template_syntax' ? 'cannot be parsed' : 'exceeds a limit';
  const isPartial = file?.startsWith('partials/') === true;
  const hint = first.code === 'template_syntax' && !isPartial ? await otherLanguage(texts, engine) : '';
  const name = (file ?? '').replace(/^partials\//, 'partial ');
  throw new PlatenError(first.code, `The ${name} ${verdict}${place}: ${message}.${hint}`, {
    faults: findings.map(({ fault }) => fault),
  });
}

function findAll(texts: readonly TemplateText[], check: Checker): Finding[] {
  return texts.map(check).filter((finding) => finding !== null);
}

/** Returns a hint for callers who chose the wrong language, or who use none. */
async function otherLanguage(texts: readonly TemplateText[], engine: Language): Promise<string> {
  const other = engine === 'liquid' ? 'jinja2' : 'liquid';
  const parses = findAll(texts, await checkerFor(other)).length === 0;
  const none = 'to none if it contains no placeholders.';
  return parses
    ? ` It would parse as ${other}: set template_data.templating_engine if it is, or ${none}`
    : ` Set template_data.templating_engine ${none}`;
}

/** Languages are loaded when needed: most calls of this function need neither. */
async function checkerFor(engine: Language): Promise<Checker> {
  return engine === 'liquid' ? await liquidChecker() : await jinjaChecker(engine);
}

/** The filters that a rendering adds to the dialect's own; only their names matter here. */
const OWN_FILTERS = Object.fromEntries(
  [...BARCODE_FILTERS, ...LANGUAGE_FILTERS, 'markdown', 'chart'].map((name) => [name, () => null]),
);

async function jinjaChecker(dialect: 'jinja2' | 'flask'): Promise<Checker> {
  const { ALL_EXTENSIONS, BudgetError, checkSyntax, TemplateError } = await import('@platen/jinja');
  return (source) => {
    try {
      const { text, file: name } = source;
      checkSyntax(text, { name, dialect, extensions: ALL_EXTENSIONS, filters: OWN_FILTERS, i18n: {} });
      return null;
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      const code = error instanceof BudgetError ? 'template_budget' : 'template_syntax';
      return { code, fault: fault(source, error.message, error.line, error.column) };
    }
  };
}

async function liquidChecker(): Promise<Checker> {
  const { Liquid, LiquidError } = await import('liquidjs');
  const liquid = new Liquid();
  return (source) => {
    try {
      liquid.parse(source.text, source.file);
      return null;
    } catch (error) {
      if (!LiquidError.is(error)) throw error;
      const [line, column] = error.token.getPosition();
      if (error.originalError instanceof RangeError) {
        return { code: 'template_budget', fault: fault(source, 'It is nested too deeply', line, column) };
      }
      // Its message ends with the position, which is reported separately.
      const message = error.message.split(/, (?:file:[^,\n]*, )?line:\d+, col:\d+/, 1)[0] ?? '';
      return { code: 'template_syntax', fault: fault(source, message, line, column) };
    }
  };
}

function fault(
  { field, file, text }: TemplateText,
  message: string,
  line: number | undefined,
  column: number | undefined,
): FieldFault {
  const place: FieldFault = { field, file, message: message.replace(/\.$/, '') };
  if (line === undefined) return place;
  const source = text.split(/\r\n|[\r\n]/, line)[line - 1] ?? '';
  return {
    ...place,
    line,
    ...(column === undefined ? {} : { column }),
    source: aroundColumn(source, column ?? 1),
  };
}
