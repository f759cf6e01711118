import { randomUUID } from 'node:crypto';
import { JsonApi, unsupportedAction } from '../json-api.ts';
import type { Access } from '../iam/access.ts';
import type { ExecutionRecord, StateMachines } from './index.ts';

/** The part of Step Functions' API that functions use. The SDK finds it by AWS_ENDPOINT_URL_SFN. */

interface Order {
  stateMachineArn?: string;
  executionArn?: string;
  name?: string;
  input?: string;
  error?: string;
  cause?: string;
}

export async function listenForStates(access: Access): Promise<JsonApi<StateMachines, Order>> {
  return await JsonApi.listen(access, {
    target: 'AWSStepFunctions',
    needs: (action, { stateMachineArn, executionArn }) => [
      { action: `states:${action}`, resource: stateMachineArn ?? executionArn ?? '' },
    ],
    answer,
  });
}

async function answer(machines: StateMachines, action: string, order: Order): Promise<object> {
  const execution = (order.executionArn ?? '').split(':').at(-1) ?? '';
  switch (action) {
    case 'StartExecution': {
      const { stateMachineArn = '', name = randomUUID(), input = '{}' } = order;
      const record = await machines.start(stateMachineArn, name, input, Date.now());
      return { executionArn: arnOf(record), startDate: seconds(record.started) };
    }
    case 'StopExecution': {
      const record = await machines.stop(execution, order.error ?? null, order.cause ?? null);
      return { stopDate: seconds(record.stopped ?? Date.now()) };
    }
    case 'DescribeExecution': {
      const record = machines.describe(execution);
      return {
        executionArn: arnOf(record),
        stateMachineArn: record.machine,
        name: record.name,
        status: record.status,
        startDate: seconds(record.started),
        ...(record.stopped === null ? {} : { stopDate: seconds(record.stopped) }),
        input: record.input,
        ...(record.error === null ? {} : { error: record.error }),
        ...(record.cause === null ? {} : { cause: record.cause }),
      };
    }
    default:
      throw unsupportedAction(action);
  }
}

function arnOf({ machine, name }: ExecutionRecord): string {
  return `${machine.replace(':stateMachine:', ':execution:')}:${name}`;
}

function seconds(milliseconds: number): number {
  return milliseconds / 1000;
}
