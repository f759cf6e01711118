import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { freezeIntrinsics } from '@platen/core/hardened';
import { isKeepActive } from '../hand-over/order.ts';
import { isJobEvent, type JobEvent } from '../jobs/events.ts';
import { endIfDiskIsFull } from '../temporary-files.ts';
import { compressedHead } from './compression.ts';
import type { GatewayEvent, InvocationContext } from './event.ts';
import type { Serve } from './group.ts';
import type { Reply } from './reply.ts';

/** The global `awslambda`, which Lambda's Node runtime provides. */
interface StreamingRuntime {
  streamifyResponse(
    handler: (event: GatewayEvent, stream: Writable, context: InvocationContext) => Promise<void>,
  ): unknown;
  HttpResponseStream: {
    from(stream: Writable, head: { statusCode: number; headers: Record<string, string> }): Writable;
  };
}

/**
 * Returns the handler that Lambda calls: answers are streamed, so that they may be larger than 6 MB and
 * slower than 29 s. The process's intrinsics are frozen from now on. Outside Lambda (in a test) there is no such runtime
 * and `serve` is called directly.
 *
 * @param work does the job steps that the state machine requests, if the function has any
 * @param order executes the orders of other functions; returns undefined for any other event
 */
export function streaming(
  serve: Serve,
  work?: (event: JobEvent, context: InvocationContext) => Promise<object>,
  order?: (event: unknown) => Promise<object> | undefined,
): unknown {
  const runtime = (globalThis as { awslambda?: Partial<StreamingRuntime> }).awslambda;
  // The AWS SDK creates an empty global of that name (@aws/lambda-invoke-store).
  if (!isComplete(runtime)) return serve;
  freezeIntrinsics();
  const answerDirectly = (event: unknown, context: InvocationContext): Promise<object> | undefined => {
    if (isKeepActive(event)) return Promise.resolve({});
    return work && isJobEvent(event) ? work(event, context) : order?.(event);
  };
  const answer = async (event: GatewayEvent, stream: Writable, context: InvocationContext): Promise<void> => {
    const direct = answerDirectly(event, context);
    if (direct !== undefined) {
      // A caller that invokes a streaming function without streaming receives the whole output.
      await send({ status: 200, headers: {}, body: JSON.stringify(await direct) }, stream);
      return;
    }
    const reply = await serve(event, context);
    const { headers, isCompressed } = compressedHead(event, reply);
    const out = runtime.HttpResponseStream.from(stream, { statusCode: reply.status, headers });
    await send(reply, out, isCompressed);
  };
  return runtime.streamifyResponse(async (event, stream, context) => {
    try {
      await answer(event, stream, context);
    } finally {
      await endIfDiskIsFull();
    }
  });
}

function isComplete(runtime: Partial<StreamingRuntime> | undefined): runtime is StreamingRuntime {
  return runtime?.streamifyResponse !== undefined && runtime.HttpResponseStream !== undefined;
}

/** Writes the body and ends the stream; the source of the body is removed in any case. */
async function send(reply: Reply, out: Writable, isCompressed = false): Promise<void> {
  try {
    if (isCompressed) {
      const { body } = reply;
      await pipeline(body instanceof Readable ? body : [body ?? ''], createGzip(), out);
      return;
    }
    if (reply.body instanceof Readable) {
      await pipeline(reply.body, out);
      return;
    }
    // The head is sent with the first write, so even an empty body needs one.
    out.write(reply.body ?? '');
    await new Promise<void>((resolve, reject) => {
      out.once('error', reject);
      out.end(resolve);
    });
  } finally {
    await reply.close?.();
  }
}
