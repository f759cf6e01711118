import type { RenderLanguage } from '@platen/templating';
import { readyRendering } from '../shared/rendering-steps.ts';
import { credentialsOf } from './browser.ts';
import type { RenderDependencies, RenderRequest } from './plan.ts';
import type { RenderSettings, RequestedSettings } from './settings.ts';

/**
 * Returns the settings of a rendering: those that its request decides, with the translations, the files of the steps,
 * the signer and the credentials that they refer to. All their errors are found before anything is rendered.
 *
 * @throws PlatenError as `readyRendering` and `credentialsOf`
 */
export async function completeSettings(
  { locale, sent, ...settings }: RequestedSettings,
  request: RenderRequest,
  dependencies: Pick<RenderDependencies, 'signing' | 'tenantFonts' | 'translations'>,
): Promise<RenderSettings> {
  const language = await languageOf(locale, request, dependencies);
  const options = request.form.render_options ?? {};
  const { load, sign } = await readyRendering(settings.requestedSteps, options, request, dependencies);
  return { ...settings, language, steps: await load(), sign, credentials: await credentialsOf(sent) };
}

/** The key under which a job pins the translations at its acceptance, so that all its documents use the same ones. */
const PINNED_TRANSLATIONS = 'translations';

/** Returns a locale with the translations of the tenant; there are none without a locale. */
async function languageOf(
  locale: string | null,
  { tenant, isJob, pins }: RenderRequest,
  { translations }: Pick<RenderDependencies, 'translations'>,
): Promise<RenderLanguage> {
  if (locale === null || translations === undefined) return { locale, catalogues: [] };
  const pinned = pins[PINNED_TRANSLATIONS];
  const catalogues =
    pinned === undefined
      ? await translations.catalogues(tenant, locale)
      : (JSON.parse(pinned) as RenderLanguage['catalogues']);
  if (isJob) pins[PINNED_TRANSLATIONS] = JSON.stringify(catalogues);
  return { locale, catalogues };
}
