import { PlatenError } from '@platen/core/errors';
import type { StampFont } from './step-values.ts';
import { fontDetailsOf } from './store/tenant-files/fonts.ts';
import type { TenantFiles } from './store/tenant-files.ts';

/** The fonts of a tenant for stamped text. */

/** Supported formats: WOFF is compressed for the web, and collections hold several fonts. */
const SETTABLE: ReadonlySet<string> = new Set(['ttf', 'otf']);

/** Weights from here on are bold. */
const BOLD = 600;

/**
 * Finds the tenant's font that a step names: by its family, followed by `bold` and `italic`.
 *
 * @throws PlatenError `invalid_field` for a font in an unsupported format; `storage_unavailable`
 */
export function stampFonts(tenant: string, files: TenantFiles): StampFont {
  let listed: ReturnType<typeof facesOf> | undefined;
  return async (name, field) => {
    // All steps of a request use the same fonts.
    listed ??= facesOf(tenant, files);
    const faces = await listed;
    for (const { family, bold, italic } of readings(name)) {
      const named = faces.filter((face) => face.family.toLowerCase() === family);
      const faults = (face: (typeof named)[number]): number =>
        (SETTABLE.has(face.format) ? 0 : 4) +
        2 * Number(face.isBold !== bold) +
        Number(face.italic !== italic);
      const [best] = named.sort((a, b) => faults(a) - faults(b));
      if (best === undefined) continue;
      if (SETTABLE.has(best.format)) return { name, bytes: await files.read(tenant, best.file) };
      const message = `the font \`${best.file.name}\` is ${best.format}: text is set in TrueType and OpenType fonts`;
      throw new PlatenError('invalid_field', `\`${field}\`: ${message}.`, { faults: [{ field, message }] });
    }
    return undefined;
  };
}

async function facesOf(tenant: string, files: TenantFiles) {
  return (await files.list(tenant)).flatMap((file) => {
    const { format, faces } = fontDetailsOf(file);
    return faces.map((face) => ({ ...face, file, format, isBold: face.weight[1] >= BOLD }));
  });
}

/** Returns the possible meanings of a name: a family as it is, or one followed by its style. */
function readings(name: string): { family: string; bold: boolean; italic: boolean }[] {
  const words = name.trim().toLowerCase().split(/\s+/);
  const whole = { family: words.join(' '), bold: false, italic: false };
  const styled = { bold: false, italic: false };
  while (words.length > 1) {
    const last = words.at(-1);
    if (last !== 'bold' && last !== 'italic') break;
    styled[last] = true;
    words.pop();
  }
  return words.join(' ') === whole.family ? [whole] : [whole, { family: words.join(' '), ...styled }];
}
