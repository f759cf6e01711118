import type { GotenbergOptions } from '../../packages/gotenberg/src/index.ts';
import type { Scenario, Step } from './gherkin.ts';

/** What Gotenberg's variables are in Platen, and which scenarios have no counterpart. */

type Options = Partial<GotenbergOptions>;

/** Variables without an effect on documents: Platen has one engine for each kind of document. */
const WITHOUT_EFFECT =
  /^(API_ENABLE_DEBUG_ROUTE|\w+_TELEMETRY|PDFENGINES_\w+_ENGINES|CHROMIUM_MAX_CONCURRENCY|CHROMIUM_RESTART_AFTER|CHROMIUM_CLEAR_STORAGE|CHROMIUM_DENY_PRIVATE_IPS|GOTENBERG_API_BASIC_AUTH_\w+|API_OIDC_\w+)$/;

/** Patterns that permit every address: those of private networks stay closed. */
const EVERYTHING: ReadonlySet<string> = new Set(['', '.+', '^.*']);

/** Returns the options of the routes for a variable; null if Platen has no such setting. */
function optionsOf(name: string, value: string): Options | null {
  if (WITHOUT_EFFECT.test(name)) return {};
  switch (name) {
    case 'CHROMIUM_ALLOW_LIST':
      return EVERYTHING.has(value) ? {} : null;
    case 'API_ENABLE_BASIC_AUTH':
    case 'API_ENABLE_OIDC_AUTH':
      return { token: null };
    case 'API_ROOT_PATH':
      return { rootPath: value };
    case 'CHROMIUM_DISABLE_ROUTES':
      return { disabled: ['chromium'] };
    case 'LIBREOFFICE_DISABLE_ROUTES':
      return { disabled: ['libreoffice'] };
    case 'PDFENGINES_DISABLE_ROUTES':
      return { disabled: ['pdfengines'] };
    case 'CHROMIUM_DISABLE_JAVASCRIPT':
      return { disabled: ['javascript'] };
    case 'PROMETHEUS_DISABLE_COLLECT':
      return value === 'true' ? { disabled: ['prometheus'] } : {};
    case 'WEBHOOK_ENABLE_SYNC_MODE':
      return { waitsForWebhooks: true };
    default:
      return null;
  }
}

const CONTAINER = /^I have a (?:default )?\w+ container/i;

/** Returns the options of the service that a scenario starts; the reason if Platen has no counterpart. */
export function configurationOf({ feature, name, steps }: Scenario): Options | string {
  for (const [pattern, reason] of WITHOUT_COUNTERPART) if (pattern.test(`${feature} ${name}`)) return reason;
  const options: Options = {};
  for (const [variable = '', value = ''] of steps.find(({ text }) => CONTAINER.test(text))?.table ?? []) {
    const option = optionsOf(variable, value);
    if (option === null) return `Platen has no setting like ${variable}=${value}`;
    Object.assign(options, option);
  }
  return options;
}

const WITHOUT_COUNTERPART: readonly (readonly [RegExp, string])[] = [
  [/^debug\./, "Gotenberg's own debug route"],
  [/\(No Logging\)/, 'Platen does not log single requests to its routes'],
  [/pdftk unsupported|PDFtk - user password only/, 'a limit of PDFtk, which Platen does not use'],
  [/leaks without clearing/, 'Platen always clears the storage between documents'],
];

/** Returns the steps after the container has been started. */
export function stepsOf({ steps }: Scenario): Step[] {
  return steps.filter(({ text }) => !CONTAINER.test(text));
}
