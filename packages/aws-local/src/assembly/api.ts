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
  integration: FunctionIntegration | MockIntegration;
  authorizer: AuthorizerSpec | null;
}

export interface FunctionIntegration {
  kind: 'function';
  functionName: string;
  /** The response is passed on while the function writes it. */
  stream: boolean;
  timeoutMs: number;
}

/** The gateway answers itself. */
export interface MockIntegration {
  kind: 'mock';
  /** Requests with bodies of other types are refused. */
  contentTypes: ReadonlySet<string>;
  response: GatewayResponseSpec;
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

/** The OpenAPI document that the stacks import as their API, with API Gateway's extensions. */
interface ApiDocument {
  paths: Record<string, Record<string, OperationObject>>;
  components?: { securitySchemes?: Record<string, { 'x-amazon-apigateway-authorizer'?: AuthorizerObject }> };
  'x-amazon-apigateway-gateway-responses'?: Record<string, ResponseObject>;
  'x-amazon-apigateway-binary-media-types'?: string[];
}

interface OperationObject {
  security?: Record<string, unknown>[];
  'x-amazon-apigateway-integration': {
    type: string;
    uri?: unknown;
    timeoutInMillis?: number;
    responseTransferMode?: string;
    passthroughBehavior?: string;
    requestTemplates?: Record<string, string>;
    responses?: Record<string, ResponseObject>;
  };
}

interface AuthorizerObject {
  type: string;
  authorizerUri: unknown;
  authorizerResultTtlInSeconds?: number;
  identitySource?: string;
}

interface ResponseObject {
  statusCode?: unknown;
  responseParameters?: Record<string, string>;
  responseTemplates?: Record<string, string>;
}

/** The key of the operation for all methods without one of their own. */
const ANY = 'x-amazon-apigateway-any-method';

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
  const document = api['Body'] as ApiDocument | undefined;
  if (document === undefined || ofType('AWS::ApiGateway::Method').length > 0) {
    throw new AssemblyError(
      `${resolver.template.stack} has an API with resources of CloudFormation: the local service reads OpenAPI documents only.`,
    );
  }
  const [stage = {}] = ofType('AWS::ApiGateway::Stage');
  return {
    stage: resolver.text(stage['StageName'] ?? 'prod'),
    routes: Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) =>
        readRoute(resolver, document, { path, method, operation }),
      ),
    ),
    responses: new Map(
      Object.entries(document['x-amazon-apigateway-gateway-responses'] ?? {}).map(([type, response]) => [
        type,
        readResponse(resolver, response, 'gatewayresponse.header.'),
      ]),
    ),
    binaryMediaTypes: document['x-amazon-apigateway-binary-media-types'] ?? [],
    throttle: readThrottle(stage),
  };
}

function readRoute(
  resolver: Resolver,
  document: ApiDocument,
  { path, method, operation }: { path: string; method: string; operation: OperationObject },
): RouteSpec {
  const [authorizer] = Object.keys(operation.security?.[0] ?? {});
  return {
    resource: path,
    method: method === ANY ? 'ANY' : method.toUpperCase(),
    integration: readIntegration(resolver, `${method} ${path}`, operation),
    authorizer: authorizer === undefined ? null : readAuthorizer(resolver, document, authorizer),
  };
}

function readIntegration(
  resolver: Resolver,
  name: string,
  { 'x-amazon-apigateway-integration': integration }: OperationObject,
): RouteSpec['integration'] {
  const { type, passthroughBehavior, requestTemplates = {}, responses = {} } = integration;
  if (type === 'aws_proxy') {
    return {
      kind: 'function',
      functionName: functionOf(resolver, integration.uri),
      stream: integration.responseTransferMode === 'STREAM',
      timeoutMs: integration.timeoutInMillis ?? DEFAULT_TIMEOUT_MS,
    };
  }
  const { default: response, ...others } = responses;
  if (type !== 'mock' || response === undefined || Object.keys(others).length > 0)
    throw new AssemblyError(
      `${name} has a ${type} integration: the local service runs functions, and mocks with one response.`,
    );
  if (passthroughBehavior !== 'never')
    throw new AssemblyError(
      `${name} is a mock that passes requests through, which the local service does not.`,
    );
  return {
    kind: 'mock',
    contentTypes: new Set(Object.keys(requestTemplates)),
    response: readResponse(resolver, response, 'method.response.header.'),
  };
}

function readAuthorizer(resolver: Resolver, document: ApiDocument, name: string): AuthorizerSpec {
  const authorizer = document.components?.securitySchemes?.[name]?.['x-amazon-apigateway-authorizer'];
  if (!authorizer) throw new AssemblyError(`${resolver.template.stack} has no authorizer ${name}.`);
  const sources = (authorizer.identitySource ?? '').split(',').map((source) => source.trim());
  const prefix = 'method.request.header.';
  if (authorizer.type !== 'request' || sources.some((source) => !source.startsWith(prefix))) {
    throw new AssemblyError(
      `The authorizer ${name} is not one of type request that identifies callers by headers.`,
    );
  }
  return {
    id: name,
    functionName: functionOf(resolver, authorizer.authorizerUri),
    ttlMs: (authorizer.authorizerResultTtlInSeconds ?? DEFAULT_AUTHORIZER_TTL_S) * 1000,
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

/** @param prefix of the parameters that set headers */
function readResponse(resolver: Resolver, response: ResponseObject, prefix: string): GatewayResponseSpec {
  const parameters = Object.entries(response.responseParameters ?? {});
  return {
    status: response.statusCode === undefined ? null : Number(resolver.text(response.statusCode)),
    headers: Object.fromEntries(
      parameters
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, value]) => [key.slice(prefix.length).toLowerCase(), readMapping(value)]),
    ),
    templates: response.responseTemplates ?? {},
  };
}

/** @throws AssemblyError for a mapping expression other than a literal or a context variable */
function readMapping(expression: string): { literal: string } | { variable: string } {
  if (/^'.*'$/s.test(expression)) return { literal: expression.slice(1, -1) };
  const variable = /^context\.([a-zA-Z.]+)$/.exec(expression)?.[1];
  if (variable !== undefined) return { variable };
  throw new AssemblyError(`A response maps ${expression}, which the local service does not know.`);
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
