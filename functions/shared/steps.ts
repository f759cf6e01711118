import type { Step } from '@platen/pdf/steps';
import type { Permissions } from '@platen/pdf/encrypt';
import type { WireStep } from './contract/steps.ts';

/** The steps of a request as @platen/pdf takes them: names on the wire end here. */
export function stepsOf(wire: readonly WireStep[]): Step[] {
  return wire.map(stepOf);
}

function stepOf(step: WireStep): Step {
  switch (step.name) {
    case 'encrypt': {
      const { password, owner_password: ownerPassword, permissions } = step.members;
      return {
        name: step.name,
        options: { password, ownerPassword, permissions: permissionsOf(permissions) },
      };
    }
    case 'metadata':
      return { name: step.name, options: definedOf(step.members) };
    default:
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
