import { PDFDocument } from 'pdf-lib';
import type { SvgBrowser } from '@platen/imaging/engine-calls';
import type { PrintHtml } from '@platen/pdf/steps';

const PIXELS_OF_POINT = 96 / 72;
/** Points of room: the browser rounds the size of its page up. */
const SPARE = 2;

/** Draws SVG with the browser that prints html. */
export function svgBrowser(print: PrintHtml): SvgBrowser {
  return {
    draw: async (svg, drawn) => {
      const sample = await PDFDocument.load(drawn, { updateMetadata: false });
      const { width, height } = sample.getPage(0).getSize();
      const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
      const size = `width:${width * PIXELS_OF_POINT}px;height:${height * PIXELS_OF_POINT}px`;
      const pdf = await print({
        html: `<img alt="" style="display:block;${size}" src="${address}">`,
        title: '',
        sheets: [{ pageNumber: 1, totalPages: 1, width: width + SPARE, height: height + SPARE }],
      });
      const document = await PDFDocument.load(pdf, { updateMetadata: false });
      const page = document.getPage(0);
      const top = page.getHeight();
      page.setMediaBox(0, top - height, width, height);
      page.setCropBox(0, top - height, width, height);
      return await document.save({ updateFieldAppearances: false });
    },
  };
}
