import { createWriteStream, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readConfig } from '../../functions/pdf/config.ts';
import { facturXOperations } from '../../functions/pdf/factur-x.ts';
import { pdfOperations } from '../../functions/pdf/operations.ts';
import { createGroup } from '../../functions/shared/http/index.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { bodyText, CONTEXT, gatewayEvent, multipart, type MultipartPart } from '../support/gateway-event.ts';

/** The PDF function, asked as clients in the field do. */

const { dist: layers } = await buildFontsLayer('local');

/** Returns the function with other settings than the usual ones. */
export function serving(environment: Readonly<Record<string, string>>): typeof serve {
  const config = readConfig({
    PLATEN_LOG_LEVEL: 'error',
    PLATEN_FILES_BUCKET: 'files',
    PLATEN_LAYER_ROOT: layers,
    ...environment,
  });
  setLogLevel(config.logLevel);
  return createGroup('pdf', { ...pdfOperations(config), ...facturXOperations() });
}

export const serve: ReturnType<typeof createGroup> = serving({});

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The problem, or another answer in JSON. */
  problem: Record<string, unknown>;
}

/** Posts parts as the clients in the field do; what comes back is saved to `output`. */
export async function post(
  path: string,
  parts: readonly MultipartPart[],
  output: string,
  server = serve,
): Promise<Answer> {
  const reply = await server(gatewayEvent({ method: 'POST', path, ...multipart(parts) }), CONTEXT);
  if (reply.body instanceof Readable) {
    await pipeline(reply.body, createWriteStream(output));
    await reply.close?.();
    return { status: reply.status, headers: reply.headers, problem: {} };
  }
  const problem = JSON.parse(bodyText(reply)) as Record<string, unknown>;
  await reply.close?.();
  return { status: reply.status, headers: reply.headers, problem };
}

export function file(path: string, name = 'file', filename = 'Report.pdf'): MultipartPart {
  return { name, content: readFileSync(path), filename, contentType: 'application/pdf' };
}

export const field = (name: string, value: unknown): MultipartPart => ({
  name,
  content: typeof value === 'string' ? value : JSON.stringify(value),
});
