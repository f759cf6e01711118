import { Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { problemResponse } from './gateway-responses.ts';

/**
 * The OpenAPI document that API Gateway imports as the REST API: one resource of CloudFormation, where each path and each
 * method would be one of its own, of the 500 that a stack may have. Its extensions are those of "OpenAPI extensions for
 * API Gateway" in the guide of API Gateway.
 */

/** One method of a path. */
export interface ApiOperation {
  /** Path with parameters in API Gateway's notation: `/v1/template/{id}`. */
  path: string;
  /** `ANY` stands for every method that the path does not have otherwise. */
  method: string;
  /** The value of `x-amazon-apigateway-integration`. */
  integration: object;
  /** Whether callers need a token. */
  guarded: boolean;
  /** The OpenAPI responses that the integration refers to. */
  responses?: object;
}

/** The function that decides about callers. */
export interface ApiAuthorizer {
  function: IFunction;
  cacheSeconds: number;
}

export interface ApiDocument {
  title: string;
  description: string;
  operations: readonly ApiOperation[];
  authorizer: ApiAuthorizer;
  /** Extensions of the whole document. */
  extensions: Readonly<Record<`x-amazon-apigateway-${string}`, unknown>>;
  /** The VPC endpoints of a private API. */
  vpcEndpoints?: readonly string[] | undefined;
}

const AUTHORIZER = 'Authorizer';

/** Returns the document. */
export function apiDefinition(document: ApiDocument): object {
  const { title, description, operations, authorizer, extensions, vpcEndpoints } = document;
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    const key = method === 'ANY' ? 'x-amazon-apigateway-any-method' : method.toLowerCase();
    (paths[path] ??= {})[key] = {
      parameters: Array.from(path.matchAll(/\{(\w+)\+?\}/g), ([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      responses: operation.responses ?? {},
      ...(operation.guarded ? { security: [{ [AUTHORIZER]: [] }] } : {}),
      'x-amazon-apigateway-integration': operation.integration,
    };
  }
  return {
    openapi: '3.0.1',
    info: { title, description, version: '1' },
    ...(vpcEndpoints === undefined
      ? {}
      : {
          servers: [{ 'x-amazon-apigateway-endpoint-configuration': { vpcEndpointIds: vpcEndpoints } }],
        }),
    paths,
    components: {
      securitySchemes: {
        [AUTHORIZER]: {
          type: 'apiKey',
          name: 'Authorization',
          in: 'header',
          'x-amazon-apigateway-authtype': 'custom',
          'x-amazon-apigateway-authorizer': {
            type: 'request',
            identitySource: 'method.request.header.Authorization',
            authorizerUri: uriOf(authorizer.function, BUFFERED),
            authorizerResultTtlInSeconds: authorizer.cacheSeconds,
          },
        },
      },
    },
    ...extensions,
  };
}

/**
 * Returns the integration of a function that answers requests.
 *
 * @param mode whether the response is passed on while the function writes it
 */
export function functionIntegration(
  target: IFunction,
  { seconds, mode }: { seconds: number; mode: 'STREAM' | 'BUFFERED' },
): object {
  return {
    type: 'aws_proxy',
    httpMethod: 'POST',
    uri: uriOf(target, mode === 'STREAM' ? STREAMING : BUFFERED),
    timeoutInMillis: seconds * 1000,
    responseTransferMode: mode,
  };
}

/**
 * Content types with which clients send bodies; requests without one count as JSON. API Gateway answers others with
 * `UNSUPPORTED_MEDIA_TYPE` before an integration without a function, which then says the same, without `Allow`.
 */
const CONTENT_TYPES = [
  'application/json',
  'application/octet-stream',
  'application/pdf',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/zip',
  'multipart/form-data',
  'text/csv',
  'text/html',
  'text/plain',
];

/** Returns the operation that refuses all other methods of a path, without a function (RFC 9110, 15.5.6). */
export function otherMethods(path: string, methods: readonly string[]): ApiOperation {
  const { status, headers, body } = problemResponse({
    code: 'method_not_allowed',
    detail: `$context.httpMethod is not allowed for ${path}: use ${methods.join(' or ')}.`,
    headers: { Allow: methods.join(', ') },
  });
  const parameters = Object.entries(headers).map(([name, value]) => [
    `method.response.header.${name}`,
    value,
  ]);
  return {
    path,
    method: 'ANY',
    guarded: false,
    // Mapping templates apply to texts only, and all bodies of this API are binary.
    integration: {
      type: 'mock',
      contentHandling: 'CONVERT_TO_TEXT',
      passthroughBehavior: 'never',
      requestTemplates: Object.fromEntries(CONTENT_TYPES.map((type) => [type, `{"statusCode":${status}}`])),
      responses: {
        default: {
          statusCode: status,
          contentHandling: 'CONVERT_TO_TEXT',
          responseParameters: Object.fromEntries(parameters) as Record<string, string>,
          responseTemplates: { 'application/json': body },
        },
      },
    },
    responses: {
      [status]: {
        description: 'The path does not have the method.',
        headers: Object.fromEntries(
          Object.keys(headers).map((name) => [name, { schema: { type: 'string' } }]),
        ),
      },
    },
  };
}

const STREAMING = ['2021-11-15', 'response-streaming-invocations'] as const;
const BUFFERED = ['2015-03-31', 'invocations'] as const;

/** The address under which API Gateway calls a function. */
function uriOf(target: IFunction, [version, action]: typeof STREAMING | typeof BUFFERED): string {
  return Stack.of(target).formatArn({
    service: 'apigateway',
    account: 'lambda',
    resource: 'path',
    resourceName: `${version}/functions/${target.functionArn}/${action}`,
  });
}
