import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Drops clients that do not read their responses, which would be kept for as long as they like. */

/** A client that reads nothing for this time, although there is something to read, is dropped. */
const UNREAD_MS = 60_000;
/** Samples in that time. */
const SAMPLES = 6;

interface Progress {
  /** Changes whenever the client reads. */
  mark: string;
  since: number;
}

export class UnreadResponses {
  readonly #open = new Map<ServerResponse, Progress | null>();
  readonly #unreadMs: number;
  readonly #timer: NodeJS.Timeout;

  constructor(unreadMs: number = UNREAD_MS) {
    this.#unreadMs = unreadMs;
    this.#timer = setInterval(() => void this.#look(), unreadMs / SAMPLES);
    this.#timer.unref();
  }

  watch(response: ServerResponse): void {
    this.#open.set(response, null);
    response.once('close', () => this.#open.delete(response));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const blocked = [...this.#open].filter(([{ socket }]) => (socket?.writableLength ?? 0) > 0);
    const queues = blocked.length === 0 ? new Map<string, string>() : await sendQueues();
    const now = Date.now();
    for (const [response, before] of this.#open) {
      const { socket } = response;
      if (!socket || socket.writableLength === 0) {
        this.#open.set(response, null);
        continue;
      }
      const queue = queues.get(addressOf(socket)) ?? '';
      const mark = `${socket.bytesWritten - socket.writableLength} ${queue}`;
      if (before?.mark !== mark) this.#open.set(response, { mark, since: now });
      else if (now - before.since >= this.#unreadMs) response.destroy();
    }
  }
}

/**
 * Returns the bytes that the system holds for each connection, in hex, by its ports. A slow reader empties them long
 * before the system takes more: a third of its buffer of some megabytes has to be free.
 */
async function sendQueues(): Promise<Map<string, string>> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'latin1').catch(() => '')),
  );
  const queues = new Map<string, string>();
  for (const line of tables.flatMap((table) => table.split('\n'))) {
    const [, local = '', remote = '', , sizes = ''] = line.trim().split(/\s+/);
    const ports = `${local.split(':')[1]} ${remote.split(':')[1]}`;
    // Clients at several addresses may have the same port.
    queues.set(ports, `${queues.get(ports) ?? ''} ${sizes.split(':')[0]}`);
  }
  return queues;
}

function addressOf({ localPort = 0, remotePort = 0 }: Socket): string {
  const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
  return `${hex(localPort)} ${hex(remotePort)}`;
}
