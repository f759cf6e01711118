import type { Resolver } from './resolver.ts';

/** Roles and policies, as the stacks define them. */

export interface RoleSpec {
  arn: string;
  /** Policy documents, references worked out. */
  policies: unknown[];
}

/** ARN of the role that a function or a state machine runs as; null where its stack does not define it. */
export function roleOf(resolver: Resolver, reference: unknown): string | null {
  const target = resolver.target(reference);
  return target?.resource.Type === 'AWS::IAM::Role' ? resolver.text(reference) : null;
}

/**
 * Roles with all that their stack attaches to them.
 *
 * @param wanted ARNs of those that something here runs as: the others may have rights that mean nothing here
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

/** Policies of buckets and queues: each of their statements names the resources that it is about. */
export function readResourcePolicies(resolver: Resolver): unknown[] {
  return Object.values(resolver.template.resources)
    .filter(({ Type }) => Type === 'AWS::S3::BucketPolicy' || Type === 'AWS::SQS::QueuePolicy')
    .map(({ Properties = {} }) => resolver.value(Properties['PolicyDocument']));
}
