import { Readable, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { consoleLogger } from '../../packages/aws-local/src/log.ts';

/** Lines of functions, as whoever runs the service on a laptop reads them. */

it('shows the measures of a request, and omits the fields for CloudWatch', async () => {
  let shown = '';
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      shown += chunk.toString();
      done();
    },
  });
  const line = { level: 'info', message: 'request', documents: 2, _aws: { CloudWatchMetrics: [] } };
  consoleLogger(output as unknown as typeof process.stderr).lines(
    'render',
    Readable.from([`${JSON.stringify(line)}\n`]),
  );
  await expect.poll(() => shown).toMatch(/render request documents=2\n$/);
});
