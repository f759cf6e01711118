import { moved, serveThread } from '@platen/core/thread-side';
import type { MagickTask } from './magick.ts';
import type { PixelsTask } from './page-pixels.ts';
import type { SvgTask } from './svg.ts';
import type { ShortSamplesTask } from './tiff-samples.ts';
import type { ZstdTask } from './tiff-zstd.ts';

// Each engine's JavaScript is loaded by the task that needs it.
serveThread({
  decode: async (task: MagickTask) => {
    const { decodeWithMagick } = await import('./magick.ts');
    const bytes = await decodeWithMagick(task);
    return moved(bytes, [bytes.buffer as ArrayBuffer]);
  },
  shortSamples: async (task: ShortSamplesTask) => {
    const { withShortSamples } = await import('./tiff-samples.ts');
    const made = withShortSamples(task);
    return moved(made, [made.tiff.buffer as ArrayBuffer]);
  },
  withoutZstd: async (task: ZstdTask) => {
    const { withoutZstd } = await import('./tiff-zstd.ts');
    const tiff = withoutZstd(task);
    return moved(tiff, [tiff.buffer as ArrayBuffer]);
  },
  svg: async (task: SvgTask) => {
    const { svgToPdf } = await import('./svg.ts');
    return await svgToPdf(task);
  },
  pixels: async (task: PixelsTask) => {
    const { pagePixels } = await import('./page-pixels.ts');
    const pages = await pagePixels(task);
    return moved(
      pages,
      pages.map(({ pixels }) => pixels.buffer as ArrayBuffer),
    );
  },
});
