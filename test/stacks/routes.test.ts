import { describe, expect, test } from 'vitest';
import { FUNCTION_GROUPS } from '../../packages/contract/src/route.ts';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { FUNCTION_NAMES } from '../../lib/functions.ts';
import {
  idIn,
  lambdas,
  type Method,
  methods,
  resources,
  restApi,
  synthesize,
  type Templates,
  type Value,
} from './support.ts';

const templates = synthesize();
const all = methods(templates.api);
const functions = lambdas(templates.api);

function method(httpMethod: string, path: string, among: readonly Method[] = all): Method {
  const found = among.filter((entry) => entry.method === httpMethod && entry.path === path);
  expect(found, `${httpMethod} ${path}`).toHaveLength(1);
  return found[0] as Method;
}

describe('each route of the table', () => {
  test.each(ROUTES)('$method $path is routed to its function, streamed, with 15 minutes', (route) => {
    const { integration } = method(route.method, route.path);
    expect(integration).toMatchObject({
      type: 'aws_proxy',
      httpMethod: 'POST',
      responseTransferMode: 'STREAM',
      timeoutInMillis: 900_000,
    });
    const uri = JSON.stringify(integration.uri);
    expect(uri).toContain(`"Fn::GetAtt":["${functions.get(route.group)?.[0]}","Arn"]`);
    expect(uri).toContain('/response-streaming-invocations');
  });

  test.each(ROUTES.filter((route) => route.access !== 'open'))(
    '$method $path asks the authorizer',
    (route) => {
      expect(method(route.method, route.path).authorizers).toEqual(['Authorizer']);
    },
  );

  test.each(ROUTES.filter((route) => route.access === 'open'))('$method $path is open to all', (route) => {
    expect(method(route.method, route.path).authorizers).toEqual([]);
  });

  test.each(ROUTES)('$method $path declares the variables of its path, as an import demands', (route) => {
    const names = Array.from(route.path.matchAll(/\{(\w+)\+?\}/g), ([, name]) => name);
    expect(method(route.method, route.path).parameters).toEqual(names);
  });

  test.each([...new Set(ROUTES.map((route) => route.path))])(
    '%s has any other method answered by the gateway, with 405 and Allow, and no function started',
    (path) => {
      const { integration, authorizers, responses } = method('ANY', path);
      expect(authorizers).toEqual([]);
      expect(integration).not.toHaveProperty('uri');
      // Templates apply to texts, and every body of this API is binary.
      expect(integration).toMatchObject({ type: 'mock', contentHandling: 'CONVERT_TO_TEXT' });
      expect(integration.passthroughBehavior).toBe('never');
      expect(integration.requestTemplates).toMatchObject({
        'application/json': '{"statusCode":405}',
        'multipart/form-data': '{"statusCode":405}',
        'application/x-www-form-urlencoded': '{"statusCode":405}',
      });
      const answer = integration.responses?.['default'];
      expect(answer).toMatchObject({ statusCode: '405', contentHandling: 'CONVERT_TO_TEXT' });
      const own = ROUTES.filter((route) => route.path === path).map((route) => route.method);
      expect(answer?.responseParameters).toEqual({
        'method.response.header.Allow': `'${own.join(', ')}'`,
        'method.response.header.Cache-Control': "'no-store'",
        'method.response.header.Content-Type': "'application/problem+json; charset=utf-8'",
        'method.response.header.X-Content-Type-Options': "'nosniff'",
        'method.response.header.X-Request-Id': 'context.requestId',
      });
      // An import refuses headers that the method does not declare.
      const declared = Object.keys(responses['405']?.headers ?? {}).map(
        (name) => `method.response.header.${name}`,
      );
      expect(declared.sort()).toEqual(Object.keys(answer?.responseParameters ?? {}).sort());
      const text = answer?.responseTemplates['application/json'] ?? '';
      expect(JSON.parse(text)).toEqual({
        type: 'urn:platen:problem:method-not-allowed',
        title: 'Method not allowed',
        status: 405,
        detail: `$context.httpMethod is not allowed for ${path}: use ${own.join(' or ')}.`,
        code: 'method_not_allowed',
        request_id: '$context.requestId',
      });
      // Nothing of the request that might hold quotes.
      expect(text.match(/\$\w+(\.\w+)*/g)).toEqual(['$context.httpMethod', '$context.requestId']);
    },
  );
});

test('only the routes of the table are reachable', () => {
  const known = new Set(ROUTES.flatMap((route) => [`${route.method} ${route.path}`, `ANY ${route.path}`]));
  expect(all.map((entry) => `${entry.method} ${entry.path}`).filter((line) => !known.has(line))).toEqual([]);
});

test('the only addresses without a token are those the table opens, and the 405s', () => {
  const open = all.filter((entry) => entry.authorizers.length === 0 && entry.method !== 'ANY');
  expect(open.map((entry) => entry.path)).toEqual(['/v1/openapi.json']);
});

test('variables at one level have one name, as API Gateway demands', () => {
  const byParent = new Map<string, Set<string>>();
  for (const { path } of all) {
    const parts = path.split('/');
    for (const [index, part] of parts.entries()) {
      if (!part.startsWith('{')) continue;
      const parent = parts.slice(0, index).join('/');
      byParent.set(parent, (byParent.get(parent) ?? new Set()).add(part));
    }
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
      const found = method(route.method, route.path, methods(withoutPdf.api));
      expect(found.authorizers).toEqual(['Authorizer']);
      expect(JSON.stringify(found.integration.uri)).toContain(`"${service}"`);
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
    expect(JSON.stringify(Properties.SourceArn)).toContain(restApi(templates.api)[0]);
  }
  // Until then, nobody is sent to them.
  const [deployment] = Object.values(templates.api.findResources('AWS::ApiGateway::Deployment'));
  expect(deployment?.['DependsOn']).toEqual(expect.arrayContaining(permissions.map(([id]) => id)));
});

describe('the authorizer', () => {
  const [, { Body }] = restApi(templates.api);
  const authorizer = Body.components.securitySchemes['Authorizer']?.['x-amazon-apigateway-authorizer'];

  test('sees the whole request, is asked once in five minutes for a token, and not at all without one', () => {
    expect(authorizer).toMatchObject({
      type: 'request',
      identitySource: 'method.request.header.Authorization',
      authorizerResultTtlInSeconds: 300,
    });
    expect(Body.components.securitySchemes['Authorizer']).toMatchObject({
      'x-amazon-apigateway-authtype': 'custom',
    });
  });

  test('is the authorizer function, answering at once', () => {
    const uri = JSON.stringify(authorizer?.['authorizerUri']);
    expect(uri).toContain(`"${functions.get('authorizer')?.[0]}"`);
    expect(uri).toContain('/invocations');
    expect(uri).not.toContain('response-streaming');
  });
});

describe('the API', () => {
  const [id, properties] = restApi(templates.api);

  test('is regional and passes uploads on byte for byte, also after an import has replaced its settings', () => {
    expect(properties).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'] },
      Parameters: { endpointConfigurationTypes: 'REGIONAL' },
      BinaryMediaTypes: ['*/*'],
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
      EndpointAccessMode: 'BASIC',
    });
    expect(properties.Body).toMatchObject({
      'x-amazon-apigateway-binary-media-types': ['*/*'],
      'x-amazon-apigateway-security-policy': 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
      'x-amazon-apigateway-endpoint-access-mode': 'BASIC',
    });
  });

  test('is replaced as a whole by an import, so that no method of an earlier release stays', () => {
    expect(properties['Mode']).toBe('overwrite');
  });

  test('keeps the logical id, and so the address, that it has had since the first release', () => {
    expect(id).toBe('ApiRest4DEC74FE');
    expect(resources(templates.api, 'AWS::ApiGateway::Stage')[0]?.[0]).toBe(
      'ApiRestDeploymentStagelive3BEBAE0C',
    );
  });

  test('is in one resource, and is deployed again when a route, an authorizer or a text changes', () => {
    for (const type of ['Resource', 'Method', 'Authorizer', 'GatewayResponse'])
      templates.api.resourceCountIs(`AWS::ApiGateway::${type}`, 0);
    const deployment = (among: Templates) => resources(among.api, 'AWS::ApiGateway::Deployment')[0]?.[0];
    expect(deployment(synthesize({ throttleBurst: 99 }))).not.toBe(deployment(templates));
  });

  test('has a stage with the configured name, which no other resource depends on', () => {
    const named = synthesize({ stage: 'elsewhere' });
    named.api.hasResourceProperties('AWS::ApiGateway::Stage', { StageName: 'elsewhere' });
    expect(methods(named.api).map((entry) => entry.path)).toEqual(all.map((entry) => entry.path));
    const environments = (among: Templates) =>
      [...lambdas(among.api).values()].map(([, { Environment }]) => Environment);
    expect(environments(named)).toEqual(environments(templates));
  });
});
