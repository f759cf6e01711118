import type { IncomingMessage, ServerResponse } from 'node:http';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FunctionLoad } from './lambda/index.ts';

/** What operators and orchestrators ask of the local service: whether it is ready, and its metrics. */

/** A request that has been answered. */
export interface AnsweredRequest {
  /** The path of its route, with parameters as in `/v1/template/{id}`; undefined if there is none. */
  resource: string | undefined;
  method: string;
  /** 499 if the client disconnected before it had an answer. */
  status: number;
  seconds: number;
}

/** Upper limits of the histogram of durations, in seconds: from a lookup to the longest rendering. */
const DURATIONS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Metrics of one service, which name routes and functions and no tenants. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<'route' | 'method' | 'status'>;
  readonly #durations: Histogram<'route'>;

  /** @param load returns the present load of the functions */
  constructor(load: () => readonly FunctionLoad[]) {
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: 'platen_http_requests_total',
      help: 'Requests by route, method and status; 499 for clients that disconnected.',
      labelNames: ['route', 'method', 'status'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'platen_http_request_duration_seconds',
      help: 'Time from a request until the end of its response.',
      labelNames: ['route'],
      buckets: DURATIONS,
      registers,
    });
    const perFunction = (
      Kind: typeof Gauge | typeof Counter,
      name: string,
      help: string,
      valueOf: (one: FunctionLoad) => number,
    ): void => {
      const metric = new Kind({
        name: `platen_function_${name}`,
        help,
        labelNames: ['function'],
        registers: [],
        collect() {
          this.reset();
          for (const one of load()) this.inc({ function: one.label }, valueOf(one));
        },
      });
      this.#registry.registerMetric(metric);
    };
    perFunction(Gauge, 'environments', 'Execution environments.', ({ environments }) => environments);
    perFunction(
      Gauge,
      'requests_in_progress',
      'Requests that a function works on.',
      ({ working }) => working,
    );
    perFunction(
      Gauge,
      'requests_waiting',
      'Requests that wait for an execution environment.',
      ({ waiting }) => waiting,
    );
    perFunction(
      Counter,
      'environments_ended_total',
      'Execution environments that have ended.',
      ({ ended }) => ended,
    );
  }

  count({ resource = 'none', method, status, seconds }: AnsweredRequest): void {
    // A client can invent methods, and each would be a time series of its own.
    const known = METHODS.has(method) ? method : 'other';
    this.#requests.inc({ route: resource, method: known, status });
    this.#durations.observe({ route: resource }, seconds);
  }

  /** Returns the metrics in Prometheus' text format. */
  async text(): Promise<{ type: string; text: string }> {
    return { type: this.#registry.contentType, text: await this.#registry.metrics() };
  }
}

/**
 * Answers `GET /health` (whether the service takes requests), `/health/live` (whether it answers at all) and `/metrics`.
 *
 * @returns whether the request is one of these, and has been answered
 */
export async function serveOperation(
  { metrics, isStopping }: { metrics: Metrics; isStopping: boolean },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const [path = ''] = (request.url ?? '').split('?', 1);
  let answer: { status: number; type: string; text: string };
  if (path === '/health' && isStopping) answer = { status: 503, ...json({ status: 'stopping' }) };
  else if (path === '/health' || path === '/health/live') answer = { status: 200, ...json({ status: 'ok' }) };
  else if (path === '/metrics') answer = { status: 200, ...(await metrics.text()) };
  else return false;
  const { status, type, text } = answer;
  const headers = { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
  response.end(request.method === 'HEAD' ? undefined : text);
  return true;
}

function json(value: unknown): { type: string; text: string } {
  return { type: 'application/json', text: JSON.stringify(value) };
}
