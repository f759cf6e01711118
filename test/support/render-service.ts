import { Preparer } from '../../functions/render/texts/preparer.ts';
import { Filler } from '../../functions/render/texts/filler.ts';
import { renderOperations } from '../../functions/render/operations.ts';
import type { RenderDependencies } from '../../functions/render/plan.ts';
import type { FetchPolicy } from '../../packages/print/src/fetcher/fetcher.ts';
import { createFetcher } from '../../packages/print/src/fetcher/index.ts';
import type { TenantFiles } from '../../functions/shared/store/tenant-files.ts';
import { createGroup, type Serve } from '../../functions/shared/http/index.ts';
import { startEngine } from '../chrome/engine.ts';

/** The operations of the render function for web pages, which may be on this machine; a deployment refuses those. */
export async function startWebPages(
  outside: FetchPolicy['outside'] = 'open',
  signing?: RenderDependencies['signing'],
  tenantFonts: Pick<TenantFiles, 'current' | 'read'> = {
    current: () => Promise.resolve([]),
    read: unused,
  },
): Promise<{ serve: Serve; stop(): Promise<void> }> {
  const fetcher = createFetcher({ outside, isAllowedAddress: () => true });
  const engine = await startEngine({}, fetcher);
  const filler = new Filler({ timeout: 10_000 });
  const dependencies: RenderDependencies = {
    templates: { loadForRendering: unused },
    images: {} as RenderDependencies['images'],
    partials: {} as RenderDependencies['partials'],
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

/** Services that printing a web page does not use. */
function unused(): never {
  throw new Error('not needed for a web page');
}
