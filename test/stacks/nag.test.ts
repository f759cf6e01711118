import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { describe, expect, test } from 'vitest';
import { define } from './support.ts';
import { DEPLOYMENTS } from './switches.ts';

interface Acknowledgement {
  path: string;
  rule: string;
  reason: string;
}

function acknowledgements(root: IConstruct): Acknowledgement[] {
  return root.node.findAll().flatMap((construct) =>
    construct.node.metadata
      .filter((entry) => entry.type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap((entry) =>
        Object.entries(entry.data as Record<string, string>).map(([rule, reason]) => ({
          path: construct.node.path,
          rule: rule.replace(/^annotation::/i, ''),
          reason,
        })),
      )
      // The CDK itself acknowledges findings of its own rules.
      .filter(({ rule }) => rule.startsWith('AwsSolutions')),
  );
}

/** Everything the pack finds, acknowledged or not. */
function allFindings(app: App): string[] {
  const pack = new AwsSolutionsChecks(app);
  Object.assign(pack, { isAcknowledged: () => false });
  return pack
    .validateScope(app)
    .violations.flatMap((violation) =>
      violation.violatingResources.map((resource) => `${violation.ruleName} ${resource.constructPath}`),
    );
}

describe.each(Object.entries(DEPLOYMENTS))('a deployment %s', (_name, switches) => {
  const { app } = define(switches, undefined, { validate: true });

  test('passes AwsSolutions and CloudFormation’s own rules', () => {
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
    expect(() => app.synth()).not.toThrow();
  });

  test('gives a reason for every rule it does not follow, and acknowledges none that it follows', () => {
    const findings = allFindings(app);
    const given = acknowledgements(app);

    expect(given.filter(({ reason }) => reason.length < 30)).toEqual([]);
    const needless = given.filter(
      ({ path, rule }) => !findings.some((finding) => finding.startsWith(`${rule} ${path}`)),
    );
    expect(needless).toEqual([]);
    expect(given.length).toBeGreaterThan(20);
  });
});
