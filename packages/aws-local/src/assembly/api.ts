import type { Resolver } from './resolver.ts';
import { AssemblyError } from './template.ts';

/** The REST API defined in the stacks. */
export interface ApiSpec {
  stage: string;
  routes: RouteSpec[];
  /** Responses by type, e.g. `THROTTLED`. */
  responses: ReadonlyMap<string, GatewayResponseSpec>;
  /** Content types whose bodies reach the function as base64. */
  binaryMediaTypes: string[];
  throttle: ThrottleSpec | null;
}

export interface RouteSpec {
  /** Path with parameters in API Gateway's notation: `/v1/template/{id}`. */
  resource: string;
  /** `ANY` stands for every method without a route of its own. */
  method: string;
  functionName: string;
  /** The response is passed on while the function writes it. */
  stream: boolean;
  timeoutMs: number;
  authorizer: AuthorizerSpec | null;
}

export interface AuthorizerSpec {
  id: string;
  functionName: string;
  ttlMs: number;
  /** Names of the request headers that identify the caller. */
  headers: string[];
}

export interface GatewayResponseSpec {
  status: number | null;
  /** Response headers: literal values, and names of context variables such as `requestId`. */
  headers: Record<string, { literal: string } | { variable: string }>;
  /** Templates by content type. */
  templates: Record<string, string>;
}

/** Sustained requests per second, and the size of a burst. */
export interface ThrottleSpec {
  rate: number;
  burst: number;
}

interface MethodProperties {
  RestApiId: unknown;
  ResourceId: unknown;
  HttpMethod: string;
  AuthorizerId?: unknown;
  Integration: {
    Type: string;
    Uri?: unknown;
    TimeoutInMillis?: number;
    ResponseTransferMode?: string;
  };
}

/** API Gateway's own timeout, when the stack sets none. */
const DEFAULT_TIMEOUT_MS = 29_000;
const DEFAULT_AUTHORIZER_TTL_S = 300;

/** Returns the API of this stack; null when it has none. */
export function readApi(resolver: Resolver): ApiSpec | null {
  const resources = Object.entries(resolver.template.resources);
  const ofType = (type: string) =>
    resources
      .filter(([, resource]) => resource.Type === type)
      .map(([, resource]) => resource.Properties ?? {});
  const [api] = ofType('AWS::ApiGateway::RestApi');
  if (!api) return null;
  const [stage = {}] = ofType('AWS::ApiGateway::Stage');
  return {
    stage: resolver.text(stage['StageName'] ?? 'prod'),
    routes: ofType('AWS::ApiGateway::Method').map((method) =>
      readRoute(resolver, method as unknown as MethodProperties),
    ),
    responses: new Map(
      ofType('AWS::ApiGateway::GatewayResponse').map((response) => [
        String(response['ResponseType']),
        readGatewayResponse(resolver, response),
      ]),
    ),
    binaryMediaTypes: (api['BinaryMediaTypes'] ?? []) as string[],
    throttle: readThrottle(stage),
  };
}

function readRoute(resolver: Resolver, method: MethodProperties): RouteSpec {
  const { Integration: integration } = method;
  const resource = resourcePath(resolver, method.ResourceId);
  if (integration.Type !== 'AWS_PROXY') {
    throw new AssemblyError(
      `${method.HttpMethod} ${resource} has a ${integration.Type} integration: the local service runs functions only.`,
    );
  }
  return {
    resource,
    method: method.HttpMethod,
    functionName: functionOf(resolver, integration.Uri),
    stream: integration.ResponseTransferMode === 'STREAM',
    timeoutMs: integration.TimeoutInMillis ?? DEFAULT_TIMEOUT_MS,
    authorizer: method.AuthorizerId === undefined ? null : readAuthorizer(resolver, method.AuthorizerId),
  };
}

function resourcePath(resolver: Resolver, reference: unknown): string {
  const target = resolver.target(reference);
  if (!target) throw new AssemblyError(`${resolver.template.stack} has a method without a resource.`);
  if (target.resource.Type !== 'AWS::ApiGateway::Resource') return '/';
  const { ParentId, PathPart } = target.resource.Properties as { ParentId: unknown; PathPart: string };
  const parent = resourcePath(resolver, ParentId);
  return `${parent === '/' ? '' : parent}/${PathPart}`;
}

function readAuthorizer(resolver: Resolver, reference: unknown): AuthorizerSpec {
  const target = resolver.target(reference);
  if (!target) throw new AssemblyError(`${resolver.template.stack} has a method with an unknown authorizer.`);
  const properties = target.resource.Properties as {
    Type: string;
    AuthorizerUri: unknown;
    AuthorizerResultTtlInSeconds?: number;
    IdentitySource?: string;
  };
  const sources = (properties.IdentitySource ?? '').split(',').map((source) => source.trim());
  const prefix = 'method.request.header.';
  if (properties.Type !== 'REQUEST' || sources.some((source) => !source.startsWith(prefix))) {
    throw new AssemblyError(
      `The authorizer ${target.id} is not one of type REQUEST that identifies callers by headers.`,
    );
  }
  return {
    id: target.id,
    functionName: functionOf(resolver, properties.AuthorizerUri),
    ttlMs: (properties.AuthorizerResultTtlInSeconds ?? DEFAULT_AUTHORIZER_TTL_S) * 1000,
    headers: sources.map((source) => source.slice(prefix.length)),
  };
}

/**
 * Returns the function in an integration's URI, which contains the function's ARN: of the API's own stack, or
 * an import.
 */
function functionOf(resolver: Resolver, uri: unknown): string {
  const name = /:function:([^/:]+)/.exec(resolver.text(uri))?.[1];
  if (name === undefined) throw new AssemblyError(`${JSON.stringify(uri)} names no function.`);
  return name;
}

function readGatewayResponse(resolver: Resolver, response: Record<string, unknown>): GatewayResponseSpec {
  const prefix = 'gatewayresponse.header.';
  const parameters = Object.entries((response['ResponseParameters'] ?? {}) as Record<string, string>);
  return {
    status: response['StatusCode'] === undefined ? null : Number(resolver.text(response['StatusCode'])),
    headers: Object.fromEntries(
      parameters
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, value]) => [key.slice(prefix.length).toLowerCase(), readMapping(value)]),
    ),
    templates: (response['ResponseTemplates'] ?? {}) as Record<string, string>,
  };
}

/** @throws AssemblyError for a mapping expression other than a literal or a context variable */
function readMapping(expression: string): { literal: string } | { variable: string } {
  if (/^'.*'$/s.test(expression)) return { literal: expression.slice(1, -1) };
  const variable = /^context\.([a-zA-Z.]+)$/.exec(expression)?.[1];
  if (variable !== undefined) return { variable };
  throw new AssemblyError(`A gateway response maps ${expression}, which the local service does not know.`);
}

function readThrottle(stage: Record<string, unknown>): ThrottleSpec | null {
  const settings = (stage['MethodSettings'] ?? []) as {
    HttpMethod?: string;
    ResourcePath?: string;
    ThrottlingRateLimit?: number;
    ThrottlingBurstLimit?: number;
  }[];
  const all = settings.find((setting) => setting.HttpMethod === '*' && setting.ResourcePath === '/*');
  if (all?.ThrottlingRateLimit === undefined || all.ThrottlingBurstLimit === undefined) return null;
  return { rate: all.ThrottlingRateLimit, burst: all.ThrottlingBurstLimit };
}
