import { PlatenError } from '@platen/core/errors';

/**
 * `ImageFile.uri`: the name of the variable that stands for the image in a template (I-11). It consists of
 * names of the template languages, joined by dots.
 */

const MAX_LENGTH = 255;
const NAME = /^[\p{ID_Start}_]\p{ID_Continue}*$/u;
/** Reserved words of Jinja2 and Liquid, which cannot be variables. */
const RESERVED: ReadonlySet<string> = new Set(
  'and or not in is if else elif endif for endfor true false none True False None nil null empty blank'.split(
    ' ',
  ),
);

/**
 * Validates the `uri` of an image and returns it.
 *
 * @param field name of the field for errors
 * @throws PlatenError `invalid_field`
 */
export function checkImageUri(uri: string, field = 'template_data.uri'): string {
  if (uri.split('.').every(isVariableName)) return uri;
  const suggestion = variableName(uri);
  const message =
    `${field} is "${uri}" but has to be usable as a variable: letters, digits and underscores, ` +
    `no digit first; dots make nested names${suggestion === null ? '' : ` (for example "${suggestion}")`}`;
  throw new PlatenError('invalid_field', `${message}.`, {
    faults: [{ field, message, value: uri }],
  });
}

/**
 * Returns the `uri` of an image for which the client gave none: its file name without the extension, with
 * invalid characters replaced (`Company logo (2).png` → `Company_logo_2`); without a usable file name
 * `image`, `image2`, and so on.
 *
 * @param taken the uris of the template's other images
 */
export function defaultImageUri(filename: string | null, taken: readonly string[]): string {
  const stem = (filename ?? '').replace(/(?<=.)\.[^.]*$/su, '');
  const named = variableName(stem);
  if (named !== null) return named;
  for (let n = 1; ; n += 1) {
    const uri = n === 1 ? 'image' : `image${n}`;
    if (!taken.includes(uri)) return uri;
  }
}

/** Names that begin with two underscores are reserved by the template languages. */
function isVariableName(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name) && !name.startsWith('__');
}

/** Returns the closest valid dotted variable name; null when the text has no usable character. */
function variableName(text: string): string | null {
  const segments = text
    .normalize('NFC')
    .split('.')
    .map((segment) => segment.replace(/[^\p{ID_Continue}]+/gu, '_').replace(/^_+|(?<!_)_+$/g, ''))
    .filter((segment) => segment !== '')
    .map((segment) => (NAME.test(segment) ? segment : `_${segment}`))
    .map((segment) => (RESERVED.has(segment) ? `${segment}_` : segment));
  const name = [...segments.join('.')].slice(0, MAX_LENGTH).join('').replace(/\.$/, '');
  return name === '' ? null : name;
}
