import { PlatenError, type FieldFault, aroundColumn } from '@platen/core/errors';
import { adviceFor, tagAt } from './advice.ts';
import type { FillFault } from './protocol.ts';

const CODES = {
  syntax: 'template_syntax',
  render: 'template_render',
  budget: 'template_budget',
  data: 'render_data_invalid',
} as const;

const SENTENCES = {
  syntax: (file: string) => `The ${file} cannot be parsed`,
  render: (file: string) => `The ${file} cannot be filled`,
  budget: (file: string) => `The ${file} exceeds a limit`,
} as const;

/** Returns the error that a caller may see for a fault. */
export function errorOf(given: FillFault): PlatenError {
  const tag = tagAt(given.source ?? '', given.column ?? 1);
  const fault = { ...given, message: given.message + adviceFor(given.message, tag) };
  if (fault.kind === 'data') {
    return new PlatenError('render_data_invalid', fault.message, {
      faults: [{ field: 'render_data', message: fault.message }],
    });
  }
  const file = fault.file ?? 'template';
  const words = file.replace(/^partials\//, 'partial ');
  const place = fault.line === undefined ? '' : ` in line ${fault.line}, column ${fault.column ?? 1}`;
  const message = `${SENTENCES[fault.kind](words)}${place}: ${fault.message}`;
  const detail: FieldFault = { field: file, file, message: fault.message };
  if (fault.line !== undefined) detail.line = fault.line;
  if (fault.column !== undefined) detail.column = fault.column;
  if (fault.source !== undefined) detail.source = aroundColumn(fault.source, fault.column ?? 1);
  return new PlatenError(CODES[fault.kind], message, { faults: [detail] });
}
