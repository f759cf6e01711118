import { type FieldFault, PlatenError } from '@platen/core/errors';

/**
 * Most placeholders to parse. Both languages take about a second for twice as many; the time of Liquid's parser
 * grows with the square of their number. The text between them is limited only by the size of the file.
 */
const MAX_PLACEHOLDERS = 20_000;
const MAX_CODE_CHARACTERS = 512 * 1024;

/** @throws PlatenError `template_budget` */
export function checkPlaceholders(text: string, place: Pick<FieldFault, 'field' | 'file'>): void {
  let count = 0;
  let characters = 0;
  const open = /\{[{%]/g;
  for (let found = open.exec(text); found; found = open.exec(text)) {
    const close = text.indexOf(found[0] === '{{' ? '}}' : '%}', open.lastIndex);
    const end = close < 0 ? text.length : close;
    count += 1;
    characters += end - found.index;
    if (count > MAX_PLACEHOLDERS) refuse(`more than ${MAX_PLACEHOLDERS} placeholders`, place);
    if (characters > MAX_CODE_CHARACTERS) {
      refuse(`placeholders of more than ${MAX_CODE_CHARACTERS / 1024} KB in all`, place);
    }
    open.lastIndex = end;
  }
}

function refuse(what: string, place: Pick<FieldFault, 'field' | 'file'>): never {
  const message = `The ${place.file} holds ${what}`;
  throw new PlatenError('template_budget', `${message}.`, { faults: [{ ...place, message }] });
}
