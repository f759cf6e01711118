import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import { form } from './client.ts';
import type { Instance } from './instance.ts';

/** Clients that leave, that read nothing, and that send half a body. */

/** Becomes a document of 10 MB. */
const LARGE = '{% for i in range(160) %}{{ mark }}{% endfor %}';
const DATA = JSON.stringify({ mark: 'left '.repeat(13_000) });
const MAX_WAIT_MS = 20_000;

export const BROKEN = ['leaves', 'reads nothing', 'sends half'] as const;

/** One such client, until it ends its connection. */
export async function breakOff(
  instance: Instance,
  how: (typeof BROKEN)[number],
  random: Random,
): Promise<void> {
  const template = how === 'reads nothing' ? LARGE : '<p>{{ mark }}';
  const request = new Request(`${instance.url}/v1/render/${how === 'leaves' ? 'pdf' : 'html'}`, {
    method: 'POST',
    body: form({ file_data: [template, 'a.html'], render_data: DATA }),
  });
  const body = Buffer.from(await request.arrayBuffer());
  const socket = connect(Number(new URL(instance.url).port), 'localhost');
  // The service may be killed meanwhile.
  socket.on('error', () => {});
  socket.pause();
  socket.write(
    [
      `POST ${new URL(request.url).pathname} HTTP/1.1`,
      'Host: localhost',
      `Authorization: ${instance.token}`,
      `Content-Type: ${request.headers.get('content-type') ?? ''}`,
      `Content-Length: ${body.length}`,
      '',
      '',
    ].join('\r\n'),
  );
  socket.write(how === 'sends half' ? body.subarray(0, body.length / 2) : body);
  await sleep(how === 'leaves' ? random.below(1_000) : random.below(MAX_WAIT_MS));
  socket.destroy();
}
