import { readFileSync } from 'node:fs';
import { initSync, TypstCompilerBuilder } from '@myriaddreamin/typst-ts-web-compiler';
import { PlatenError } from '@platen/core/errors';
import type { OwnFont } from './engine-calls.ts';
import { invalidImage } from './limits.ts';
import { withKnownFonts } from './svg-fonts.ts';

/**
 * Converts SVG to PDF in a worker thread, with the engine of Typst (usvg and krilla, compiled to
 * WebAssembly): shapes stay shapes, text stays text. The engine has no network, only the files passed to it,
 * and runs no scripts.
 */

export interface SvgTask {
  /** The compiled engine. */
  binary: WebAssembly.Module;
  /** The document, decoded. */
  svg: string;
  fontFiles: readonly string[];
  /** Fonts that take precedence over others of the same name. */
  ownFonts: readonly OwnFont[];
}

/** A page of the picture's size that contains only the picture. */
const DOCUMENT = `#set page(width: auto, height: auto, margin: 0pt, fill: none)
#image("picture.svg", format: "svg")
`;
/** Makes the engine report errors as data instead of text. */
const STRUCTURED = 3;

interface Compilation {
  result?: Uint8Array;
  diagnostics?: readonly { severity: string; message: string }[];
}

/** @throws PlatenError `image_invalid`, `image_too_large` */
export async function svgToPdf({ binary, svg, fontFiles, ownFonts }: SvgTask): Promise<Uint8Array> {
  initSync({ module: binary });
  const builder = new TypstCompilerBuilder();
  builder.set_dummy_access_model();
  for (const { bytes } of ownFonts) await builder.add_raw_font(bytes);
  for (const file of fontFiles) await builder.add_raw_font(readFileSync(file));
  const compiler = await builder.build();
  const families = ownFonts.flatMap((font) => font.families);
  compiler.map_shadow('/picture.svg', Buffer.from(withKnownFonts(withoutOutsideReferences(svg), families)));
  compiler.add_source('/main.typ', DOCUMENT);
  let compilation: Compilation;
  try {
    compilation = compiler.compile('/main.typ', undefined, 'pdf', STRUCTURED) as Compilation;
  } catch (cause) {
    // The engine cannot continue after an instruction that fails, usually for lack of memory.
    throw new PlatenError('image_too_large', 'The SVG is too large or too deeply nested to be drawn.', {
      cause,
    });
  }
  const { result, diagnostics = [] } = compilation;
  if (result !== undefined) return result;
  const message =
    diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'there is no picture in it';
  const reason = /^failed to parse SVG \((.*)\)$/s.exec(message)?.[1] ?? message;
  if (/limit reached/.test(reason)) {
    throw new PlatenError('image_too_large', `The SVG is too large to be drawn: ${reason}.`);
  }
  return invalidImage(`The SVG is damaged or cut off: ${reason.slice(0, 300)}.`);
}

/**
 * Removes references to external files, as browsers ignore them in a picture; the engine would refuse the
 * whole SVG.
 */
function withoutOutsideReferences(svg: string): string {
  return svg.replace(
    /\s(?:[\w.-]+:)?href\s*=\s*(?:"(?!\s*(?:data:|#))[^"<]*"|'(?!\s*(?:data:|#))[^'<]*')/gi,
    '',
  );
}
