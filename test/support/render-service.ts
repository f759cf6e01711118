import { Preparer } from '../../functions/render/texts/preparer.ts';
import { Filler } from '../../functions/render/texts/filler.ts';
import { renderOperations } from '../../functions/render/operations.ts';
import type { RenderDependencies } from '../../functions/render/dependencies.ts';
import type { FetchPolicy } from '../../packages/print/src/fetcher/fetcher.ts';
import { createFetcher } from '../../packages/print/src/fetcher/index.ts';
import type { TenantFiles } from '../../functions/shared/store/tenant-files.ts';
import { createGroup, type Serve } from '../../functions/shared/http/index.ts';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { listen, type Listening } from '../../packages/gotenberg/src/server.ts';
import { startEngine } from '../chrome/engine.ts';
import { CONTEXT, gatewayEvent } from './gateway-event.ts';

/** The operations of the render function for web pages, which may be on this machine; a deployment refuses those. */
export async function startWebPages(
  outside: FetchPolicy['outside'] = 'open',
  signing?: RenderDependencies['signing'],
  tenantFonts: Pick<TenantFiles, 'current' | 'read'> = {
    current: () => Promise.resolve([]),
    read: unused,
  },
): Promise<{ serve: Serve; stop(): Promise<void> }> {
  // Every name is one of this machine.
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const fetcher = createFetcher({ outside, isAllowedAddress: () => true, resolve });
  const engine = await startEngine({}, fetcher);
  const filler = new Filler({ timeout: 10_000 });
  const dependencies: RenderDependencies = {
    templates: { loadForRendering: unused },
    images: { displayable: () => new Map() } as unknown as RenderDependencies['images'],
    partials: { current: () => Promise.resolve([]) } as unknown as TenantFiles,
    tenantFonts: tenantFonts as TenantFiles,
    fonts: null,
    converter: {} as RenderDependencies['converter'],
    filler,
    preparer: new Preparer(filler.threads, 10_000),
    printers: { chrome: engine.printer, webkit: engine.printer },
    fetcher,
    signing,
    maxRecords: 1,
    maxJobRecords: 1,
  };
  return {
    serve: createGroup('render', renderOperations(dependencies)),
    stop: async () => {
      await filler.close();
      await engine.stop();
    },
  };
}

/** Serves the operations over HTTP, as API Gateway does; every token is good. */
export async function listenAsGateway(serve: Serve): Promise<Listening> {
  return await listen(
    async (request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname === '/v1/token') return Response.json({ tenant: 'acme', scopes: ['render'] });
      const event = gatewayEvent({
        method: request.method,
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        body: Buffer.from(await request.arrayBuffer()),
      });
      const { status, headers, body, close } = await serve(event, CONTEXT);
      const bytes = body instanceof Readable ? await buffer(body) : body;
      await close?.();
      return new Response(bytes as string | Uint8Array<ArrayBuffer> | null, { status, headers });
    },
    { port: 0, host: '127.0.0.1', fault: () => undefined },
  );
}

/** Services that printing html without files of its own does not use. */
function unused(): never {
  throw new Error('not needed for a web page');
}
