import type { Resolver } from './resolver.ts';

/** Roles and policies defined in the stacks. */

export interface RoleSpec {
  arn: string;
  /** Policy documents with references resolved. */
  policies: unknown[];
}

/**
 * Returns the ARN of the role of a function or a state machine; null when its stack does not define the role.
 */
export function roleOf(resolver: Resolver, reference: unknown): string | null {
  const target = resolver.target(reference);
  return target?.resource.Type === 'AWS::IAM::Role' ? resolver.text(reference) : null;
}

/**
 * Reads roles with all policies that their stack attaches to them.
 *
 * @param wanted ARNs of the roles that local resources run as: other roles may have rights without a meaning
 *   here
 */
export function readRoles(resolver: Resolver, wanted: ReadonlySet<string>): RoleSpec[] {
  const { resources } = resolver.template;
  const attached = Object.values(resources)
    .filter(({ Type }) => Type === 'AWS::IAM::Policy' || Type === 'AWS::IAM::ManagedPolicy')
    .map(({ Properties }) => Properties as { Roles?: unknown[]; PolicyDocument: unknown });
  return Object.entries(resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::Role')
    .map(([id, { Properties = {} }]) => ({
      id,
      Properties,
      arn: resolver.text({ 'Fn::GetAtt': [id, 'Arn'] }),
    }))
    .filter(({ arn }) => wanted.has(arn))
    .map(({ id, Properties, arn }) => {
      const inline = (Properties['Policies'] ?? []) as { PolicyDocument: unknown }[];
      const own = attached.filter(({ Roles = [] }) => Roles.some((role) => resolver.target(role)?.id === id));
      return {
        arn,
        policies: [...inline, ...own].map(({ PolicyDocument }) => resolver.value(PolicyDocument)),
      };
    });
}

/** Returns the policies of buckets and queues; each of their statements names its resources. */
export function readResourcePolicies(resolver: Resolver): unknown[] {
  return Object.values(resolver.template.resources)
    .filter(({ Type }) => Type === 'AWS::S3::BucketPolicy' || Type === 'AWS::SQS::QueuePolicy')
    .map(({ Properties = {} }) => resolver.value(Properties['PolicyDocument']));
}
