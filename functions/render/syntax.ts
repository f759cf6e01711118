import { isWebFormat } from '@platen/print';
import type { TemplateSource } from '@platen/templating';
import { htmlSources, wantedFurniture } from './html/fill.ts';
import type { Printing } from './printing.ts';
import { checkOfficeTemplate } from '@platen/office';
import type { Plan } from './plan.ts';

/**
 * Checks for errors that do not depend on the data: a template, header, footer or name that does not parse.
 * Parsed templates are kept for filling.
 *
 * @throws PlatenError `template_syntax`, `template_budget`, as filling would throw them; for office files
 * `office_file_damaged`, `office_file_encrypted`, `deadline_exceeded`
 */
export async function checkSyntax(
  { template, settings, output }: Plan,
  { filler, signal }: Pick<Printing, 'filler' | 'signal'>,
): Promise<void> {
  const { templatingEngine: engine, filename } = settings;
  const { format, bytes } = template;
  if (engine === 'none') return;
  const name: TemplateSource[] = filename === null ? [] : [{ file: 'filename', text: filename }];
  if (isWebFormat(format)) {
    const printed = output === 'pdf' ? wantedFurniture(template, settings) : { header: null, footer: null };
    await filler.check({ engine, sources: [...name, ...htmlSources({ ...template, ...printed })] }, signal);
    return;
  }
  if (name.length > 0) await filler.check({ engine, sources: name }, signal);
  if (format !== 'pdf') await checkOfficeTemplate(bytes, format, engine, { signal });
}
