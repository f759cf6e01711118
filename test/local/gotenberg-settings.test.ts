import { expect, it } from 'vitest';
import { gotenbergSettings } from '../../bin/gotenberg.ts';

/** The settings of Gotenberg's routes (I-58) beside the local service. */

it('the routes are at the root, whole, and webhooks are not waited for', () => {
  expect(gotenbergSettings({})).toEqual({ rootPath: '/', disabled: [], waitsForWebhooks: false });
});

it('the path, what is switched off and waiting for webhooks are configured', () => {
  const env = {
    PLATEN_GOTENBERG_ROOT_PATH: '/a/b/',
    PLATEN_GOTENBERG_DISABLED: 'chromium, javascript, prometheus',
    PLATEN_GOTENBERG_WEBHOOKS: 'sync',
  };
  expect(gotenbergSettings(env)).toEqual({
    rootPath: '/a/b/',
    disabled: ['chromium', 'javascript', 'prometheus'],
    waitsForWebhooks: true,
  });
});

it.each([
  ['PLATEN_GOTENBERG_ROOT_PATH', 'documents'],
  ['PLATEN_GOTENBERG_ROOT_PATH', '/documents'],
  ['PLATEN_GOTENBERG_DISABLED', 'chrome'],
  ['PLATEN_GOTENBERG_WEBHOOKS', 'both'],
])('%s=%s is refused by name', (name, value) => {
  expect(() => gotenbergSettings({ [name]: value })).toThrow(name);
});
