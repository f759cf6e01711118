import type { TemplatingEngine } from '../shared/contract/options.ts';
import { type FieldFault, PlatenError } from '../shared/errors.ts';

/** Checking that the placeholders of a template parse (decision 8). */

/** One text of a template and where it came from. */
export interface TemplateText {
  /** Name of the field on the wire. */
  field: string;
  file: 'template' | 'header' | 'footer';
  text: string;
}

/** Finds what is wrong with one text; null when it parses. */
type Checker = (source: TemplateText) => FieldFault | null;

/** How much of a faulty line is shown: a minified page is one line. */
const SHOWN_SOURCE = 160;

/**
 * @throws PlatenError `template_syntax` with a fault for each text that does not parse, which names file, line and
 * column
 */
export async function checkSyntax(texts: readonly TemplateText[], engine: TemplatingEngine): Promise<void> {
  if (texts.length === 0) return;
  const faults = findFaults(texts, await checkerFor(engine));
  const [first] = faults;
  if (!first) return;
  const place = first.line === undefined ? '' : `, line ${first.line}`;
  throw new PlatenError(
    'template_syntax',
    `The ${first.file} cannot be parsed${place}: ${first.message}.${await otherLanguage(texts, engine)}`,
    { faults },
  );
}

function findFaults(texts: readonly TemplateText[], check: Checker): FieldFault[] {
  return texts.map(check).filter((fault) => fault !== null);
}

/** A sentence for those who forgot to say which language they write. */
async function otherLanguage(texts: readonly TemplateText[], engine: TemplatingEngine): Promise<string> {
  const other = engine === 'liquid' ? 'jinja2' : 'liquid';
  const parses = findFaults(texts, await checkerFor(other)).length === 0;
  return parses ? ` It would parse as ${other}: set template_data.templating_engine if it is.` : '';
}

/** The languages are loaded when they are needed: most calls of this function need neither. */
async function checkerFor(engine: TemplatingEngine): Promise<Checker> {
  return engine === 'liquid' ? await liquidChecker() : await jinjaChecker(engine);
}

async function jinjaChecker(dialect: 'jinja2' | 'flask'): Promise<Checker> {
  const { Environment, TemplateError } = await import('#jinja');
  const environment = new Environment({ dialect });
  return (source) => {
    try {
      environment.compile(source.text, source.file);
      return null;
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return fault(source, error.message, error.line, error.column);
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
      // Its message ends with the place, which is given apart.
      return fault(source, error.message.replace(/, (file:.*, )?line:\d+, col:\d+[^]*$/, ''), line, column);
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
    source: around(source, column ?? 1),
  };
}

/** The part of a line around a 1-based column. */
function around(line: string, column: number): string {
  if (line.length <= SHOWN_SOURCE) return line;
  const start = Math.max(0, Math.min(column - SHOWN_SOURCE / 2, line.length - SHOWN_SOURCE));
  return line.slice(start, start + SHOWN_SOURCE).toWellFormed();
}
