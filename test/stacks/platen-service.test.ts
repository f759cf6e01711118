import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { PlatenService, SwitchError } from '../../lib/index.ts';
import { placeholders } from './placeholders.ts';
import { resources, synthesize, temporaryFolder } from './support.ts';

/** Platen's stacks in somebody else's CDK app. */

/** CloudFormation's rules take longer than all the rest; what is deployed is checked by them. */
const appOfOthers = () =>
  new App({
    outdir: temporaryFolder(),
    builtinCloudFormationValidation: false,
    analyticsReporting: false,
    treeMetadata: false,
  });
const artifacts = () =>
  placeholders(temporaryFolder(), ['service', 'templates', 'render', 'authorizer', 'sweep']);

it('can be added twice to another app, and expose their address', () => {
  const app = appOfOthers();
  const env = { account: '111111111111', region: 'eu-central-1' };
  const docs = new PlatenService(app, 'Docs', {
    artifacts: artifacts(),
    switches: { name: 'docs', stage: 'v' },
    env,
  });
  const other = new PlatenService(app, 'Other', { artifacts: artifacts(), switches: { name: 'other' } });
  const own = new Stack(app, 'Own', { env });
  new CfnOutput(own, 'Documents', { value: docs.baseUrl });

  const names = app.synth().stacks.map(({ stackName }) => stackName);
  expect(names.toSorted()).toEqual(['Own', 'docs-api', 'docs-storage', 'other-api', 'other-storage']);
  expect([docs.api.region, other.settings.stage]).toEqual(['eu-central-1', 'live']);
  const template = Template.fromStack(docs.api);
  expect(resources(template, 'AWS::Lambda::Function').length).toBeGreaterThan(4);
  const [output] = Object.values(Template.fromStack(own).findOutputs('Documents')) as { Value: unknown }[];
  expect(JSON.stringify(output?.Value)).toMatch(/Fn::ImportValue[^]*execute-api[^]*\/v1/);
});

it('are those of the app that is deployed by itself', () => {
  const app = appOfOthers();
  const { storage } = new PlatenService(app, 'Platen', { artifacts: artifacts() });
  const types = (template: Template): string[] =>
    Object.values(template.toJSON()['Resources'] as Record<string, { Type: string }>).map(({ Type }) => Type);
  expect(types(Template.fromStack(storage)).toSorted()).toEqual(types(synthesize().storage).toSorted());
});

it('refuse invalid switches', () => {
  const app = appOfOthers();
  const wrong = () =>
    new PlatenService(app, 'Platen', { artifacts: artifacts(), switches: { stage: 'a b' } });
  expect(wrong).toThrow(SwitchError);
});
