import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvokeStore, InvokeStoreBase } from '@aws/lambda-invoke-store';
import { killDescendants } from '../process-tree.ts';
import { RuntimeClient, type Invocation } from './client.ts';
import { HttpResponseStream, responseStream } from './response-stream.ts';

/**
 * The program inside an execution environment, in the place of Amazon's runtime for Node. It loads the
 * function, fetches events from the Runtime API one after the other and sends back the results. Where an environment
 * handles several events at a time, it works as one worker thread of Lambda Managed Instances does: each event has
 * its own context, and trace ids come from the store of invocations. It is bundled to one file before use.
 */

type Handler = (event: unknown, ...rest: unknown[]) => unknown;

const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');

/**
 * End of a pipe that the service keeps open: when it closes, the service has ended. It also carries the ids of
 * abandoned events, and in the other direction the ids of events that have been received.
 */
const LIFELINE_FD = 3;

/** The events that the function works on, by their ids; each is aborted when its caller has disconnected. */
const current = new Map<string, AbortController>();

const environment = process.env;

function variable(name: string): string {
  const value = environment[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}

/** Ends the environment with all its descendants when the service has ended. @returns the pipe to the service */
function endWithService(): Socket {
  const lifeline = new Socket({ fd: LIFELINE_FD, readable: true, writable: true });
  let unread = '';
  const end = (): void => {
    killDescendants(process.pid);
    process.exit(0);
  };
  lifeline.on('error', end).on('close', end);
  lifeline.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (unread + chunk).split('\n');
    unread = lines.pop() ?? '';
    // An event that has been answered meanwhile is no longer among them.
    for (const requestId of lines) current.get(requestId)?.abort();
  });
  return lifeline.unref();
}

/**
 * Lets ES modules find packages of layers through NODE_PATH, as Lambda's Node does and plain Node does not.
 */
function resolveFromLayers(): void {
  const folders = (environment['NODE_PATH'] ?? '').split(':').filter((folder) => existsSync(folder));
  if (folders.length === 0) return;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      try {
        return nextResolve(specifier, context);
      } catch (error) {
        for (const folder of folders) {
          try {
            return nextResolve(specifier, {
              ...context,
              parentURL: pathToFileURL(join(folder, '..', 'x')).href,
            });
          } catch {
            // The package is not in this layer: if none has it, the first error is reported.
          }
        }
        throw error;
      }
    },
  });
}

async function loadHandler(): Promise<Handler> {
  const [file = '', name = ''] = variable('_HANDLER').split(/\.(?=[^.]+$)/);
  const path = ['.mjs', '.js', '.cjs']
    .map((ending) => resolve(variable('LAMBDA_TASK_ROOT'), file + ending))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`There is no module ${file}.`);
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const handler = module[name];
  if (typeof handler !== 'function') throw new Error(`The module ${file} exports no function ${name}.`);
  return handler as Handler;
}

function contextOf({ requestId, deadline, functionArn }: Invocation, abandoned: AbortSignal): object {
  return {
    // Lambda does not have this signal.
    abandoned,
    awsRequestId: requestId,
    invokedFunctionArn: functionArn,
    functionName: variable('AWS_LAMBDA_FUNCTION_NAME'),
    functionVersion: variable('AWS_LAMBDA_FUNCTION_VERSION'),
    memoryLimitInMB: variable('AWS_LAMBDA_FUNCTION_MEMORY_SIZE'),
    logGroupName: variable('AWS_LAMBDA_LOG_GROUP_NAME'),
    logStreamName: variable('AWS_LAMBDA_LOG_STREAM_NAME'),
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
}

async function answer(
  client: RuntimeClient,
  handler: Handler,
  invocation: Invocation,
  context: object,
): Promise<void> {
  if (STREAMING in handler) {
    const { stream, done, fail } = responseStream(client, invocation.requestId);
    try {
      await handler(invocation.event, stream, context);
      // As on Lambda, a handler that returns without ending its stream waits here until its timeout.
      await done;
    } catch (error) {
      fail(error);
      await done;
    }
    return;
  }
  let result: string;
  try {
    result = JSON.stringify((await handler(invocation.event, context)) ?? null);
  } catch (error) {
    await client.sendError(invocation.requestId, error);
    return;
  }
  await client.sendResult(invocation.requestId, result);
}

async function run(): Promise<void> {
  const lifeline = endWithService();
  resolveFromLayers();
  const client = new RuntimeClient(variable('AWS_LAMBDA_RUNTIME_API'));
  Object.assign(globalThis, {
    awslambda: {
      ...(globalThis as { awslambda?: object }).awslambda,
      streamifyResponse: (handler: Handler) => Object.assign(handler, { [STREAMING]: 'response' }),
      HttpResponseStream,
    },
  });
  let handler: Handler;
  try {
    handler = await loadHandler();
  } catch (error) {
    await client.sendInitError(error);
    throw error;
  }
  const concurrency = Number(environment['AWS_LAMBDA_MAX_CONCURRENCY'] ?? 1);
  const store = await InvokeStore.getInstanceAsync();
  const work = async (): Promise<never> => {
    for (;;) {
      const invocation = await client.next((requestId) => lifeline.write(`${requestId}\n`));
      const { requestId, traceId } = invocation;
      if (concurrency === 1) environment['_X_AMZN_TRACE_ID'] = traceId;
      const { REQUEST_ID, X_RAY_TRACE_ID } = InvokeStoreBase.PROTECTED_KEYS;
      const abandoned = new AbortController();
      current.set(requestId, abandoned);
      try {
        await store.run({ [REQUEST_ID]: requestId, [X_RAY_TRACE_ID]: traceId }, () =>
          answer(client, handler, invocation, contextOf(invocation, abandoned.signal)),
        );
      } finally {
        current.delete(requestId);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

process.on('uncaughtException', (error) => {
  console.error(error);
  process.exit(129);
});
process.on('unhandledRejection', (error) => {
  console.error(error);
  process.exit(128);
});

run().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
