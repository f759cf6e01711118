import type { RouteSpec } from '../assembly/index.ts';

export interface Match {
  route: RouteSpec;
  /** Values of the path parameters as sent: API Gateway does not decode them. */
  params: Record<string, string> | null;
}

interface Entry {
  segments: string[];
  route: RouteSpec;
}

/** Finds the route of a request as API Gateway does: a literal segment takes precedence over a parameter. */
export class Router {
  readonly #entries: Entry[];

  constructor(routes: readonly RouteSpec[]) {
    this.#entries = routes.map((route) => ({ segments: split(route.resource), route }));
    this.#entries.sort((a, b) => rank(a).localeCompare(rank(b)));
  }

  /** @returns undefined when no route has this path and method */
  find(method: string, path: string): Match | undefined {
    const segments = split(path);
    const resource = this.#entries.find((entry) => matches(entry.segments, segments))?.route.resource;
    const candidates = this.#entries.filter(({ route }) => route.resource === resource);
    const entry =
      candidates.find(({ route }) => route.method === method) ??
      candidates.find(({ route }) => route.method === 'ANY');
    return entry && { route: entry.route, params: parameters(entry.segments, segments) };
  }
}

/** Splits a path; API Gateway treats `/v1/token/` as `/v1/token`. */
function split(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/');
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const isGreedy = isRest(pattern.at(-1));
  return (
    (isGreedy ? pattern.length <= segments.length : pattern.length === segments.length) &&
    pattern.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]))
  );
}

function parameters(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const value = isRest(part) ? segments.slice(index).join('/') : segments[index];
    if (isRest(part)) params[part.slice(1, -2)] = value ?? '';
    else if (isParameter(part) && value !== undefined) params[part.slice(1, -1)] = value;
  }
  return Object.keys(params).length === 0 ? null : params;
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}

/** Returns whether a segment is `{name+}`, the rest of a path. */
function isRest(part: string | undefined): boolean {
  return part?.endsWith('+}') === true;
}

/** Returns a key that sorts literals before parameters, segment by segment from the left. */
function rank({ segments }: Entry): string {
  return segments.map((part) => (isRest(part) ? '2' : isParameter(part) ? '1' : '0')).join('');
}
