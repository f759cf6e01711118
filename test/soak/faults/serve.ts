/** Runs the service as `bin/serve.ts` does, with environments that end soon when they are idle. */
import { consoleLogger } from '@platen/aws-local/log';
import { startService } from '../../../bin/service.ts';

const [dataDir = '', port = '', token = '', idleMs = ''] = process.argv.slice(2);
const service = await startService({
  dataDir,
  port: Number(port),
  token,
  idleMs: Number(idleMs),
  log: consoleLogger(),
});
console.log(`The service is ready: ${service.url}`);
process.on('SIGTERM', () => {
  void service.stop().finally(() => process.exit());
});
