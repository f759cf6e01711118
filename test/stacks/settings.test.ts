import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings, refuseOtherPrefixes, SWITCHES } from '../../lib/settings.ts';
import { lambdas, synthesize } from './support.ts';

const read = (switches: Record<string, unknown>) =>
  readSettings(
    Object.fromEntries(Object.entries(switches).map(([name, value]) => [`platen:${name}`, value])),
  );

describe('the switches of a deployment', () => {
  test('have a default each, and leave the rest of the context alone', () => {
    expect(readSettings({ '@aws-cdk/core:checkSecretUsage': true, name: 'not ours' })).toMatchObject({
      name: 'platen',
      stage: 'live',
      removal: 'retain',
      outsideResources: 'open',
      isolated: false,
    });
  });

  test.each(['isolated', 'platn:isolated', 'Platen:isolated'])('are refused as %s by the own app', (key) => {
    expect(() => refuseOtherPrefixes({ '@aws-cdk/core:stackRelativeExports': true, [key]: true })).toThrow(
      `The context "${key}" has no effect: the switch is platen:isolated.`,
    );
    expect(() => refuseOtherPrefixes({ 'platen:isolated': true })).not.toThrow();
  });

  test('are read from text as the command line gives it, and from JSON', () => {
    const fromText = read({ isolated: 'false', dashboard: '0', throttleRate: '12', renderMemory: '4096' });
    const fromJson = read({ isolated: false, dashboard: false, throttleRate: 12, renderMemory: 4096 });
    expect(fromText).toEqual(fromJson);
    expect(fromText).toMatchObject({
      isolated: false,
      dashboard: false,
      throttleRate: 12,
      renderMemory: 4096,
    });
  });

  test('count as not given when they are empty', () => {
    expect(read({ stage: '', outsideResources: '' })).toEqual(read({}));
  });

  test.each([
    ['removal', 'keep', /platen:removal/],
    ['isolated', 'yes please', /platen:isolated: must be true or false/],
    ['throttleRate', 'many', /platen:throttleRate: must be a number/],
    ['throttleRate', 0, /platen:throttleRate/],
    ['renderMemory', 1024, /platen:renderMemory/],
    ['logRetentionDays', 31, /platen:logRetentionDays: must be one of 1, 3, 5/],
    ['outsideResources', 'http://example.org', /platen:outsideResources: must be open, off or host names/],
    ['outsideResources', 'example.org,', /platen:outsideResources/],
    ['name', 'two words', /platen:name/],
    ['stage', 'a/b', /platen:stage/],
    ['alarmTopicArn', 'somebody@example.org', /platen:alarmTopicArn: must be the ARN/],
    ['chromeMode', 'fast', /platen:chromeMode/],
    ['logLevel', 'loud', /platen:logLevel/],
    ['convertImage', 'convert:latest', /platen:convertImage: must be the address of an image in ECR/],
    ['zones', 'us-east-1', /platen:zones.*: must be names of availability zones/],
    ['subnetIds', 'subnet-1,x', /platen:subnetIds.*: must be ids of subnets/],
    ['kmsKeyArn', 'alias/platen', /platen:kmsKeyArn: must be the ARN of a key/],
    ['filesBucket', 'arn:aws:s3:::x', /platen:filesBucket: must be the name of a bucket/],
    ['versionDays', -1, /platen:versionDays/],
    ['release', 'slow', /platen:release/],
  ])('%s = %j is refused with its name', (name, value, message) => {
    expect(() => read({ [name]: value })).toThrow(message);
  });

  test('are refused all at once, with one line each', () => {
    expect(() => read({ stage: '?', throttleBurst: -1 })).toThrow(
      /^Wrong switches:\n- platen:stage: .*\n- platen:throttleBurst: .*$/,
    );
  });

  test('are refused when they are misspelt, with the names there are', () => {
    expect(() => read({ isolate: true })).toThrow(
      /platen:isolate: there is no such switch\. Switches: .*isolated/,
    );
  });
});

const SIGN_IN = {
  oidcIssuer: 'https://issuer.example',
  oidcAudience: 'platen',
  oidcGroups: '{"a":{"tenant":"acme"}}',
};

test.each([
  [{ vpcId: 'vpc-1' }, /platen:vpcId and platen:subnetIds go together/],
  [{ subnetIds: 'subnet-1' }, /platen:vpcId and platen:subnetIds go together/],
  [{ vpcId: 'vpc-1', subnetIds: 'subnet-1', isolated: true }, /platen:isolated .* platen:vpcId/],
  [{ convertNetwork: 'given' }, /platen:convertNetwork=given .* platen:vpcId/],
  [
    { convertImage: '111111111111.dkr.ecr.eu-west-1.amazonaws.com/a:1', convert: false },
    /platen:convertImage .* platen:convert/,
  ],
  [{ oidcIssuer: 'https://issuer.example' }, /platen:oidcIssuer, platen:oidcAudience and platen:oidcGroups/],
  [{ ...SIGN_IN, oidcIssuer: 'http://issuer.example' }, /platen:oidcIssuer: .*https/],
  [{ ...SIGN_IN, oidcGroups: '{' }, /platen:oidcGroups: .*JSON/],
  [{ ...SIGN_IN, oidcGroups: { a: { tenant: 'a/b' } } }, /platen:oidcGroups/],
  [{ ...SIGN_IN, oidcGroups: { a: { tenant: 'a', scopes: ['root'] } } }, /platen:oidcGroups/],
  [{ isolated: true, tsaUrl: 'https://tsa.example.org' }, /platen:isolated .* platen:tsaUrl/],
  [{ isolated: true, kmsKeys: 'alias/platen/*' }, /platen:isolated .* platen:kmsKeys/],
  [{ release: 'linear', renderProvisioned: 1 }, /platen:release=linear .* platen:renderProvisioned/],
  [{ release: 'canary', renderProvisioned: 1 }, /platen:release=canary .* platen:renderProvisioned/],
  [{ managedCores: 128 }, /platen:managedCores .* platen:managedInstances/],
  [{ managedInstances: true, isolated: true }, /platen:isolated .* platen:managedInstances/],
  [{ managedInstances: true, renderProvisioned: 1 }, /platen:managedInstances .* platen:renderProvisioned/],
  [{ managedInstances: true, renderConcurrency: 9 }, /platen:managedInstances .* platen:renderConcurrency/],
  [{ managedInstances: true, batchConcurrency: 9 }, /platen:managedInstances .* platen:batchConcurrency/],
  [{ managedInstances: true, release: 'linear' }, /platen:release=linear .* platen:managedInstances/],
  [{ managedInstances: true, release: 'canary' }, /platen:release=canary .* platen:managedInstances/],
  [{ managedInstances: true, renderMemory: 4096 }, /platen:managedInstances .* platen:renderMemory/],
  [{ managedInstances: true, zones: 'us-east-1a,us-east-1b' }, /platen:managedInstances .* platen:zones/],
  [
    { managedInstances: true, vpcId: 'vpc-1', subnetIds: 'subnet-1,subnet-2' },
    /platen:managedInstances .* platen:subnetIds/,
  ],
  [{ renderConcurrency: 2, renderProvisioned: 3 }, /platen:renderProvisioned .* platen:renderConcurrency/],
])('%j is refused: they do not go together', (switches, message) => {
  expect(() => read(switches)).toThrow(message);
});

describe('environment variables', () => {
  const certificates = (length: number) =>
    `-----BEGIN CERTIFICATE-----\n${'A'.repeat(length - 54)}\n-----END CERTIFICATE-----`;
  const keys = Array.from({ length: 20 }, (_, index) => `alias/platen/${index}/${'k'.repeat(60)}`).join();

  test('that Lambda takes are deployed, and fit with the names that CloudFormation makes', () => {
    const { api } = synthesize({ trustAnchors: certificates(3_000) });
    for (const [, [, { Environment }]] of lambdas(api)) {
      const bytes = Object.entries(Environment.Variables).map(
        ([name, value]) => name.length + (typeof value === 'string' ? value.length : 100),
      );
      expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(4_096);
    }
  });

  test('that are longer are refused, with the function and the longest of them', () => {
    expect(() => synthesize({ trustAnchors: certificates(2_300), kmsKeys: keys })).toThrow(
      /of the function pdf have about \d+ bytes, .* 4096\. .*PLATEN_TRUST_ANCHORS \(2320\), PLATEN_KMS_KEYS/,
    );
  });
});

describe('an isolated deployment', () => {
  test('has outside resources off, by default and explicitly', () => {
    expect(read({ isolated: true }).outsideResources).toBe('off');
    expect(read({ isolated: 'true', outsideResources: 'off' }).outsideResources).toBe('off');
  });

  test('is refused when outside resources are asked for as well', () => {
    expect(() => read({ isolated: true, outsideResources: 'open' })).toThrow(
      /platen:isolated leaves no way out/,
    );
  });
});

test('docs/deploy.md describes every switch and no other', () => {
  const guide = readFileSync(path.join(import.meta.dirname, '../../docs/deploy.md'), 'utf8');
  const described = [...guide.matchAll(/^\| `platen:(\w+)` +\|/gm)].map((match) => match[1] ?? '');
  expect(described.sort()).toEqual([...SWITCHES].sort());
});
