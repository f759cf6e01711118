import { tmpdir } from 'node:os';
import { drawPostScript } from '../../functions/convert/ghostscript.ts';
import type { WebKit } from '../../functions/convert/webkit/engine.ts';
import { packBundle, unpackBundle } from '../../packages/print/src/bundle.ts';
import type { Converter } from '../../functions/shared/convert/client.ts';
import { PYTHON } from '../../functions/convert/host-process.ts';
import { CONFINED } from './confined.ts';

/** Engines of the convert function in this process, with the interface that the calling functions use. */

/** Draws with this machine's Ghostscript. */
export function localGhostscript(program = 'gs'): Pick<Converter, 'draw'> {
  const options = {
    program,
    searchPath: process.env['PATH'] ?? '',
    python: PYTHON,
    workDir: tmpdir(),
    confinement: CONFINED,
  };
  return {
    draw: (postScript, what, { timeout }) => drawPostScript(options, { postScript, what, timeout }),
  };
}

/** Prints with this machine's WebKit; documents and results are encoded as between the functions. */
export function localWebKit(webkit: WebKit): Pick<Converter, 'print'> {
  return {
    print: async (bundle, task, { timeout, signal, warn }) => {
      const { pdf, warnings } = await webkit.print({ ...unpackBundle(packBundle(bundle)), ...task, timeout });
      signal?.throwIfAborted();
      for (const warning of warnings) warn?.(warning);
      return pdf;
    },
  };
}
