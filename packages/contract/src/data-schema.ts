import { PlatenError } from '@platen/core/errors';
import { schemaFault } from '@platen/templating/data-schema';

/** Returns the schema of a template's data as the text that is stored. @throws PlatenError `invalid_field` */
export function dataSchemaText(schema: object): string {
  const fault = schemaFault(schema);
  if (fault === null) return JSON.stringify(schema);
  const message = `template_data.data_schema ${fault}`;
  throw new PlatenError('invalid_field', `${message}.`, {
    faults: [{ field: 'template_data.data_schema', message }],
  });
}
