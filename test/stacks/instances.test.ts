import { describe, expect, test } from 'vitest';
import { FUNCTION_NAMES } from '../../lib/functions.ts';
import { MANAGED_MEMORY } from '../../lib/on-instances.ts';
import { idIn, lambdas, resources, synthesize, type Value } from './support.ts';

interface OnInstances {
  CapacityProviderConfig?: {
    LambdaManagedInstancesCapacityProviderConfig: {
      CapacityProviderArn: Value;
      PerExecutionEnvironmentMaxConcurrency: number;
      ExecutionEnvironmentMemoryGiBPerVCpu: number;
    };
  };
  PublishToLatestPublished?: boolean;
}

interface Provider {
  VpcConfig: { SubnetIds: Value[]; SecurityGroupIds: Value[] };
  PermissionsConfig: { CapacityProviderOperatorRoleArn: Value };
  InstanceRequirements: Record<string, unknown>;
  CapacityProviderScalingConfig?: Record<string, unknown>;
  PropagateTags?: unknown;
}

const { api } = synthesize({ managedInstances: true });
const functions = lambdas(api);

function providerIn(template: typeof api): [string, Provider] {
  const found = resources<Provider>(template, 'AWS::Lambda::CapacityProvider');
  expect(found).toHaveLength(1);
  const [[id, { Properties }] = ['', { Properties: {} as Provider }]] = found;
  return [id, Properties];
}

describe('managed instances', () => {
  test('run the functions that work on several requests with an engine and rights, and not the converters', () => {
    const [id] = providerIn(api);
    const onInstances = [...functions].flatMap(([name, [, properties]]) => {
      const { CapacityProviderConfig: found, PublishToLatestPublished: published } =
        properties as OnInstances;
      if (found === undefined) return [];
      const config = found.LambdaManagedInstancesCapacityProviderConfig;
      expect(idIn(config.CapacityProviderArn)).toBe(id);
      expect(published).toBe(true);
      return [
        [
          name,
          properties.MemorySize,
          config.ExecutionEnvironmentMemoryGiBPerVCpu,
          config.PerExecutionEnvironmentMaxConcurrency,
          properties.Architectures.join(),
          properties.Environment.Variables['AWS_LAMBDA_NODEJS_WORKER_COUNT'],
          properties.VpcConfig,
        ],
      ];
    });
    const alike = [8_192, 4, 8, 'x86_64', '1', undefined];
    expect(onInstances.sort()).toEqual(['images', 'pdf', 'render'].map((name) => [name, ...alike]));
    expect(functions.size).toBe(FUNCTION_NAMES.length);
    expect(MANAGED_MEMORY.mb % (MANAGED_MEMORY.gibPerCore * 1_024)).toBe(0);
  });

  test('have the requests at a time that the local service reads from the same function', () => {
    const [, found] = functions.get('render') ?? [];
    const template = api.toJSON() as { Resources: Record<string, { Metadata?: Record<string, unknown> }> };
    const [id = ''] = functions.get('render') ?? [];
    expect(template.Resources[id]?.Metadata?.['platen:concurrency']).toBe(
      (found as OnInstances | undefined)?.CapacityProviderConfig?.LambdaManagedInstancesCapacityProviderConfig
        .PerExecutionEnvironmentMaxConcurrency,
    );
  });

  test('replace functions, because what runs a function cannot change', () => {
    const before = lambdas(synthesize().api);
    const replaced = [...functions].filter(([name, [id]]) => before.get(name)?.[0] !== id);
    expect(replaced.map(([name]) => name).sort()).toEqual(['images', 'pdf', 'render']);
  });

  test('are in three zones, each with a way out of its own', () => {
    const [, { VpcConfig, InstanceRequirements, CapacityProviderScalingConfig }] = providerIn(api);
    const subnets = new Map(
      resources<{ AvailabilityZone: Value; MapPublicIpOnLaunch: boolean }>(api, 'AWS::EC2::Subnet'),
    );
    const theirs = VpcConfig.SubnetIds.map((subnet) => subnets.get(idIn(subnet))?.Properties);
    expect(theirs.map((subnet) => JSON.stringify(subnet?.AvailabilityZone))).toEqual(
      [0, 1, 2].map((index) => JSON.stringify({ 'Fn::Select': [index, { 'Fn::GetAZs': '' }] })),
    );
    expect(theirs.map((subnet) => subnet?.MapPublicIpOnLaunch)).toEqual([false, false, false]);
    const routes = resources<{ NatGatewayId?: Value }>(api, 'AWS::EC2::Route');
    const ways = routes.flatMap(([, { Properties }]) => Properties.NatGatewayId ?? []);
    expect(new Set(ways.map((way) => idIn(way))).size).toBe(3);
    expect(InstanceRequirements).toEqual({ Architectures: ['x86_64'] });
    expect(CapacityProviderScalingConfig).toBeUndefined();
  });

  test('start only when they have a way out', () => {
    const [id] = providerIn(api);
    const template = api.toJSON() as { Resources: Record<string, { DependsOn?: string[] }> };
    const ways = resources<{ NatGatewayId?: Value }>(api, 'AWS::EC2::Route').filter(
      ([, { Properties }]) => Properties.NatGatewayId !== undefined,
    );
    expect(template.Resources[id]?.DependsOn).toEqual(expect.arrayContaining(ways.map(([way]) => way)));
  });

  test('are started and ended by a role that only Lambda assumes', () => {
    const [, { PermissionsConfig }] = providerIn(api);
    const role = resources<Record<string, unknown>>(api, 'AWS::IAM::Role').find(
      ([id]) => id === idIn(PermissionsConfig.CapacityProviderOperatorRoleArn),
    );
    const { AssumeRolePolicyDocument, ManagedPolicyArns } = role?.[1].Properties ?? {};
    expect(JSON.stringify(AssumeRolePolicyDocument)).toContain('"Service":"lambda.amazonaws.com"');
    expect(JSON.stringify(ManagedPolicyArns)).toContain(
      ':iam::aws:policy/AWSLambdaManagedEC2ResourceOperator',
    );
  });

  test('are limited and tagged as the switches say', () => {
    const { api: limited } = synthesize({
      managedInstances: true,
      managedCores: 128,
      zones: 'us-east-1a,us-east-1b,us-east-1d',
      tags: 'team=documents',
    });
    const [, { CapacityProviderScalingConfig, PropagateTags, VpcConfig }] = providerIn(limited);
    expect(CapacityProviderScalingConfig).toEqual({ MaxVCpuCount: 128 });
    expect(PropagateTags).toEqual({ Mode: 'Explicit', ExplicitTags: [{ Key: 'team', Value: 'documents' }] });
    const subnets = new Map(resources<{ AvailabilityZone: Value }>(limited, 'AWS::EC2::Subnet'));
    expect(VpcConfig.SubnetIds.map((id) => subnets.get(idIn(id))?.Properties.AvailabilityZone)).toEqual([
      'us-east-1a',
      'us-east-1b',
      'us-east-1d',
    ]);
  });

  test('are in the operator’s subnets if there are any, and then there is no other network for them', () => {
    const subnetIds = ['subnet-0a1', 'subnet-0b2', 'subnet-0c3'];
    const { api: theirs } = synthesize({ managedInstances: true, vpcId: 'vpc-0a1', subnetIds });
    const [, { VpcConfig }] = providerIn(theirs);
    expect(VpcConfig.SubnetIds).toEqual(subnetIds);
    theirs.resourceCountIs('AWS::EC2::NatGateway', 0);
    theirs.resourceCountIs('AWS::EC2::VPC', 1);
    expect(lambdas(theirs).get('render')?.[1].VpcConfig).toBeUndefined();
    expect(lambdas(theirs).get('webhook')?.[1].VpcConfig?.SubnetIds).toEqual(subnetIds);
  });

  test('exist only where the switch is set', () => {
    const { api: plain } = synthesize();
    plain.resourceCountIs('AWS::Lambda::CapacityProvider', 0);
    const variables = [...lambdas(plain)].map(([, [, { Environment }]]) =>
      Object.keys(Environment.Variables),
    );
    expect(variables.flat()).not.toContain('AWS_LAMBDA_NODEJS_WORKER_COUNT');
  });
});
