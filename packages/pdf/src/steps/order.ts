import type { StepName } from './types.ts';

/** A step at a wrong position: `message` completes "steps[2] must be …". */
export interface OrderFault {
  /** 0-based. */
  step: number;
  message: string;
}

/** Steps that are meaningless, or certainly unintended, if they occur twice. */
const ONCE: ReadonlySet<StepName> = new Set<StepName>([
  'merge',
  'decrypt',
  'encrypt',
  'conform',
  'factur_x',
  'flatten',
  'linearize',
]);

/** The permitted successors of a step that ends the changes of a document, and the reason. */
const LAST: Partial<Readonly<Record<StepName, { before: ReadonlySet<StepName>; why: string }>>> = {
  sign: { before: new Set<StepName>(['sign']), why: 'any later change would break the signature' },
  conform: {
    before: new Set<StepName>(['factur_x', 'sign', 'linearize']),
    why: 'any later change could break the conformance',
  },
  factur_x: {
    before: new Set<StepName>(['sign', 'linearize']),
    why: 'any later change could break the conformance',
  },
  encrypt: { before: new Set<StepName>(['linearize']), why: 'an encrypted file is finished' },
  linearize: { before: new Set<StepName>(['encrypt']), why: 'any later change would undo it' },
};

/** Steps that exclude each other, regardless of their order. */
const APART: readonly { steps: readonly [StepName, StepName]; why: string }[] = [
  { steps: ['encrypt', 'conform'], why: 'PDF/A forbids encryption' },
  { steps: ['encrypt', 'factur_x'], why: 'Factur-X is based on PDF/A, which forbids encryption' },
  { steps: ['encrypt', 'sign'], why: 'encryption is part of what is signed' },
  { steps: ['linearize', 'sign'], why: 'a signature is appended, which would undo linearization' },
];

/**
 * Checks that the steps can be executed in their order.
 *
 * @param names of the steps, in order
 * @returns the faults, each at the position that has to change first; if two steps conflict both are named
 */
export function orderFaults(names: readonly StepName[]): OrderFault[] {
  const faults: OrderFault[] = [];
  names.forEach((name, step) => {
    const fault = faultAt(names, name, step);
    if (fault === undefined) return;
    faults.push({ step, message: fault.later });
    if (fault.earlier !== undefined) faults.push({ step: fault.other, message: fault.earlier });
  });
  return faults;
}

interface Conflict {
  other: number;
  later: string;
  earlier?: string;
}

/** The conflict of a step with an earlier one. */
function faultAt(names: readonly StepName[], name: StepName, step: number): Conflict | undefined {
  const place = (other: number): string => `\`${names[other]}\` (steps[${other}])`;
  const before = names.slice(0, step);
  const first = before.indexOf(name);
  if (ONCE.has(name) && first !== -1) {
    return { other: first, later: `left out: \`${name}\` may occur only once (steps[${first}])` };
  }
  for (const { steps, why } of APART) {
    if (!steps.includes(name)) continue;
    const other = before.indexOf(steps[0] === name ? steps[1] : steps[0]);
    if (other !== -1) return { other, later: `left out: it excludes ${place(other)}, since ${why}` };
  }
  if (name === 'decrypt' && step > 0) {
    return { other: 0, later: 'the first step: a protected file cannot be changed' };
  }
  if (name === 'fill' && before.includes('flatten')) {
    const other = before.indexOf('flatten');
    return { other, later: `before ${place(other)}, after which there are no fields` };
  }
  const other = before.findIndex((earlier) => LAST[earlier]?.before.has(name) === false);
  const rule = LAST[names[other] ?? name];
  if (other === -1 || rule === undefined) return undefined;
  return {
    other,
    later: `before ${place(other)}: ${rule.why}`,
    earlier: `after ${place(step)}: ${rule.why}`,
  };
}
