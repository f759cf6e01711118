import type { OfficeFormat } from '@platen/office/format';
import type { PlacedReference } from '@platen/templating/references';
import type { TemplatingEngine } from '@platen/contract/options';

/** Of looking at an office file's placeholders, within the memory and the time this function has. */
export const OFFICE_LIMITS = { timeout: 20_000, memory: 512 * 1024 * 1024 };

/** Loads what fills office documents only when there is one to be looked at. @returns the partials that it names */
export async function checkOfficePlaceholders(
  bytes: Uint8Array,
  format: OfficeFormat,
  engine: TemplatingEngine,
): Promise<PlacedReference[]> {
  if (engine === 'none') return [];
  const { checkOfficeTemplate } = await import('@platen/office');
  return await checkOfficeTemplate(bytes, format, engine, { limits: OFFICE_LIMITS });
}
