import { expect, it } from 'vitest';

it('a missing or wrong variable stops the start with its name', async () => {
  const good = { PLATEN_TEMPLATES_TABLE: 't', PLATEN_FILES_BUCKET: 'b' };
  Object.assign(process.env, good);
  const { readConfig } = await import('../../functions/templates/config.ts');
  expect(readConfig(good)).toEqual({
    table: 't',
    bucket: 'b',
    keptVersions: 100,
    deletedDays: 30,
    logLevel: 'info',
    tokensTable: null,
    metrics: null,
  });
  expect(() => readConfig({ PLATEN_FILES_BUCKET: 'b' })).toThrow('PLATEN_TEMPLATES_TABLE is not set.');
  expect(() => readConfig({ PLATEN_TEMPLATES_TABLE: 't' })).toThrow('PLATEN_FILES_BUCKET is not set.');
  expect(() => readConfig({ ...good, PLATEN_LOG_LEVEL: 'verbose' })).toThrow(
    'PLATEN_LOG_LEVEL is "verbose" but must be one of: debug, info, warn, error, silent.',
  );
});
