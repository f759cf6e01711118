import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { killDescendants } from '../process-tree.ts';
import { RuntimeClient, type Invocation } from './client.ts';
import { HttpResponseStream, responseStream } from './response-stream.ts';

/**
 * The program inside an execution environment, in the place of Amazon's runtime for Node. It loads the
 * function, fetches events from the Runtime API one after the other and sends back the results. It is bundled
 * to one file before use.
 */

type Handler = (event: unknown, ...rest: unknown[]) => unknown;

const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');

/**
 * End of a pipe that the service keeps open: when it closes, the service has ended. It also carries the ids of
 * abandoned events, and in the other direction the ids of events that have been received.
 */
const LIFELINE_FD = 3;

/** The function's current event; the signal is aborted when its caller has disconnected. */
let current: { requestId: string; abandoned: AbortController } | undefined;

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
    // An event that has been answered meanwhile is no longer the current one.
    if (current !== undefined && lines.includes(current.requestId)) current.abandoned.abort();
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

function contextOf({ requestId, deadline, functionArn }: Invocation): object {
  const abandoned = new AbortController();
  current = { requestId, abandoned };
  return {
    // Lambda does not have this signal.
    abandoned: abandoned.signal,
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

async function answer(client: RuntimeClient, handler: Handler, invocation: Invocation): Promise<void> {
  if (STREAMING in handler) {
    const { stream, done, fail } = responseStream(client, invocation.requestId);
    try {
      await handler(invocation.event, stream, contextOf(invocation));
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
    result = JSON.stringify((await handler(invocation.event, contextOf(invocation))) ?? null);
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
  for (;;) {
    const invocation = await client.next((requestId) => lifeline.write(`${requestId}\n`));
    environment['_X_AMZN_TRACE_ID'] = invocation.traceId;
    await answer(client, handler, invocation);
  }
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
