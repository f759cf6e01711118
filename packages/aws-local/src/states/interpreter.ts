import { setTimeout as sleep } from 'node:timers/promises';
import type { ChoiceState, Flow, MapState, Retrier, State, TaskState } from './language.ts';
import { checkSize, type Context, fillIn, lookUp, sizeOf, StateError, withResult } from './data.ts';

/** Runs a state machine from any of its states. */

/** The actions of states on other services. */
export interface Actions {
  /** Invokes a function and returns its result. @throws StateError */
  invoke(functionArn: string, payload: unknown): Promise<unknown>;
  /** Sends a message to a queue. @throws StateError */
  send(queueUrl: string, body: unknown): Promise<void>;
  /** Returns the lines of an object. @throws StateError */
  readLines(bucket: string, key: string): Promise<string[]>;
}

/** The progress that survives a crash. */
export interface RecordedProgress {
  /** Called before a state is entered. */
  entered(state: string, data: unknown): Promise<void>;
  /** Returns the finished items of a map, each with whether it succeeded. */
  itemsDone(state: string): Promise<Map<number, boolean>>;
  itemDone(state: string, index: number, succeeded: boolean): Promise<void>;
  /** Called when all items of a map are finished: it begins anew when it is entered again. */
  mapDone(state: string): Promise<void>;
}

export interface Run {
  actions: Actions;
  memory: RecordedProgress;
  signal: AbortSignal;
  /** Maximum concurrent items of a map, whatever the machine states: this is a laptop. */
  mapConcurrency: number;
  /** Factor for pauses before retries. */
  pauseFactor: number;
}

/** Items of a map do not record their progress: an interrupted item starts again. */
const FORGETFUL: RecordedProgress = {
  entered: async () => {},
  itemsDone: async () => new Map(),
  itemDone: async () => {},
  mapDone: async () => {},
};

/**
 * @returns the output of the last state
 * @throws StateError when the machine failed; the signal's reason
 */
export async function runFlow(
  flow: Flow,
  at: { state: string; data: unknown },
  run: Run,
  context: Context = {},
): Promise<unknown> {
  let { state: name, data } = at;
  for (;;) {
    run.signal.throwIfAborted();
    checkSize(`The input of ${name}`, sizeOf(data));
    await run.memory.entered(name, data);
    const state = flow.States[name] as State;
    switch (state.Type) {
      case 'Succeed':
        return data;
      case 'Fail':
        throw new StateError(state.Error ?? 'States.TaskFailed', state.Cause ?? '');
      case 'Choice':
        name = choose(name, state, data, context);
        continue;
      case 'Pass':
        if (state.OutputPath === null) data = {};
        break;
      case 'Task':
      case 'Map': {
        const outcome = await attempt(name, state, data, run, context);
        data = outcome.data;
        if (outcome.next !== undefined) {
          name = outcome.next;
          continue;
        }
      }
    }
    if (state.Next === undefined) return data;
    name = state.Next;
  }
}

function choose(name: string, { Choices, Default }: ChoiceState, data: unknown, context: Context): string {
  const found = Choices.find(({ Variable, StringEquals, BooleanEquals, IsPresent }) => {
    const value = lookUp(Variable, data, context);
    return (
      (StringEquals === undefined || value === StringEquals) &&
      (BooleanEquals === undefined || value === BooleanEquals) &&
      (IsPresent === undefined || (value !== undefined) === IsPresent)
    );
  });
  const next = found?.Next ?? Default;
  if (next === undefined) throw new StateError('States.NoChoiceMatched', `Nothing of ${name} matches.`);
  return next;
}

/** Runs a state with its retries, and returns the catcher's next state when all attempts fail. */
async function attempt(
  name: string,
  state: TaskState | MapState,
  data: unknown,
  run: Run,
  context: Context,
): Promise<{ data: unknown; next?: string }> {
  const tries = new Map<Retrier, number>();
  for (;;) {
    try {
      const result =
        state.Type === 'Task'
          ? await runTask(state, data, run, context)
          : await runMap(name, state, data, run, context);
      run.signal.throwIfAborted();
      const after = withResult(data, state.ResultPath, result);
      return { data: state.Type === 'Task' && state.OutputPath === null ? {} : after };
    } catch (error) {
      run.signal.throwIfAborted();
      if (!(error instanceof StateError)) throw error;
      const retrier = state.Retry.find(({ ErrorEquals }) => matches(ErrorEquals, error));
      const tried = retrier ? (tries.get(retrier) ?? 0) : 0;
      if (retrier && tried < retrier.MaxAttempts) {
        tries.set(retrier, tried + 1);
        await sleep(pause(retrier, tried) * run.pauseFactor, undefined, { signal: run.signal });
        continue;
      }
      const catcher = state.Catch.find(({ ErrorEquals }) => matches(ErrorEquals, error));
      if (!catcher) throw error;
      const cause = { Error: error.error, Cause: error.message };
      return { data: withResult(data, catcher.ResultPath, cause), next: catcher.Next };
    }
  }
}

/** Errors that end an execution and cannot be caught. */
const TERMINAL = new Set(['States.Runtime', 'States.DataLimitExceeded']);

function matches(names: readonly string[], { error }: StateError): boolean {
  return names.some((name) => name === error || (name === 'States.ALL' && !TERMINAL.has(error)));
}

/** Milliseconds. */
function pause(
  { IntervalSeconds, BackoffRate, MaxDelaySeconds, JitterStrategy }: Retrier,
  tried: number,
): number {
  const longest = Math.min(IntervalSeconds * BackoffRate ** tried, MaxDelaySeconds ?? Infinity) * 1000;
  return JitterStrategy === 'FULL' ? Math.random() * longest : longest;
}

async function runTask(
  { Parameters }: TaskState,
  data: unknown,
  run: Run,
  context: Context,
): Promise<unknown> {
  const filled = fillIn(Parameters, data, context) as TaskState['Parameters'];
  if ('QueueUrl' in filled) {
    await run.actions.send(filled.QueueUrl, filled.MessageBody);
    return {};
  }
  const { FunctionName, Payload } = filled;
  const result = { StatusCode: 200, Payload: await run.actions.invoke(FunctionName, Payload) };
  checkSize(`What ${FunctionName} gave`, sizeOf(result));
  return result;
}

async function runMap(
  name: string,
  state: MapState,
  data: unknown,
  run: Run,
  context: Context,
): Promise<null> {
  const { Bucket, Key } = fillIn(state.ItemReader.Parameters, data, context) as {
    Bucket: string;
    Key: string;
  };
  const items = parseItems(await run.actions.readLines(Bucket, Key));
  const known = await run.memory.itemsDone(name);
  let failed = [...known.values()].filter((succeeded) => !succeeded).length;
  const left = items.flatMap((_, index) => (known.has(index) ? [] : [index]));
  const tooMany = (): boolean => failed * 100 > state.ToleratedFailurePercentage * items.length;
  const processor: Flow = state.ItemProcessor;
  // The array of all items' results counts although it is discarded; a failed item contributes its error.
  let given = '[]'.length;

  const worker = async (): Promise<void> => {
    for (let index = left.shift(); index !== undefined && !tooMany(); index = left.shift()) {
      run.signal.throwIfAborted();
      const inside: Context = { Map: { Item: { Index: index, Value: items[index] } } };
      const input = state.ItemSelector ? fillIn(state.ItemSelector, data, inside) : items[index];
      let succeeded = true;
      let output: unknown;
      try {
        const start = { state: processor.StartAt, data: input };
        output = await runFlow(processor, start, { ...run, memory: FORGETFUL });
      } catch (error) {
        run.signal.throwIfAborted();
        if (!(error instanceof StateError)) throw error;
        succeeded = false;
        failed++;
        output = { Error: error.error, Cause: error.message };
      }
      given += sizeOf(output) + ','.length;
      await run.memory.itemDone(name, index, succeeded);
    }
  };
  const workers = Math.min(state.MaxConcurrency || Infinity, run.mapConcurrency, left.length);
  const outcomes = await Promise.allSettled(Array.from({ length: workers }, worker));
  run.signal.throwIfAborted();
  const broken = outcomes.find((outcome) => outcome.status === 'rejected');
  if (broken) throw broken.reason;
  checkSize(`What the items of ${name} gave`, given);
  if (tooMany()) {
    throw new StateError(
      'States.ExceedToleratedFailureThreshold',
      `${failed} of ${items.length} items failed.`,
    );
  }
  await run.memory.mapDone(name);
  return null;
}

function parseItems(lines: readonly string[]): unknown[] {
  return lines
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      try {
        return JSON.parse(line) as unknown;
      } catch {
        throw new StateError('States.ItemReaderFailed', `Line ${index + 1} is not JSON.`);
      }
    });
}
