import {
  type DateLocale,
  PAGE_DEFAULTS,
  type RenderingEngine,
  type RenderOptions,
  type TemplateData,
  type TemplatingEngine,
} from '../shared/contract/options.ts';
import { PlatenError } from '../shared/errors.ts';
import { paperInches, inches } from './page/paper.ts';
import type { PrintOptions } from './print.ts';

/** Options a template brings along; null and undefined mean "not set". */
export type TemplateOptions = {
  [K in keyof Omit<TemplateData, 'name' | 'format' | 'description'>]?: TemplateData[K] | null | undefined;
};

/** Every option of a rendering, decided: units are centimetres. */
export interface RenderSettings {
  page: Omit<PrintOptions, 'header' | 'footer' | 'tagged'>;
  furniture: {
    enabled: boolean;
    title: boolean;
    date: boolean;
    pageNumber: boolean;
    locale: DateLocale;
    /** Header and footer given with the call; they replace the template's own. */
    header: string | null;
    footer: string | null;
  };
  templatingEngine: TemplatingEngine;
  renderingEngine: RenderingEngine;
  compress: boolean;
  encryptPassword: string | null;
}

/**
 * Decides every option: the call's, else the template's own, else the default (decision 7).
 *
 * @throws PlatenError `invalid_option` when the margins leave no room on the paper
 */
export function renderSettings(call: RenderOptions, template: TemplateOptions): RenderSettings {
  const all = { ...PAGE_DEFAULTS, ...given<RenderOptions>(template), ...given(call) };
  const settings: RenderSettings = {
    page: {
      paper: all.paper_format,
      landscape: all.landscape,
      margins: {
        top: all.margin_top,
        right: all.margin_right,
        bottom: all.margin_bottom,
        left: all.margin_left,
      },
      scale: all.scale,
      printBackground: all.print_background,
      pageRange: all.page_range ?? null,
      skipFurnitureOnFirstPage: all.disable_header_footer_first_page ?? false,
    },
    furniture: {
      enabled: all.display_header_footer ?? true,
      title: all.title_header_enabled,
      date: all.date_header_enabled,
      pageNumber: all.page_number_footer_enabled,
      locale: all.date_locale,
      header: all.header_file ?? null,
      footer: all.footer_file ?? null,
    },
    templatingEngine: all.templating_engine ?? 'jinja2',
    renderingEngine: all.rendering_engine ?? 'chrome',
    compress: all.compress ?? false,
    encryptPassword: all.encrypt_password ?? null,
  };
  checkRoom(settings.page);
  return settings;
}

/** The options that are set. */
function given<T extends object>(options: {
  [K in keyof T]?: T[K] | null | undefined;
}): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const set = Object.entries(options).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(set) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Less than that holds nothing. */
const LEAST_ROOM_CM = 0.1;

function checkRoom({ paper, landscape, margins }: RenderSettings['page']): void {
  const sheet = paperInches(paper, landscape);
  const faults = [
    {
      field: 'margin_left + margin_right',
      sum: margins.left + margins.right,
      length: sheet.width,
      edge: 'width',
    },
    {
      field: 'margin_top + margin_bottom',
      sum: margins.top + margins.bottom,
      length: sheet.height,
      edge: 'height',
    },
  ]
    .filter(({ sum, length }) => inches(sum + LEAST_ROOM_CM) > length)
    .map(({ field, sum, length, edge }) => {
      const available = Math.round(length * 254) / 100;
      const message = `${field} is ${sum} cm, which leaves no room on the ${edge} of ${available} cm`;
      return { field, message, value: sum, allowed: `less than ${available}` };
    });
  if (faults.length > 0) {
    throw new PlatenError('invalid_option', `${faults.map(({ message }) => message).join('; ')}.`, {
      faults,
    });
  }
}
