import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

/** The host that pages of the test data name, which answers `/400` with the status 400. */
export const STATUS_HOST = 'gethttpstatus.com';

/**
 * Starts it, with the certificate that the processes of the service trust.
 *
 * @returns a function that stops it
 */
export async function startStatusServer({ env }: NodeJS.Process): Promise<() => void> {
  const [key, cert] = [env['STATUS_KEY'], env['NODE_EXTRA_CA_CERTS']].map((file) => readFileSync(file ?? ''));
  const server = createServer({ key, cert }, ({ url }, response) => {
    const [, status = '404'] = /^\/(\d{3})$/.exec(url ?? '') ?? [];
    response.writeHead(Number(status)).end();
  });
  server.listen(443, '0.0.0.0');
  await once(server, 'listening');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
