import { describe, expect, test } from 'vitest';
import { readSettings } from '../../lib/settings.ts';
import { contentSecurityPolicy } from '../../packages/studio/src/site.ts';
import { idIn, resources, synthesize, type Value } from './support.ts';
import { DEPLOYMENTS } from './switches.ts';

/** What stands before the API, and how it is reached. */

const given = (name: string) => synthesize(DEPLOYMENTS[name]);
const only = <P>(template: ReturnType<typeof synthesize>['api'], type: string): [string, P] => {
  const found = resources<P>(template, type);
  expect(found, type).toHaveLength(1);
  const [id, { Properties }] = found[0] ?? ['', { Type: type, Properties: {} as P }];
  return [id, Properties];
};
const base = (template: ReturnType<typeof synthesize>['api']): string =>
  JSON.stringify((template.toJSON()['Outputs'] as Record<string, { Value: Value }>)['BaseUrl']?.Value);

test('at least twelve deployments are tested, each with allowed switches', () => {
  const all = Object.values(DEPLOYMENTS);
  expect(all.length).toBeGreaterThanOrEqual(12);
  for (const switches of all) {
    const context = Object.fromEntries(
      Object.entries(switches).map(([key, value]) => [`platen:${key}`, value]),
    );
    expect(() => readSettings(context)).not.toThrow();
  }
});

describe('the API', () => {
  const { api } = synthesize();

  test('takes TLS 1.2 and later, forward secrecy with it', () => {
    expect(only(api, 'AWS::ApiGateway::RestApi')[1]).toMatchObject({
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
      EndpointAccessMode: 'BASIC',
    });
  });

  test('has the configured TLS policy', () => {
    const strict = synthesize({ tlsPolicy: 'TLS_1_3' }).api;
    expect(only(strict, 'AWS::ApiGateway::RestApi')[1]).toMatchObject({
      SecurityPolicy: 'SecurityPolicy_TLS13_1_3_2025_09',
    });
    const [, old] = only<object>(synthesize({ tlsPolicy: 'TLS_1_0' }).api, 'AWS::ApiGateway::RestApi');
    expect(old).not.toHaveProperty('SecurityPolicy');
  });

  test('has no domain and no CDN by default, and outputs the address of its stage', () => {
    for (const type of ['ApiGateway::DomainName', 'CloudFront::Distribution', 'WAFv2::WebACLAssociation'])
      api.resourceCountIs(`AWS::${type}`, 0);
    expect(base(api)).toMatch(/execute-api.*\/v1/);
  });
});

describe('a domain', () => {
  const { api } = given('with a domain and a web ACL');

  test('is regional, by the certificate, with the API’s own policy, and leads to the stage', () => {
    const [id, domain] = only<Record<string, unknown>>(api, 'AWS::ApiGateway::DomainName');
    expect(domain).toMatchObject({
      DomainName: 'docs.example.org',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
    });
    const [, mapping] = only<Record<string, Value>>(api, 'AWS::ApiGateway::BasePathMapping');
    expect(mapping).not.toHaveProperty('BasePath');
    expect(idIn(mapping['DomainName'])).toBe(id);
    expect(idIn(mapping['Stage'])).toMatch(/Stage/);
    expect(base(api)).toBe('"https://docs.example.org/v1"');
  });

  test('is pointed at by Route 53, in the zone that is named', () => {
    const [, record] = only<Record<string, unknown>>(api, 'AWS::Route53::RecordSet');
    expect(record).toMatchObject({ HostedZoneId: 'Z0123456789', Name: 'docs.example.org.', Type: 'A' });
  });
});

describe('a web ACL', () => {
  test('is attached to the stage', () => {
    const [, association] = only<{ ResourceArn: Value; WebACLArn: string }>(
      given('with a domain and a web ACL').api,
      'AWS::WAFv2::WebACLAssociation',
    );
    expect(JSON.stringify(association.ResourceArn)).toMatch(/::\/restapis\/.*\/stages\//);
    expect(association.WebACLArn).toContain(':regional/webacl/');
  });

  test('is attached to the distribution if there is one, and not to the API', () => {
    const { api } = given('behind CloudFront, a domain and a web ACL');
    api.resourceCountIs('AWS::WAFv2::WebACLAssociation', 0);
    const [, { DistributionConfig }] = only<{ DistributionConfig: object }>(
      api,
      'AWS::CloudFront::Distribution',
    );
    expect(DistributionConfig).toMatchObject({
      WebACLId: expect.stringContaining(':global/webacl/'),
      Aliases: ['docs.example.org'],
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021' },
    });
  });
});

describe('CloudFront', () => {
  const { api } = given('behind CloudFront');
  const [id, { DistributionConfig: config }] = only<{
    DistributionConfig: {
      DefaultCacheBehavior: Record<string, unknown>;
      Origins: Record<string, unknown>[];
    };
  }>(api, 'AWS::CloudFront::Distribution');

  test('passes on every method and header, the token’s too, and keeps no answer', () => {
    expect(config.DefaultCacheBehavior).toMatchObject({
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      // The ids of AWS's own policies: CachingDisabled and AllViewerExceptHostHeader.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'https-only',
    });
  });

  test('asks the stage of the API, by TLS, and waits as long as it can', () => {
    expect(config.Origins).toHaveLength(1);
    expect(config.Origins[0]).toMatchObject({
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginReadTimeout: 60 },
      OriginCustomHeaders: [{ HeaderName: 'X-Forwarded-Prefix', HeaderValue: '/' }],
    });
    expect(JSON.stringify(config.Origins[0]?.['OriginPath'])).toMatch(/Stage/);
    expect(base(api)).toContain(id);
  });
});

describe('a private API', () => {
  const { api } = given('that is private, tagged and not traced');

  test('is reached through the operator’s endpoints alone', () => {
    const [, rest] = only<Record<string, unknown>>(api, 'AWS::ApiGateway::RestApi');
    expect(rest).toMatchObject({
      EndpointConfiguration: { Types: ['PRIVATE'], VpcEndpointIds: ['vpce-0a1b2c3d'] },
      Policy: {
        Statement: [
          {
            Effect: 'Allow',
            Action: 'execute-api:Invoke',
            Condition: { StringEquals: { 'aws:SourceVpce': ['vpce-0a1b2c3d'] } },
          },
        ],
      },
    });
  });

  test('carries the tags of its deployment, as all of it does', () => {
    const tags = [
      { Key: 'cost centre', Value: '42' },
      { Key: 'team', Value: 'documents' },
    ];
    for (const type of ['AWS::ApiGateway::RestApi', 'AWS::Lambda::Function', 'AWS::SQS::Queue'])
      for (const [, { Properties }] of resources<{ Tags: unknown }>(api, type))
        expect(Properties.Tags).toEqual(tags);
  });
});

describe('a key of the operator’s', () => {
  const { api, storage } = given('under a key of the operator’s');
  const key = String(DEPLOYMENTS['under a key of the operator’s']?.['kmsKeyArn']);

  test('encrypts tables, bucket, secret, queues and logs', () => {
    const types = ['DynamoDB::Table', 'S3::Bucket', 'SecretsManager::Secret'];
    for (const type of types)
      for (const [, { Properties }] of resources(storage, `AWS::${type}`))
        expect(JSON.stringify(Properties), type).toContain(key);
    for (const type of ['SQS::Queue', 'Logs::LogGroup'])
      for (const [, { Properties }] of resources(api, `AWS::${type}`))
        expect(JSON.stringify(Properties), type).toContain(key);
  });

  test('is used by roles through those services, and by the receiver of the queue to read it', () => {
    const statements = resources<{
      PolicyDocument: { Statement: { Action: unknown; Condition?: object }[] };
    }>(api, 'AWS::IAM::Policy').flatMap(([, { Properties }]) =>
      Properties.PolicyDocument.Statement.filter(({ Action }) => JSON.stringify(Action).includes('kms:')),
    );
    expect(statements.length).toBeGreaterThan(6);
    const [receiver, ...others] = statements.filter(({ Condition }) => Condition === undefined);
    expect([receiver?.Action, others]).toEqual(['kms:Decrypt', []]);
    for (const { Action, Condition } of statements.filter((statement) => statement !== receiver)) {
      expect(JSON.stringify(Action)).not.toContain('*');
      expect(Object.keys(Condition ?? {})).toEqual(['StringEquals']);
      expect(JSON.stringify(Condition)).toContain('kms:ViaService');
    }
  });
});

test('pages of the origins named may send forms to the bucket and fetch from it', () => {
  const [, { CorsConfiguration }] = only<{ CorsConfiguration: { CorsRules: object[] } }>(
    given('under a key of the operator’s').storage,
    'AWS::S3::Bucket',
  );
  expect(CorsConfiguration.CorsRules).toMatchObject([
    { AllowedOrigins: ['https://example.org'], AllowedMethods: ['GET', 'HEAD', 'POST'] },
  ]);
  expect(only(synthesize().storage, 'AWS::S3::Bucket')[1]).not.toHaveProperty('CorsConfiguration');
});

test('no template names a partition of AWS: China and GovCloud have their own', () => {
  const { api, storage } = synthesize({ isolated: true });
  const named = JSON.stringify([api.toJSON(), storage.toJSON()]).match(/arn:aws[a-z-]*:[^"]*/g) ?? [];
  expect(named).toEqual([]);
});

describe('the Studio', () => {
  const { api } = given('with the Studio');
  const [, { DistributionConfig: config }] = only<{
    DistributionConfig: {
      CacheBehaviors: Record<string, Value>[];
      Origins: Record<string, unknown>[];
    };
  }>(api, 'AWS::CloudFront::Distribution');
  const buckets = resources<Record<string, unknown>>(api, 'AWS::S3::Bucket');

  test('is stored in a private bucket that only the distribution reads', () => {
    const [bucket] = buckets;
    expect(buckets).toHaveLength(1);
    expect(bucket?.[1].Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
    const [, { PolicyDocument: policy }] = only<{ PolicyDocument: { Statement: Record<string, unknown>[] } }>(
      api,
      'AWS::S3::BucketPolicy',
    );
    const readers = policy.Statement.filter(
      ({ Effect, Action }) => Effect === 'Allow' && String(Action) === 's3:GetObject',
    );
    expect(readers).toHaveLength(1);
    expect(readers[0]).toMatchObject({
      Principal: { Service: 'cloudfront.amazonaws.com' },
      Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
    });
    api.resourceCountIs('AWS::CloudFront::OriginAccessControl', 1);
  });

  test('is on the host of the API, which keeps all other addresses', () => {
    expect(config.CacheBehaviors.map(({ PathPattern }) => PathPattern)).toEqual([
      '/studio/assets/*',
      '/studio*',
    ]);
    expect(config.Origins).toHaveLength(2);
    expect(JSON.stringify(api.toJSON()['Outputs'])).toContain('/studio/');
  });

  test('has the headers that it has on a laptop', () => {
    const policies = resources<{ ResponseHeadersPolicyConfig: Record<string, never> }>(
      api,
      'AWS::CloudFront::ResponseHeadersPolicy',
    ).map(([, { Properties }]) => Properties.ResponseHeadersPolicyConfig as Record<string, unknown>);
    expect(policies).toHaveLength(2);
    for (const { SecurityHeadersConfig: security, CustomHeadersConfig: custom } of policies) {
      expect(security).toMatchObject({
        ContentSecurityPolicy: { Override: true },
        ContentTypeOptions: { Override: true },
        FrameOptions: { FrameOption: 'DENY' },
        ReferrerPolicy: { ReferrerPolicy: 'no-referrer' },
      });
      // All as on a laptop, and large files go to the bucket of files by signed forms.
      const { ContentSecurityPolicy } = security as { ContentSecurityPolicy: Record<string, unknown> };
      const [separator, parts] = (
        ContentSecurityPolicy['ContentSecurityPolicy'] as { 'Fn::Join': [string, unknown[]] }
      )['Fn::Join'];
      const origin = parts.find((part) => typeof part === 'object');
      expect(JSON.stringify(origin)).toMatch(/Files.*RegionalDomainName/);
      expect(parts.map((part) => (part === origin ? 'BUCKET' : part)).join(separator)).toBe(
        contentSecurityPolicy('https://BUCKET'),
      );
      const { Items } = custom as { Items: { Header: string }[] };
      expect(Items.map(({ Header }) => Header)).toEqual(
        expect.arrayContaining(['cross-origin-opener-policy', 'permissions-policy', 'cache-control']),
      );
    }
  });

  test('is refused without CloudFront, and is not there unless it is asked for', () => {
    expect(() => readSettings({ 'platen:studio': true })).toThrow(/platen:cloudFront/);
    given('behind CloudFront').api.resourceCountIs('AWS::S3::Bucket', 0);
  });

  test('may be embedded by the origins named, which get a page and a script of their own', () => {
    const embedding = given('with the Studio in pages of others').api;
    const [, { DistributionConfig: distribution }] = only<{
      DistributionConfig: { CacheBehaviors: { PathPattern: string; ResponseHeadersPolicyId: Value }[] };
    }>(embedding, 'AWS::CloudFront::Distribution');
    expect(distribution.CacheBehaviors.map(({ PathPattern }) => PathPattern)).toEqual([
      '/studio/embed.html',
      '/studio/embed.js',
      '/studio/assets/*',
      '/studio*',
    ]);
    const policies = new Map(
      resources<{ ResponseHeadersPolicyConfig: Record<string, never> }>(
        embedding,
        'AWS::CloudFront::ResponseHeadersPolicy',
      ).map(([id, { Properties }]) => [id, JSON.stringify(Properties)]),
    );
    const [page = '', script = '', ...others] = distribution.CacheBehaviors.map(
      ({ ResponseHeadersPolicyId }) => policies.get((ResponseHeadersPolicyId as { Ref: string }).Ref),
    );
    expect(page).toContain('frame-ancestors https://app.example.org https://*.example.com');
    expect(page).not.toMatch(/DENY|AccessControlAllowOrigins/);
    expect(script).toMatch(/"AccessControlAllowOrigins":{"Items":\["\*"\]}/);
    expect(script).toContain('cross-origin');
    for (const policy of [script, ...others]) expect(policy).toMatch(/frame-ancestors 'none'.*DENY/);
    for (const policy of others) expect(policy).not.toContain('AccessControlAllowOrigins');
    for (const wrong of ['*', 'https://example.org/', "https://example.org; script-src 'self'"])
      expect(() =>
        readSettings({ 'platen:cloudFront': true, 'platen:studio': true, 'platen:embedOrigins': wrong }),
      ).toThrow(/must be origins/);
    expect(() => readSettings({ 'platen:embedOrigins': 'https://example.org' })).toThrow(/platen:studio/);
  });
});
