import { PlatenError } from '@platen/core/errors';
import { schemaFault } from '@platen/templating/data-schema';

/** The schema that a template has for its data, as it is kept. @throws PlatenError `invalid_field` */
export function dataSchemaText(schema: object): string {
  const fault = schemaFault(schema);
  if (fault === null) return JSON.stringify(schema);
  const message = `template_data.data_schema ${fault}`;
  throw new PlatenError('invalid_field', `${message}.`, {
    faults: [{ field: 'template_data.data_schema', message }],
  });
}
