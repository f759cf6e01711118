import { describe, expect, test } from 'vitest';
import { idIn, lambdas, resources, synthesize, type Value } from './support.ts';

const { api } = synthesize({ isolated: true });
const functions = lambdas(api);

describe('an isolated deployment', () => {
  test('puts only functions that process untrusted documents into subnets', () => {
    const inside = [...functions].filter(([, [, properties]]) => properties.VpcConfig !== undefined);
    expect(inside.map(([name]) => name).sort()).toEqual(['convert', 'images', 'pdf', 'render']);
    expect(inside[0]?.[1][1].VpcConfig?.SubnetIds).toHaveLength(2);
  });

  test('has no way out: no gateway, no NAT, no address of its own', () => {
    for (const type of [
      'AWS::EC2::InternetGateway',
      'AWS::EC2::NatGateway',
      'AWS::EC2::EIP',
      'AWS::EC2::EgressOnlyInternetGateway',
      'AWS::EC2::VPCGatewayAttachment',
      'AWS::EC2::TransitGatewayAttachment',
      'AWS::EC2::VPCPeeringConnection',
      'AWS::EC2::Route',
    ]) {
      api.resourceCountIs(type, 0);
    }
    const subnets = resources<{ MapPublicIpOnLaunch: boolean }>(api, 'AWS::EC2::Subnet');
    expect(subnets.map(([, { Properties }]) => Properties.MapPublicIpOnLaunch)).toEqual([false, false]);
  });

  test('has VPC endpoints for our objects, our templates, the functions that convert and print, and the jobs', () => {
    const doors = resources<{
      VpcEndpointType: string;
      ServiceName: Value;
      RouteTableIds?: Value[];
      PolicyDocument: {
        Statement: { Action: string | string[]; Effect: string; Resource: Value; Condition?: unknown }[];
      };
    }>(api, 'AWS::EC2::VPCEndpoint').map(([, { Properties }]) => Properties);
    expect(doors.map((door) => door.VpcEndpointType).sort()).toEqual([
      'Gateway',
      'Gateway',
      'Interface',
      'Interface',
      'Interface',
    ]);
    const tables = resources(api, 'AWS::EC2::RouteTable')
      .map(([id]) => id)
      .sort();
    const allowed = doors.flatMap((door) => {
      const routes = (door.RouteTableIds ?? []).map((table) => idIn(table)).sort();
      expect(routes).toEqual(door.VpcEndpointType === 'Gateway' ? tables : []);
      return door.PolicyDocument.Statement.map(({ Action, Effect, Resource, Condition }) => {
        const text = JSON.stringify(Resource);
        const callees = Array.from(text.matchAll(/"(convert|render)Function/g), ([, name]) => name).join();
        const place =
          callees ||
          /GetAtt(Files|Templates|Tokens|Jobs)|Ref(Sealing)|stateMachine:(platen-jobs)/
            .exec(text)
            ?.slice(1)
            .join('');
        const prefix = Array.from(text.matchAll(/"\/(\w+\/)\*"/g), ([, found]) => found).join();
        return `${Effect} ${[Action].flat().sort().join()} ${place} ${prefix}${JSON.stringify(Condition ?? null)}`;
      });
    });
    expect(allowed.sort()).toEqual([
      // Partials and fonts of a tenant are listed.
      'Allow dynamodb:BatchGetItem,dynamodb:GetItem,dynamodb:Query Templates null',
      'Allow dynamodb:DeleteItem,dynamodb:GetItem,dynamodb:PutItem,dynamodb:Query,dynamodb:UpdateItem Jobs null',
      // Keys are kept by the function that signs, which sees no other items of that table.
      'Allow dynamodb:DeleteItem,dynamodb:PutItem Templates {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["KEYS#*"]}}',
      'Allow dynamodb:UpdateItem Tokens {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["USAGE#*"]}}',
      'Allow lambda:InvokeFunction convert,render null',
      'Allow s3:AbortMultipartUpload,s3:GetObject,s3:PutObject Files answers/,jobs/null',
      'Allow s3:DeleteObject Files jobs/null',
      'Allow s3:DeleteObject,s3:GetObject,s3:PutObject Files transfers/null',
      'Allow s3:GetObject Files tenants/,uploads/null',
      'Allow s3:ListBucket Files {"StringLike":{"s3:prefix":["tenants/*/templates/*/*","tenants/*/partials/*/*","tenants/*/fonts/*/*","uploads/*/*/*","jobs/*/*/*","answers/*/*"]}}',
      'Allow secretsmanager:GetSecretValue Sealing null',
      'Allow states:StartExecution platen-jobs null',
    ]);
  });

  test('lets through all that the functions inside may do', () => {
    interface Allowing {
      Action: string | string[];
      Resource: Value | Value[];
      Condition?: Record<string, Record<string, string | string[]>>;
    }
    const doors = resources<{ PolicyDocument: { Statement: Allowing[] } }>(api, 'AWS::EC2::VPCEndpoint')
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .map((statement) => ({
        ...statement,
        texts: [statement.Resource].flat().map((one) => JSON.stringify(one)),
      }));
    /** A pattern of a prefix lets through what is narrower, too. */
    const covers = (pattern: string, resource: string): boolean =>
      pattern === resource ||
      (pattern.includes('*') && resource.startsWith(pattern.slice(0, pattern.lastIndexOf('*'))));
    const shut: string[] = [];
    for (const [name, [, { VpcConfig, Role }]] of functions) {
      if (VpcConfig === undefined) continue;
      const statements = resources<{ Roles: Value[]; PolicyDocument: { Statement: Allowing[] } }>(
        api,
        'AWS::IAM::Policy',
      )
        .filter(([, { Properties }]) => Properties.Roles.some((role) => idIn(role) === idIn(Role)))
        .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
      for (const { Action, Resource, Condition } of statements) {
        const wanted = Object.values(Condition ?? {})
          .flatMap((keys) => Object.values(keys))
          .flat();
        for (const action of [Action]
          .flat()
          .filter((one) => /^(dynamodb|s3|states|lambda|secretsmanager):/.test(one)))
          for (const resource of [Resource].flat().map((one) => JSON.stringify(one))) {
            const open = doors.some(
              (door) =>
                [door.Action].flat().includes(action) &&
                door.texts.some((text) => covers(text, resource)) &&
                (door.Condition === undefined ||
                  (wanted.length > 0 &&
                    wanted.every((value) => JSON.stringify(door.Condition).includes(JSON.stringify(value))))),
            );
            if (!open) shut.push(`${name}: ${action} on ${resource}`);
          }
      }
    }
    expect(shut).toEqual([]);
  });

  test('admits callers of the converters and of printing through one endpoint, and creators of jobs through the other', () => {
    const groups = resources<{ SecurityGroupIngress?: unknown }>(api, 'AWS::EC2::SecurityGroup');
    expect(groups).toHaveLength(7);
    expect(groups.filter(([, { Properties }]) => Properties.SecurityGroupIngress !== undefined)).toEqual([]);
    const open = resources<{ GroupId: Value; SourceSecurityGroupId: Value; ToPort: number }>(
      api,
      'AWS::EC2::SecurityGroupIngress',
    ).map(([, { Properties }]) => Properties);
    expect(new Set(open.map(({ ToPort }) => ToPort))).toEqual(new Set([443]));
    const ways = open.map(({ GroupId, SourceSecurityGroupId }) => {
      const [, door] = /^NetworkVpc(Lambda|States|Secrets)/.exec(idIn(GroupId)) ?? [];
      return `${/^[a-z]+/.exec(idIn(SourceSecurityGroupId))?.[0]} to ${door}`;
    });
    expect(ways.sort()).toEqual([
      'images to Lambda',
      'images to Secrets',
      'images to States',
      'pdf to Lambda',
      'pdf to Secrets',
      'pdf to States',
      'render to Lambda',
      'render to Secrets',
      'render to States',
    ]);
  });

  test('logs refused connections', () => {
    api.hasResourceProperties('AWS::EC2::FlowLog', { TrafficType: 'REJECT', ResourceType: 'VPC' });
  });

  test('configures render without outside resources', () => {
    expect(functions.get('render')?.[1].Environment.Variables['PLATEN_OUTSIDE_RESOURCES']).toBe('off');
  });
});

/** Logical ids of functions that are in subnets, without the hash. */
function inside(switches: Record<string, unknown>): string[] {
  return [...lambdas(synthesize(switches).api)]
    .filter(([, [, properties]]) => properties.VpcConfig !== undefined)
    .map(([name]) => name)
    .sort();
}

describe('convert, in a deployment that is not isolated', () => {
  const open = synthesize().api;

  test('is alone in a network without egress, with an endpoint for documents in transit', () => {
    expect(inside({})).toEqual(['convert']);
    open.resourceCountIs('AWS::EC2::VPC', 1);
    for (const type of ['AWS::EC2::InternetGateway', 'AWS::EC2::NatGateway', 'AWS::EC2::Route'])
      open.resourceCountIs(type, 0);
    const doors = resources<{ VpcEndpointType: string; PolicyDocument: { Statement: unknown[] } }>(
      open,
      'AWS::EC2::VPCEndpoint',
    ).map(([, { Properties }]) => Properties);
    // Gateway endpoints cost nothing.
    expect(doors.map(({ VpcEndpointType }) => VpcEndpointType)).toEqual(['Gateway']);
    expect(doors[0]?.PolicyDocument.Statement).toEqual([
      expect.objectContaining({
        Effect: 'Allow',
        Action: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
      }),
    ]);
    expect(JSON.stringify(doors[0]?.PolicyDocument)).toContain('"/transfers/*"');
  });

  test('is in no network if it is configured so, or if the deployment has none of it', () => {
    expect(inside({ convertNetwork: 'open' })).toEqual([]);
    for (const switches of [{ convertNetwork: 'open' }, { convert: false }])
      synthesize(switches).api.resourceCountIs('AWS::EC2::VPC', 0);
  });
});

test('the zones of the subnets are those the operator names', () => {
  const { api: named } = synthesize({ isolated: true, zones: 'us-east-1b, us-east-1d' });
  const subnets = resources<{ AvailabilityZone: Value }>(named, 'AWS::EC2::Subnet');
  expect(subnets.map(([, { Properties }]) => Properties.AvailabilityZone)).toEqual([
    'us-east-1b',
    'us-east-1d',
  ]);
});

describe('a VPC of the operator’s', () => {
  const given = { vpcId: 'vpc-0a1', subnetIds: 'subnet-0a1,subnet-0b2' };

  test('contains the functions that process untrusted documents or call webhooks, but not convert', () => {
    expect(inside(given)).toEqual(['convert', 'images', 'pdf', 'render', 'webhook']);
    const { api: theirs } = synthesize(given);
    const subnetsOf = (name: 'render' | 'webhook' | 'convert') =>
      lambdas(theirs).get(name)?.[1].VpcConfig?.SubnetIds;
    expect(subnetsOf('render')).toEqual(['subnet-0a1', 'subnet-0b2']);
    expect(subnetsOf('webhook')).toEqual(['subnet-0a1', 'subnet-0b2']);
    expect(JSON.stringify(subnetsOf('convert'))).toContain('ConvertNetwork');
    const groups = resources<{ VpcId: Value }>(theirs, 'AWS::EC2::SecurityGroup');
    expect(groups.filter(([, { Properties }]) => Properties.VpcId === 'vpc-0a1')).toHaveLength(4);
  });

  test('contains convert too if it is configured so, and then there is no other', () => {
    const { api: theirs } = synthesize({ ...given, convertNetwork: 'given' });
    theirs.resourceCountIs('AWS::EC2::VPC', 0);
    expect(lambdas(theirs).get('convert')?.[1].VpcConfig?.SubnetIds).toEqual(['subnet-0a1', 'subnet-0b2']);
  });
});
