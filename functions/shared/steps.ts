import { type FieldFault, PlatenError } from '@platen/core/errors';
import type { Permissions } from '@platen/pdf/encrypt';
import type { Step } from '@platen/pdf/steps';
import { orderFaults } from '@platen/pdf/steps/order';
import type { StepName } from '@platen/pdf/steps/types';
import type { RenderOptions } from './contract/options.ts';
import { type WireStep, wireSteps } from './contract/steps.ts';

/** The steps of a request as @platen/pdf takes them: names on the wire, and names of parts, end here. */

/** What a step needs of the request besides its members: a part, and where it is named. */
interface NamedPart {
  /** Such as `steps[2].stamp.image`. */
  field: string;
  part: string;
}

/** Where one step of a list is, or a single one. @param list name of the list; null: the step stands alone */
function placeOf({ name }: WireStep, index: number, list: string | null): string {
  return list === null ? '' : `${list}[${index}].${name}.`;
}

/**
 * Looks whether the steps have what their schemas cannot ask for: one thing to stamp, and the parts they name.
 *
 * @param list name of the field with the steps; null where a step's members are the fields
 * @param parts names of the parts that are for steps
 * @returns names of the parts that are needed
 * @throws PlatenError `missing_field`, `steps_invalid`
 */
export function checkSteps(
  steps: readonly WireStep[],
  list: string | null,
  parts: ReadonlySet<string>,
): Set<string> {
  const missing: FieldFault[] = [];
  const needed = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const place = placeOf(step, index, list);
    if (step.name === 'stamp' || step.name === 'watermark') checkStamped(step.members, place);
    for (const { field, part } of partsOf(step, place)) {
      needed.add(part);
      if (parts.has(part)) continue;
      const message = `${field} names the part \`${part.slice(0, 100)}\`, which the request has not`;
      missing.push({ field, message, value: part.slice(0, 100), allowed: [...parts].slice(0, 20) });
    }
  }
  if (missing.length === 0) return needed;
  throw new PlatenError('missing_field', `${missing.map(({ message }) => message).join('; ')}.`, {
    faults: missing,
  });
}

/**
 * The steps that the options of a rendering have. A rendering has no parts for them, so none can name one.
 *
 * @throws PlatenError `steps_invalid` for steps that `compress` and `encrypt_password` cannot follow; as `checkSteps`
 */
export function stepsOfRendering({
  steps = [],
  compress,
  encrypt_password: password,
}: Pick<RenderOptions, 'steps' | 'compress' | 'encrypt_password'>): Step[] {
  const wire = wireSteps(steps);
  checkSteps(wire, 'render_options.steps', new Set());
  if (wire.length === 0) return [];
  const names: StepName[] = wire.map(({ name }) => name);
  for (const [option, step, isGiven] of [
    ['compress', 'compress', compress === true],
    ['encrypt_password', 'encrypt', password !== undefined],
  ] as const) {
    const [fault] = isGiven ? orderFaults([...names, step]) : [];
    if (fault === undefined) continue;
    const field = `render_options.${option}`;
    const message = `${field} is carried out behind the steps, and must be ${fault.message}`;
    throw new PlatenError('steps_invalid', `${message}.`, { faults: [{ field, message }] });
  }
  return stepsOf(wire, new Map());
}

type StampMembers = Extract<WireStep, { name: 'stamp' }>['members'];

function checkStamped(members: StampMembers, place: string): void {
  const given = (['text', 'image', 'pdf'] as const).filter((name) => members[name] !== undefined);
  if (given.length === 1) return;
  const field = `${place}${given[1] ?? 'text'}`;
  const message =
    given.length === 0
      ? `${field} is missing, or else image or pdf: one of them is what is stamped`
      : `${field} must be left out, since ${place}${given[0]} is given: one of them is what is stamped`;
  throw new PlatenError(given.length === 0 ? 'missing_field' : 'steps_invalid', `${message}.`, {
    faults: [{ field, message }],
  });
}

function partsOf(step: WireStep, place: string): NamedPart[] {
  const named = (member: string, part: string | undefined): NamedPart[] =>
    part === undefined ? [] : [{ field: `${place}${member}`, part }];
  switch (step.name) {
    case 'stamp':
    case 'watermark':
      return [...named('image', step.members.image), ...named('pdf', step.members.pdf)];
    case 'letterhead':
      return [...named('pdf', step.members.pdf), ...named('first', step.members.first)];
    case 'attach':
      return step.members.files.flatMap(({ file }, index) => named(`files[${index}].file`, file));
    default:
      return [];
  }
}

/** @param paths of the files, by the names of their parts */
export function stepsOf(wire: readonly WireStep[], paths: ReadonlyMap<string, string>): Step[] {
  return wire.map((step) => stepOf(step, (part) => paths.get(part) ?? ''));
}

function stepOf(step: WireStep, pathOf: (part: string) => string): Step {
  const optional = (part: string | undefined): string | undefined =>
    part === undefined ? undefined : pathOf(part);
  switch (step.name) {
    case 'encrypt': {
      const { password, owner_password: ownerPassword, permissions } = step.members;
      const options = { password, ownerPassword, permissions: permissionsOf(permissions) };
      return { name: step.name, options };
    }
    case 'metadata':
      return { name: step.name, options: definedOf(step.members) };
    case 'stamp':
    case 'watermark': {
      const { image, pdf, ...members } = step.members;
      return { name: step.name, options: { ...members, image: optional(image), pdf: optional(pdf) } };
    }
    case 'letterhead': {
      const { pdf, first } = step.members;
      return { name: step.name, options: { pdf: pathOf(pdf), first: optional(first) } };
    }
    case 'attach': {
      const files = step.members.files.map(({ file, ...rest }) => ({ ...rest, file: pathOf(file) }));
      return { name: step.name, options: { files } };
    }
    default:
      // The others have no names that differ.
      return { name: step.name, options: step.members } as Step;
  }
}

type WirePermissions = Extract<WireStep, { name: 'encrypt' }>['members']['permissions'];

function permissionsOf(given: WirePermissions): Permissions | undefined {
  if (given === undefined) return undefined;
  const { fill_forms: fillForms, ...others } = given;
  return { ...others, fillForms };
}

function definedOf<T>(members: Readonly<Record<string, T | undefined>>): Record<string, T> {
  const given = Object.entries(members).filter((entry): entry is [string, T] => entry[1] !== undefined);
  return Object.fromEntries(given);
}
