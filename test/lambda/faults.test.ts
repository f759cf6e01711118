import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FAULTS, withFault } from './faults.ts';

const root = path.resolve(import.meta.dirname, '../..');

it.each(FAULTS)('the fault "$name" still has a place in its file, and a test', (fault) => {
  expect(withFault(root, fault)).toContain(fault.after);
  expect(readFileSync(path.join(root, fault.test), 'utf8')).toMatch(new RegExp(fault.only));
});
