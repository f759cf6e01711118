import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { InvokeStore } from '@aws/lambda-invoke-store';
import { runtimeVariable } from './config.ts';

/**
 * Spans of a traced request: subsegments of AWS X-Ray, sent to the daemon that Lambda runs beside a function
 * (AWS X-Ray, "Segment documents"). Without a daemon, or for a request that is not sampled, nothing is
 * recorded. The protocol is one datagram for each span; the SDK for it is in maintenance (0030).
 */

/** An AWS service call, which X-Ray draws as a separate node. */
export interface AwsCall {
  /** `DynamoDB`, `S3`. */
  service: string;
  operation: string;
  table?: string | undefined;
}

interface Parent {
  trace: string;
  id: string;
}

const HEADER = '{"format": "json", "version": 1}\n';
const current = new AsyncLocalStorage<Parent>();
let socket: Socket | undefined;

/**
 * Runs `work` as a span of the current request.
 *
 * @param name as X-Ray shows it, e.g. `print`
 */
export async function span<T>(name: string, work: () => Promise<T>, aws?: AwsCall): Promise<T> {
  const daemon = runtimeVariable('AWS_XRAY_DAEMON_ADDRESS');
  if (daemon === null) return await work();
  const parent = current.getStore() ?? (await sampledInvocation());
  if (parent === null) return await work();
  const own: Parent = { trace: parent.trace, id: randomBytes(8).toString('hex') };
  const start = Date.now();
  const began = performance.now();
  const end = (fault: boolean): void => {
    send(daemon, {
      name,
      id: own.id,
      trace_id: own.trace,
      parent_id: parent.id,
      type: 'subsegment',
      start_time: start / 1000,
      end_time: (start + performance.now() - began) / 1000,
      ...(fault ? { fault: true } : {}),
      ...(aws === undefined
        ? {}
        : {
            namespace: 'aws',
            aws: { operation: aws.operation, ...(aws.table === undefined ? {} : { table_name: aws.table }) },
          }),
    });
  };
  try {
    const result = await current.run(own, work);
    end(false);
    return result;
  } catch (error) {
    end(true);
    throw error;
  }
}

/**
 * Returns the parts of `Root=1-…;Parent=…;Sampled=1`, which Lambda sends with each invocation; null if not sampled. A
 * runtime that gives an environment several events at a time has no variable for it.
 */
async function sampledInvocation(): Promise<Parent | null> {
  const store = await InvokeStore.getInstanceAsync();
  const header = store.getXRayTraceId() ?? runtimeVariable('_X_AMZN_TRACE_ID') ?? '';
  const parts = new Map(
    header.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=');
      return [name.trim(), value.trim()] as const;
    }),
  );
  const trace = parts.get('Root') ?? '';
  const id = parts.get('Parent') ?? '';
  return parts.get('Sampled') === '1' && trace !== '' && id !== '' ? { trace, id } : null;
}

/** Losing a span must not fail the request. */
function send(daemon: string, segment: object): void {
  const at = daemon.lastIndexOf(':');
  const open = (socket ??= openSocket());
  open.send(
    `${HEADER}${JSON.stringify(segment)}`,
    Number(daemon.slice(at + 1)),
    daemon.slice(0, at),
    () => {},
  );
}

function openSocket(): Socket {
  const made = createSocket('udp4');
  made.on('error', () => {
    made.close();
    socket = undefined;
  });
  return made.unref();
}

/** The part of an AWS SDK client that calls pass through. */
interface WithMiddleware {
  middlewareStack: {
    add(
      middleware: (
        next: (args: { input: object }) => Promise<unknown>,
        context: { clientName?: string; commandName?: string },
      ) => (args: { input: object }) => Promise<unknown>,
      options: { step: 'initialize'; name: string },
    ): void;
  };
}

/** Records each call of an AWS SDK client as a span. */
export function traced<C>(client: C): C {
  (client as unknown as WithMiddleware).middlewareStack.add(
    (next, { clientName = '', commandName = '' }) =>
      async (args) => {
        const service = clientName.replace(/Client$/, '');
        const operation = commandName.replace(/Command$/, '');
        const table = 'TableName' in args.input ? String(args.input.TableName) : undefined;
        return await span(service, async () => await next(args), { service, operation, table });
      },
    { step: 'initialize', name: 'platenSpan' },
  );
  return client;
}
