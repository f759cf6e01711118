import { roleOf } from './access.ts';
import { ACCOUNT, physicalName, REGION, type Resolver } from './resolver.ts';
import { AssemblyError } from './template.ts';

/** A state machine defined in the stacks. */
export interface StateMachineSpec {
  name: string;
  arn: string;
  /** ARN of its role; null for a role that its stack does not define, which has no rights here. */
  role: string | null;
  /** Definition in the Amazon States Language. */
  definition: unknown;
}

/** @throws AssemblyError for a definition that is not JSON */
export function readStateMachines(resolver: Resolver): StateMachineSpec[] {
  return Object.entries(resolver.template.resources)
    .filter(([, resource]) => resource.Type === 'AWS::StepFunctions::StateMachine')
    .map(([id, resource]) => {
      const name = physicalName(resolver, id);
      const text = resolver.text(resource.Properties?.['DefinitionString']);
      try {
        const role = roleOf(resolver, resource.Properties?.['RoleArn']);
        return { name, arn: stateMachineArn(name), role, definition: JSON.parse(text) as unknown };
      } catch (cause) {
        throw new AssemblyError(`The definition of the state machine ${name} is not JSON.`, { cause });
      }
    });
}

function stateMachineArn(name: string): string {
  return `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:${name}`;
}
