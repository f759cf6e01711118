import type { RenderOptions } from '@platen/client';
import type { Form } from './form.ts';
import { RequestError } from './request-error.ts';

/** How readers show a PDF: the fields of LibreOffice's export for it. */

const PANELS = ['none', 'outline', 'thumbnails'] as const;
const ZOOMS = [undefined, 'page', 'width', 'content'] as const;
/** The magnification that the field `zoom` gives in percent. */
const PERCENT = 4;

/** Returns the view that a form asks for; undefined if it only names defaults. @throws RequestError */
export function viewOf(form: Form): RenderOptions['view'] {
  const [panel, page] = [integer(form, 'initialView', 0, 2), integer(form, 'initialPage', 1)];
  const [magnification = 0, percent] = [integer(form, 'magnification', 0, PERCENT), integer(form, 'zoom', 1)];
  const zoom = magnification === PERCENT ? (percent ?? 100) : ZOOMS[magnification];
  const levels =
    form.text('openBookmarkLevels') === '-1' ? undefined : integer(form, 'openBookmarkLevels', 1, 10);
  const layout = layoutOf(form);
  const view = {
    ...(panel === undefined || panel === 0 ? {} : { panel: PANELS[panel] }),
    ...(page === undefined || page === 1 ? {} : { page }),
    ...(zoom === undefined ? {} : { zoom }),
    ...(layout === undefined ? {} : { layout }),
    ...(levels === undefined ? {} : { outline_levels: levels }),
    ...flags(form),
  };
  return Object.keys(view).length === 0 ? undefined : view;
}

function layoutOf(form: Form) {
  const left = form.flag('firstPageOnLeft') ?? false;
  const columns = left ? 'two_columns_left' : 'two_columns_right';
  return ([undefined, 'single_page', 'one_column', columns] as const)[integer(form, 'pageLayout', 0, 3) ?? 0];
}

const FLAGS = {
  displayPDFDocumentTitle: 'display_title',
  openInFullScreenMode: 'full_screen',
  resizeWindowToInitialPage: 'fit_window',
  centerWindow: 'center_window',
  hideViewerMenubar: 'hide_menubar',
  hideViewerToolbar: 'hide_toolbar',
  hideViewerWindowControls: 'hide_window_controls',
} as const;

/** Returns the switches that are on. */
function flags(form: Form): Record<string, true> {
  const on = Object.entries(FLAGS).filter(([field]) => form.flag(field) === true);
  return Object.fromEntries(on.map(([, option]) => [option, true]));
}

function integer(form: Form, name: string, least: number, most = Infinity): number | undefined {
  const value = form.number(name);
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return value;
  const allowed = most === Infinity ? `an integer from ${least} on` : `an integer from ${least} to ${most}`;
  throw new RequestError(
    400,
    `Invalid form data: form field '${name}' is invalid (got '${value}', must be ${allowed})`,
  );
}
