import type { OfficeFormat } from '@platen/office/format';
import type { PlacedReference } from '@platen/templating/references';
import type { TemplatingEngine } from '@platen/contract/options';

/** The limits for reading an office file's placeholders, within the memory and time of this function. */
export const OFFICE_LIMITS = { timeout: 20_000, memory: 512 * 1024 * 1024 };

/** Loads the office filler only if there is a file to check. @returns the partials that the file names */
export async function checkOfficePlaceholders(
  bytes: Uint8Array,
  format: OfficeFormat,
  engine: TemplatingEngine,
): Promise<PlacedReference[]> {
  if (engine === 'none') return [];
  const { checkOfficeTemplate } = await import('@platen/office');
  return await checkOfficeTemplate(bytes, format, engine, { limits: OFFICE_LIMITS });
}
