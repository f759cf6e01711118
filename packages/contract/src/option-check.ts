import {
  DOCUMENT_KINDS,
  type DocumentKind,
  effectOf,
  honouringKinds,
  OPTION_NAMES,
} from './option-effects.ts';
import type { RenderOptions } from './options.ts';
import { type FieldFault, PlatenError } from '@platen/core/errors';
import { parsePageRange } from '@platen/pdf/options';

/** Options from one place of the request; null and undefined mean "not given". */
export interface GivenOptions {
  /** Name of the field in the request, such as `render_options`. */
  field: string;
  options: { readonly [K in keyof RenderOptions]?: RenderOptions[K] | null | undefined };
}

/**
 * Refuses requested options that this kind of document does not support (option-effects.ts). The values
 * themselves were validated when the request was read.
 *
 * @param given in order of precedence: when several places give an option, the first one counts
 * @throws PlatenError `option_not_supported`, naming each option and the kinds of documents that honour it
 */
export function refuseUnsupported(kind: DocumentKind, ...given: readonly GivenOptions[]): void {
  const faults: FieldFault[] = [];
  for (const option of OPTION_NAMES.filter((name) => effectOf(name, kind) === 'refused')) {
    const place = given.find(({ options }) => (options[option] ?? null) !== null);
    if (place === undefined || !asksForSomething(option, place.options)) continue;
    const field = `${place.field}.${option}`;
    const allowed = honouringKinds(option, kind).map((other) => DOCUMENT_KINDS[other].name);
    const overridden = place === given[0] ? '' : `; ${given[0]?.field}.${option} overrides it`;
    const instead = allowed.length === 0 ? '' : `, but in ${allowed.join(' or ')}`;
    const message = `${field} cannot be honoured in ${DOCUMENT_KINDS[kind].name}${instead}${overridden}`;
    faults.push({ field, message, allowed });
  }
  if (faults.length === 0) return;
  throw new PlatenError('option_not_supported', `${faults.map(({ message }) => message).join('; ')}.`, {
    faults,
  });
}

/** Default values, which request no effect. */
const ORDINARY: { readonly [K in keyof RenderOptions]?: RenderOptions[K] } = {
  first_page_number: 1,
  rendering_engine: 'chrome',
  javascript: true,
  full_page: true,
  device_scale: 1,
};

/** Returns whether the option changes anything: `false`, an empty text and all pages request nothing. */
function asksForSomething(option: keyof RenderOptions, options: GivenOptions['options']): boolean {
  const value = options[option];
  if (option in ORDINARY) return value !== ORDINARY[option];
  if (Array.isArray(value) && value.length === 0) return false;
  if (option !== 'page_range') return value !== false && value !== '';
  return parsePageRange(String(options.page_range)).some(({ first, last }) => first !== 1 || last !== null);
}
