import { describe, expect, test } from 'vitest';
import { FUNCTION_GROUPS } from '../../packages/contract/src/route.ts';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { FUNCTION_NAMES } from '../../lib/functions.ts';
import {
  idIn,
  lambdas,
  type Resource,
  resources,
  synthesize,
  type Templates,
  type Value,
} from './support.ts';

interface MethodProperties {
  HttpMethod: string;
  ResourceId: Value;
  AuthorizationType: string;
  AuthorizerId?: Value;
  Integration: {
    Type: string;
    IntegrationHttpMethod: string;
    ResponseTransferMode: string;
    TimeoutInMillis: number;
    Uri: Value;
  };
}

interface Method extends MethodProperties {
  path: string;
}

/** Methods with the address that their chain of resources spells. */
function methods({ api }: Templates): Method[] {
  const parts = new Map(resources<{ ParentId: Value; PathPart: string }>(api, 'AWS::ApiGateway::Resource'));
  const pathOf = (id: string): string => {
    const part = parts.get(id);
    return part === undefined ? '' : `${pathOf(idIn(part.Properties.ParentId))}/${part.Properties.PathPart}`;
  };
  return resources<MethodProperties>(api, 'AWS::ApiGateway::Method').map(([, { Properties }]) => ({
    ...Properties,
    path: pathOf(idIn(Properties.ResourceId)),
  }));
}

const templates = synthesize();
const all = methods(templates);
const functions = lambdas(templates.api);

function method(httpMethod: string, path: string, among = all): Method {
  const found = among.filter((entry) => entry.HttpMethod === httpMethod && entry.path === path);
  expect(found, `${httpMethod} ${path}`).toHaveLength(1);
  return found[0] as Method;
}

describe('each route of the table', () => {
  test.each(ROUTES)('$method $path is routed to its function, streamed, with 15 minutes', (route) => {
    const { Integration } = method(route.method, route.path);
    expect(Integration).toMatchObject({
      Type: 'AWS_PROXY',
      IntegrationHttpMethod: 'POST',
      ResponseTransferMode: 'STREAM',
      TimeoutInMillis: 900_000,
    });
    const uri = JSON.stringify(Integration.Uri);
    expect(uri).toContain(`"Fn::GetAtt":["${functions.get(route.group)?.[0]}","Arn"]`);
    expect(uri).toContain('/response-streaming-invocations');
  });

  const authorizerId = resources(templates.api, 'AWS::ApiGateway::Authorizer')[0]?.[0];

  test.each(ROUTES.filter((route) => route.access !== 'open'))(
    '$method $path asks the authorizer',
    (route) => {
      const { AuthorizationType, AuthorizerId } = method(route.method, route.path);
      expect(AuthorizationType).toBe('CUSTOM');
      expect(idIn(AuthorizerId)).toBe(authorizerId);
    },
  );

  test.each(ROUTES.filter((route) => route.access === 'open'))('$method $path is open to all', (route) => {
    expect(method(route.method, route.path)).toMatchObject({ AuthorizationType: 'NONE' });
    expect(method(route.method, route.path)).not.toHaveProperty('AuthorizerId');
  });

  test.each([...new Set(ROUTES.map((route) => route.path))])(
    '%s takes any other method to the service function without a token, for its 405',
    (path) => {
      const any = method('ANY', path);
      expect(any.AuthorizationType).toBe('NONE');
      expect(any.Integration.ResponseTransferMode).toBe('STREAM');
      expect(JSON.stringify(any.Integration.Uri)).toContain(`"${functions.get('service')?.[0]}"`);
    },
  );
});

test('only the routes of the table are reachable', () => {
  const known = new Set(ROUTES.flatMap((route) => [`${route.method} ${route.path}`, `ANY ${route.path}`]));
  expect(all.map((entry) => `${entry.HttpMethod} ${entry.path}`).filter((line) => !known.has(line))).toEqual(
    [],
  );
});

test('the only addresses without a token are those the table opens, and the 405s', () => {
  const open = all.filter((entry) => entry.AuthorizationType === 'NONE' && entry.HttpMethod !== 'ANY');
  expect(open.map((entry) => entry.path)).toEqual(['/v1/openapi.json']);
});

test('variables at one level have one name, as API Gateway demands', () => {
  const byParent = new Map<string, Set<string>>();
  for (const [, { Properties }] of resources<{ ParentId: Value; PathPart: string }>(
    templates.api,
    'AWS::ApiGateway::Resource',
  )) {
    if (!Properties.PathPart.startsWith('{')) continue;
    const parent = idIn(Properties.ParentId);
    byParent.set(parent, (byParent.get(parent) ?? new Set()).add(Properties.PathPart));
  }
  expect([...byParent.values()].filter((names) => names.size > 1)).toEqual([]);
});

describe('a group whose function is not there', () => {
  const withoutPdf = synthesize(
    {},
    FUNCTION_NAMES.filter((name) => name !== 'pdf'),
  );

  test('has its routes answered by the service function, with a token as ever', () => {
    const service = lambdas(withoutPdf.api).get('service')?.[0];
    for (const route of ROUTES.filter((entry) => entry.group === 'pdf')) {
      const found = method(route.method, route.path, methods(withoutPdf));
      expect(found.AuthorizationType).toBe('CUSTOM');
      expect(JSON.stringify(found.Integration.Uri)).toContain(`"${service}"`);
    }
  });

  test.each(['service', 'authorizer', 'sweep'] as const)('is refused when it is %s', (name) => {
    const others = FUNCTION_NAMES.filter((other) => other !== name);
    expect(() => synthesize({}, others)).toThrow(/functions\/.*is missing, and it has no substitute/);
  });
});

test('the API may invoke each function it sends requests to, and its policy stays one statement long', () => {
  const permissions = resources<{ Principal: string; FunctionName: Value; SourceArn: Value }>(
    templates.api,
    'AWS::Lambda::Permission',
  ).filter(([, { Properties }]) => Properties.Principal === 'apigateway.amazonaws.com');
  const allowed = permissions.map(([, { Properties }]) => idIn(Properties.FunctionName)).sort();
  const needed = [...FUNCTION_GROUPS, 'authorizer' as const]
    .map((name) => functions.get(name)?.[0] ?? '')
    .sort();
  expect(allowed).toEqual(needed);
  for (const [, { Properties }] of permissions) {
    expect(JSON.stringify(Properties.SourceArn)).toContain(':execute-api:');
    expect(JSON.stringify(Properties.SourceArn)).toContain(idOfApi());
  }
});

describe('the authorizer', () => {
  const [, { Properties }] = resources<Record<string, Value>>(
    templates.api,
    'AWS::ApiGateway::Authorizer',
  )[0] as [string, Resource<Record<string, Value>>];

  test('sees the whole request, is asked once in five minutes for a token, and not at all without one', () => {
    expect(Properties).toMatchObject({
      Type: 'REQUEST',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 300,
    });
  });

  test('is the authorizer function, answering at once', () => {
    const uri = JSON.stringify(Properties['AuthorizerUri']);
    expect(uri).toContain(`"${functions.get('authorizer')?.[0]}"`);
    expect(uri).toContain('/invocations');
    expect(uri).not.toContain('response-streaming');
  });
});

describe('the API', () => {
  const [, { Properties }] = resources<Record<string, unknown>>(
    templates.api,
    'AWS::ApiGateway::RestApi',
  )[0] as [string, Resource<Record<string, unknown>>];

  test('is regional and passes uploads on byte for byte', () => {
    expect(Properties).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: ['*/*'],
    });
  });

  test('has a stage with the configured name, which no other resource depends on', () => {
    const named = synthesize({ stage: 'elsewhere' });
    named.api.hasResourceProperties('AWS::ApiGateway::Stage', { StageName: 'elsewhere' });
    expect(methods(named).map((entry) => entry.path)).toEqual(all.map((entry) => entry.path));
    const environments = (among: Templates) =>
      [...lambdas(among.api).values()].map(([, { Environment }]) => Environment);
    expect(environments(named)).toEqual(environments(templates));
  });
});

function idOfApi(): string {
  return resources(templates.api, 'AWS::ApiGateway::RestApi')[0]?.[0] ?? 'none';
}
