import { startService } from '../../bin/service.ts';
import { consoleLogger } from '../../packages/aws-local/src/log.ts';

/** A service of its own for programs that have its documents judged. */

export type Fields = Readonly<Record<string, string | readonly [content: string | Buffer, filename: string]>>;

export interface Reply {
  status: number;
  bytes: Buffer;
}

export interface Client {
  /** Sends a form. */
  send(method: string, path: string, fields: Fields, headers?: Record<string, string>): Promise<Reply>;
  get(path: string): Promise<Reply>;
  stop(): Promise<void>;
}

/**
 * Starts the service as on AWS.
 *
 * @param env variables for all functions
 */
export async function startClient(dataDir: string, env: Record<string, string> = {}): Promise<Client> {
  const service = await startService({
    port: 0,
    dataDir,
    strict: true,
    throttle: false,
    stageInPath: true,
    env: { PLATEN_LOG_LEVEL: 'warn', ...env },
    pauseFactor: 1,
    log: consoleLogger(process.stderr),
    synthesising: () => undefined,
  });
  const ask = async (path: string, init: RequestInit): Promise<Reply> => {
    const headers = { authorization: service.token, ...(init.headers as Record<string, string> | undefined) };
    const reply = await fetch(`${service.url}${path}`, { ...init, headers });
    return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) };
  };
  return {
    send: async (method, path, fields, headers = {}) =>
      await ask(path, { method, body: formOf(fields), headers }),
    get: async (path) => await ask(path, {}),
    stop: async () => await service.stop(0),
  };
}

function formOf(fields: Fields): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([value[0]]), value[1]);
  }
  return body;
}

/** The document of a reply. @throws where it is none */
export function documentOf(reply: Reply): Buffer {
  if (reply.status === 200) return reply.bytes;
  throw new Error(`${reply.status} ${reply.bytes.toString('utf8', 0, 600)}`);
}
