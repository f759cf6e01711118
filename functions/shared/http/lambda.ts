import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isJobEvent } from '../jobs/events.ts';
import type { GatewayEvent, InvocationContext } from './event.ts';
import type { Serve } from './group.ts';
import type { Reply } from './reply.ts';
import type { Work } from '../jobs/worker.ts';

/** What Lambda's Node runtime offers a function as the global `awslambda`. */
interface StreamingRuntime {
  streamifyResponse(
    handler: (event: GatewayEvent, stream: Writable, context: InvocationContext) => Promise<void>,
  ): unknown;
  HttpResponseStream: {
    from(stream: Writable, head: { statusCode: number; headers: Record<string, string> }): Writable;
  };
}

/**
 * The handler Lambda calls: answers are streamed, so that they may be larger than 6 MB and slower than 29 s.
 * Outside Lambda (in a test) there is no such runtime and `serve` is called directly.
 *
 * @param work does what the state machine of jobs asks for, where the function has a part in it
 * @param order carries out the orders of other functions; undefined for an event that is none
 */
export function streaming(
  serve: Serve,
  work?: Work,
  order?: (event: unknown) => Promise<object> | undefined,
): unknown {
  const runtime = (globalThis as { awslambda?: Partial<StreamingRuntime> }).awslambda;
  // The AWS SDK makes an empty global of that name (@aws/lambda-invoke-store).
  if (!isComplete(runtime)) return serve;
  return runtime.streamifyResponse(async (event, stream, context) => {
    const direct = work && isJobEvent(event) ? work(event, context) : order?.(event);
    if (direct !== undefined) {
      // Who invokes a streaming function without streaming gets what it wrote as a whole.
      await send({ status: 200, headers: {}, body: JSON.stringify(await direct) }, stream);
      return;
    }
    const reply = await serve(event, context);
    const out = runtime.HttpResponseStream.from(stream, {
      statusCode: reply.status,
      headers: reply.headers,
    });
    await send(reply, out);
  });
}

function isComplete(runtime: Partial<StreamingRuntime> | undefined): runtime is StreamingRuntime {
  return runtime?.streamifyResponse !== undefined && runtime.HttpResponseStream !== undefined;
}

/** Writes the body and ends the stream; what the body was read from is removed in any case. */
async function send(reply: Reply, out: Writable): Promise<void> {
  try {
    if (reply.body instanceof Readable) {
      await pipeline(reply.body, out);
      return;
    }
    // The head goes out with the first write, so there has to be one even for an empty body.
    out.write(reply.body ?? '');
    await new Promise<void>((resolve, reject) => {
      out.once('error', reject);
      out.end(resolve);
    });
  } finally {
    await reply.close?.();
  }
}
