import { PlatenError } from '@platen/core/errors';
import { checkName } from './names.ts';

/** Samples: sets of data for trying a template. */

const MAX_NAME = 100;
/** Most bytes of one sample. */
const MAX_SAMPLE = 1024 * 1024;

/** Returns a sample's name from the path; its file is `<name>.json`. @throws PlatenError `invalid_field` */
export function sampleName(name: string): string {
  checkName(`${name}.json`, 'name');
  if (name !== '' && name.length <= MAX_NAME) return name;
  const message = `the name of a sample must have at most ${MAX_NAME} characters and no slash`;
  throw new PlatenError('invalid_field', `${message}.`, { faults: [{ field: 'name', message }] });
}

/** @param text JSON @throws PlatenError `file_too_large` */
export function checkSample(text: string): void {
  if (Buffer.byteLength(text) <= MAX_SAMPLE) return;
  throw new PlatenError('file_too_large', `A sample may have ${MAX_SAMPLE / 1024} KB.`);
}
