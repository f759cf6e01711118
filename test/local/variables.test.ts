import os from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import type { FunctionSpec } from '../../packages/aws-local/src/assembly/index.ts';
import {
  type EnvironmentSettings,
  environmentVariables,
} from '../../packages/aws-local/src/lambda/variables.ts';

/** What the processes of functions have in their environment. */

const spec = { name: 'pdf', memoryMb: 512, handler: 'index.handler', environment: {} } as FunctionSpec;
const settings: EnvironmentSettings = {
  runtime: '',
  tmpRoot: '',
  layerRoot: () => undefined,
  credentials: () => ({ accessKeyId: 'id', secretAccessKey: 'secret' }),
  endpoints: { s3: '', dynamodb: '', lambda: '', sfn: '', sqs: '', secrets: '' },
  variables: {},
};
const variables = () => environmentVariables(spec, settings, { api: '127.0.0.1:1', tmp: '/tmp/own' });

afterEach(() => vi.restoreAllMocks());

it('have no HOME of their own if the machine knows the user, as on Lambda', () => {
  expect(variables()).not.toHaveProperty('HOME');
});

it('have one where it does not: the AWS SDK looks there for its settings, in any container (I-58)', () => {
  vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)');
  });
  expect(variables()).toMatchObject({ HOME: '/tmp/own', TMPDIR: '/tmp/own' });
});
