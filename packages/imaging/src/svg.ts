import { initSync, type TypstCompiler, TypstCompilerBuilder } from '@myriaddreamin/typst-ts-web-compiler';
import { PlatenError } from '@platen/core/errors';
import type { OwnFont } from './engine-calls.ts';
import { invalidImage } from './limits.ts';
import { computed, Notes } from './svg/computed.ts';
import { chooseFonts } from './svg/fonts.ts';
import { parseSvg, serializeSvg } from './svg/tree.ts';

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
  /** Folder of the font files; null for a drawing without text. */
  fontFolder: string | null;
  /** Fonts that take precedence over others of the same name. */
  ownFonts: readonly OwnFont[];
}

export interface SvgDrawing {
  /** A PDF whose page is the picture. */
  pdf: Uint8Array;
  /** What nobody can draw, as parts of a sentence. */
  missing: readonly string[];
  /** What only browsers draw. */
  lacking: readonly string[];
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
export async function svgToPdf({ binary, svg, fontFolder, ownFonts }: SvgTask): Promise<SvgDrawing> {
  const notes = new Notes();
  const { text, fonts } = await prepared(svg, fontFolder, ownFonts, notes);
  initSync({ module: binary });
  const builder = new TypstCompilerBuilder();
  builder.set_dummy_access_model();
  for (const { bytes } of ownFonts) await builder.add_raw_font(bytes);
  for (const font of fonts) await builder.add_raw_font(font);
  const compiler = await builder.build();
  compiler.map_shadow('/picture.svg', Buffer.from(text));
  compiler.add_source('/main.typ', DOCUMENT);
  return { pdf: compiled(compiler), missing: [...notes.missing], lacking: [...notes.lacking] };
}

/** A file that is not well-formed goes to the engine as it is, which tells what is wrong. */
async function prepared(
  svg: string,
  fontFolder: string | null,
  ownFonts: readonly OwnFont[],
  notes: Notes,
): Promise<{ text: string; fonts: Uint8Array[] }> {
  const parsed = parseSvg(svg);
  if (parsed === null) {
    notes.forBrowser('styles and fonts: the file is no valid XML');
    return { text: svg, fonts: [] };
  }
  const tree = computed(parsed, notes);
  const fonts = fontFolder === null ? [] : await chooseFonts(tree, fontFolder, ownFonts, notes);
  return { text: serializeSvg(tree), fonts };
}

function compiled(compiler: TypstCompiler): Uint8Array {
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
