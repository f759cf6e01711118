import { extname } from 'node:path';
import { build, stop } from 'esbuild';
import type { FunctionSpec } from '../assembly/index.ts';
import { FunctionError, TooManyRequestsError } from './errors.ts';
import type { InvocationResult, InvokeOptions } from './environment.ts';
import { jsonPayload, type Payload } from './payload.ts';
import { type FunctionLoad, type LogSink, Pool, type PoolLimits } from './pool.ts';
import { newTraceId } from './trace.ts';
import type { EnvironmentSettings } from './variables.ts';

export type { InvocationResult } from './environment.ts';
export { FunctionError, NotReadyError, PayloadTooLargeError, TooManyRequestsError } from './errors.ts';
export type { Launched, Launcher } from './launcher.ts';
export { layerRoots } from './layers.ts';
export { type BinarySource, jsonPayload, type Payload, payloadWithBody } from './payload.ts';
export type { FunctionLoad, LogSink, PoolLimits } from './pool.ts';
export type { ReportedError, StreamedAnswer } from './runtime-api.ts';
export { newTraceId, traceOf } from './trace.ts';
export type { EnvironmentSettings } from './variables.ts';

/** Largest event, and largest result that is not streamed, in bytes of JSON (Lambda's quotas). */
export const MAX_PAYLOAD = 6_291_556;

/** AWS Lambda on this machine: invokes the functions of an assembly, which can be replaced at run time. */
export class Lambda {
  readonly #settings: EnvironmentSettings;
  readonly #limits: PoolLimits;
  readonly #log: LogSink;
  #pools = new Map<string, Pool>();
  readonly #retired = new Set<Pool>();
  #isStopped = false;

  constructor(settings: EnvironmentSettings, limits: PoolLimits, log: LogSink) {
    this.#settings = settings;
    this.#limits = { ...limits, isShortOfMemory: () => this.#relieve(limits.isShortOfMemory?.() === true) };
    this.#log = log;
  }

  /** Uses these functions from now on; unchanged ones keep their environments. */
  deploy(functions: ReadonlyMap<string, FunctionSpec>): void {
    if (this.#isStopped) return;
    const old = this.#pools;
    this.#pools = new Map();
    for (const [name, spec] of functions) {
      const current = old.get(name);
      const same = current !== undefined && JSON.stringify(current.spec) === JSON.stringify(spec);
      this.#pools.set(name, same ? current : new Pool(spec, this.#settings, this.#limits, this.#log));
      if (same) old.delete(name);
    }
    for (const pool of this.#retired) if (pool.empty) this.#retired.delete(pool);
    for (const pool of old.values()) {
      pool.retire();
      this.#retired.add(pool);
    }
  }

  /** Returns what each function has to do now. */
  load(): FunctionLoad[] {
    return [...this.#pools.values()].map(({ load }) => load);
  }

  /** @throws TooManyRequestsError while memory runs out and the function has work */
  admit(name: string): void {
    if (this.#pools.get(name)?.isHeld === true)
      throw new TooManyRequestsError(`Memory runs out, and ${name} has work.`);
  }

  /** While memory runs out, ends the environments that only keep it. */
  #relieve(isShort: boolean): boolean {
    if (isShort) for (const pool of this.#pools.values()) pool.endIdle();
    return isShort;
  }

  spec(name: string): FunctionSpec | undefined {
    return this.#pools.get(name)?.spec;
  }

  /** @throws FunctionError; TooManyRequestsError; the signal's reason */
  async invoke(name: string, payload: Payload, options: InvokeOptions): Promise<InvocationResult> {
    const pool = this.#pools.get(name);
    if (!pool) throw new FunctionError('ResourceNotFoundException', `Function not found: ${name}`);
    const result = await pool.invoke(payload, options);
    if (result.kind === 'buffered' && result.json.length > MAX_PAYLOAD) {
      throw new FunctionError(
        'Function.ResponseSizeTooLarge',
        `Response payload size (${result.json.length} bytes) exceeded maximum allowed payload size (${MAX_PAYLOAD} bytes).`,
      );
    }
    return result;
  }

  /** Ends every environment; none is started afterwards. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#pools.values(), ...this.#retired].map((pool) => pool.stop()));
  }
}

/**
 * Invokes a function with an event and returns its result.
 *
 * @param tenant for whom; undefined for nobody
 * @throws FunctionError; TooManyRequestsError; the signal's reason
 */
export async function invokeWithJson(
  lambda: Pick<Lambda, 'invoke'>,
  name: string,
  event: unknown,
  signal: AbortSignal,
  tenant?: string,
): Promise<unknown> {
  const result = await lambda.invoke(name, jsonPayload(event), { traceId: newTraceId(tenant), signal });
  if (result.kind === 'buffered') return JSON.parse(result.json.toString('utf8')) as unknown;
  const bytes = Buffer.concat((await result.body.toArray()) as Buffer[]);
  const reported = result.failure();
  if (reported) throw new FunctionError(reported.errorType ?? 'Error', reported.errorMessage ?? '');
  return JSON.parse(bytes.toString('utf8')) as unknown;
}

/** Bundles the runtime to one file, which starts faster than TypeScript sources. */
export async function bundleRuntime(outfile: string): Promise<void> {
  await build({
    entryPoints: [new URL(`./runtime/index${extname(import.meta.url)}`, import.meta.url).pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'warning',
  });
  // Otherwise its helper process would run as long as this process.
  await stop();
}
