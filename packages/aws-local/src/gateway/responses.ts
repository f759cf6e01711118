import type { GatewayResponseSpec } from '../assembly/index.ts';

/** API Gateway's own responses, with the texts of the stacks. */

/** The supported response types, with API Gateway's default status and text. */
const DEFAULTS = {
  ACCESS_DENIED: [403, 'User is not authorized to access this resource'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'Internal server error'],
  AUTHORIZER_FAILURE: [500, 'Internal server error'],
  DEFAULT_4XX: [400, 'Bad Request'],
  DEFAULT_5XX: [502, 'Internal server error'],
  INTEGRATION_FAILURE: [500, 'Internal server error'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long'],
  THROTTLED: [429, 'Too Many Requests'],
  UNAUTHORIZED: [401, 'Unauthorized'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported Media Type'],
} as const satisfies Record<string, readonly [number, string]>;

export type GatewayResponseType = keyof typeof DEFAULTS;

/** Ends a request with one of the gateway's own responses. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly type: GatewayResponseType;

  constructor(type: GatewayResponseType, cause?: unknown) {
    super(DEFAULTS[type][1], cause === undefined ? undefined : { cause });
    this.type = type;
  }
}

export interface GatewayAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Values of a template's variables, by name: `requestId`, `path` … */
export type ContextVariables = Readonly<Record<string, string>>;

/**
 * Fills in the template of a response type. As in API Gateway, only `$context.…` is replaced, its value is
 * inserted unescaped, and a type that the stacks do not define falls back to `DEFAULT_4XX` or `DEFAULT_5XX`.
 */
export function gatewayAnswer(
  type: GatewayResponseType,
  responses: ReadonlyMap<string, GatewayResponseSpec>,
  context: ContextVariables,
): GatewayAnswer {
  const [status, message] = DEFAULTS[type];
  const spec = responses.get(type) ?? responses.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
  return fillIn(spec, status, {
    ...context,
    'error.message': message,
    'error.messageString': JSON.stringify(message),
    'error.responseType': type,
  });
}

/** @param status when the stacks set none */
export function fillIn(
  spec: GatewayResponseSpec | undefined,
  status: number,
  variables: ContextVariables,
): GatewayAnswer {
  const [contentType = 'application/json', template = '{"message":$context.error.messageString}'] =
    Object.entries(spec?.templates ?? {})[0] ?? [];
  return {
    status: spec?.status ?? status,
    headers: { 'content-type': contentType, ...headersOf(spec, variables) },
    body: template.replace(/\$context\.([a-zA-Z.]+)/g, (_match, name: string) => variables[name] ?? ''),
  };
}

function headersOf(
  spec: GatewayResponseSpec | undefined,
  variables: ContextVariables,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(spec?.headers ?? {}).map(([name, value]) => [
      name,
      'literal' in value ? value.literal : (variables[value.variable] ?? ''),
    ]),
  );
}
