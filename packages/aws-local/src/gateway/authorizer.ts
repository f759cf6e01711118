import type { IncomingMessage } from 'node:http';
import type { AuthorizerSpec } from '../assembly/index.ts';
import { glob } from '../iam/actions.ts';
import { FunctionError, jsonPayload, type Lambda, TooManyRequestsError } from '../lambda/index.ts';
import { GatewayError } from './responses.ts';

/** The authorizer function's decision about a caller. */
interface Decision {
  allow: RegExp[];
  deny: RegExp[];
  /** Becomes `requestContext.authorizer` in the event. */
  context: Record<string, string>;
}

interface Answer {
  principalId?: unknown;
  policyDocument?: { Statement?: { Effect?: unknown; Resource?: unknown }[] };
  context?: Record<string, unknown> | null;
}

/** Maximum cached callers. */
const CACHE_ENTRIES = 1000;

/** Calls the authorizer function, and caches its decision for the time that the stacks set. */
export class Authorizer {
  readonly #lambda: Lambda;
  readonly #cache = new Map<string, { decision: Promise<Decision>; until: number }>();

  constructor(lambda: Lambda) {
    this.#lambda = lambda;
  }

  /**
   * @param event the function's event, without a body
   * @param arn the called method
   * @returns the event's `requestContext.authorizer`
   * @throws GatewayError
   */
  async authorize(
    spec: AuthorizerSpec,
    request: IncomingMessage,
    event: object,
    arn: string,
    traceId: string,
  ): Promise<Record<string, string>> {
    // The last of several values is the one that the function receives.
    const identity = spec.headers.map((name) => request.headersDistinct[name.toLowerCase()]?.at(-1));
    // Without identification the function is not called.
    if (identity.some((value) => value === undefined || value === '')) throw new GatewayError('UNAUTHORIZED');
    const key = JSON.stringify([spec.id, identity]);
    const cached = this.#cache.get(key);
    let decision: Promise<Decision>;
    if (cached && cached.until > Date.now()) {
      decision = cached.decision;
    } else {
      decision = this.#ask(spec, { ...event, type: 'REQUEST', methodArn: arn }, traceId);
      if (spec.ttlMs > 0) this.#remember(key, decision, Date.now() + spec.ttlMs);
    }
    const { allow, deny, context } = await decision;
    if (deny.some((pattern) => pattern.test(arn)) || !allow.some((pattern) => pattern.test(arn))) {
      throw new GatewayError('ACCESS_DENIED');
    }
    return context;
  }

  /** Caches a decision. Refusals are not cached, because the token may be created a moment later. */
  #remember(key: string, decision: Promise<Decision>, until: number): void {
    this.#cache.delete(key);
    this.#cache.set(key, { decision, until });
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > CACHE_ENTRIES && oldest !== undefined) this.#cache.delete(oldest);
    decision.catch(() => {
      if (this.#cache.get(key)?.decision === decision) this.#cache.delete(key);
    });
  }

  /**
   * Calls the function without a signal: several requests may wait for one decision, and each may be
   * withdrawn.
   */
  async #ask(spec: AuthorizerSpec, event: object, traceId: string): Promise<Decision> {
    let json: Buffer;
    try {
      const result = await this.#lambda.invoke(spec.functionName, jsonPayload(event), { traceId });
      if (result.kind === 'streamed') {
        result.body.resume();
        throw misconfigured('The authorizer streams.');
      }
      json = result.json;
    } catch (error) {
      if (error instanceof TooManyRequestsError) throw new GatewayError('AUTHORIZER_FAILURE', error);
      if (!(error instanceof FunctionError)) throw error;
      // Only this exact message means that the caller is not known.
      if (error.message === 'Unauthorized') throw new GatewayError('UNAUTHORIZED');
      throw new GatewayError('AUTHORIZER_FAILURE', error);
    }
    return readAnswer(json);
  }
}

function readAnswer(json: Buffer): Decision {
  const answer = JSON.parse(json.toString('utf8')) as Answer | null;
  const statements = answer?.policyDocument?.Statement;
  if (!Array.isArray(statements) || typeof answer?.principalId !== 'string') {
    throw misconfigured('The authorizer did not answer with a policy.');
  }
  const patterns = (effect: string): RegExp[] =>
    statements
      .filter((statement) => statement.Effect === effect)
      .flatMap((statement) => [statement.Resource].flat())
      .map((resource) => glob(String(resource)));
  return {
    allow: patterns('Allow'),
    deny: patterns('Deny'),
    context: {
      ...Object.fromEntries(
        Object.entries(answer.context ?? {}).map(([name, value]) => [name, String(value)]),
      ),
      principalId: answer.principalId,
    },
  };
}

function misconfigured(message: string): GatewayError {
  return new GatewayError(
    'AUTHORIZER_CONFIGURATION_ERROR',
    new FunctionError('AuthorizerConfigurationException', message),
  );
}
