import { describe, expect, test } from 'vitest';
import { synthesize } from './support.ts';
import { DEPLOYMENTS } from './switches.ts';

/** CloudFormation takes 500 resources and 1 MB in a template: a release must be able to add some. */
const MOST_RESOURCES = 300;
const MOST_BYTES = 700_000;

describe.each(Object.entries(DEPLOYMENTS))('a deployment %s', (_name, switches) => {
  test('leaves room in each of its stacks for what releases add', () => {
    for (const template of Object.values(synthesize(switches))) {
      const json = template.toJSON();
      expect(Object.keys(json['Resources'] as object).length).toBeLessThan(MOST_RESOURCES);
      expect(Buffer.byteLength(JSON.stringify(json, null, 1))).toBeLessThan(MOST_BYTES);
    }
  });
});
