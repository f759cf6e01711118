import type { View } from '@platen/pdf/options';
import * as z from 'zod';

/** The option for how readers show a PDF. */

const choice = (description: string): z.ZodOptional<z.ZodBoolean> =>
  z.boolean().optional().meta({ description });

export const viewSchema = z
  .object({
    panel: z
      .enum(['none', 'outline', 'thumbnails'])
      .optional()
      .meta({ description: 'Panel beside the pages.' }),
    page: z
      .number()
      .int()
      .min(1)
      .max(1e6)
      .optional()
      .meta({ description: 'Page that is shown first. Default 1.' }),
    zoom: z
      .union([z.enum(['page', 'width', 'content']), z.number().int().min(1).max(6400)])
      .optional()
      .meta({ description: 'What fits into the window, or percent.' }),
    layout: z.enum(['single_page', 'one_column', 'two_columns_left', 'two_columns_right']).optional().meta({
      description: 'Arrangement of the pages. The first page of two columns is on the left or on the right.',
    }),
    outline_levels: z
      .number()
      .int()
      .min(1)
      .max(10)
      .optional()
      .meta({ description: 'Levels of the outline that are visible. Default: those that are.' }),
    full_screen: choice('Open in full screen.'),
    fit_window: choice('Give the window the size of the first page.'),
    center_window: choice('Put the window in the middle of the screen.'),
    display_title: choice('Show the title in place of the name of the file.'),
    hide_menubar: choice('Hide the menu bar.'),
    hide_toolbar: choice('Hide the toolbars.'),
    hide_window_controls: choice('Hide scroll bars and other controls.'),
  })
  .meta({ id: 'ViewOptions', description: 'How readers show the PDF when it is opened.' });

/** Returns the view as @platen/pdf takes it. */
export function viewOf(wire: z.infer<typeof viewSchema>): View {
  const { panel, page, zoom, layout, outline_levels: outlineLevels, full_screen: fullScreen } = wire;
  return {
    panel,
    page,
    zoom,
    layout,
    outlineLevels,
    fullScreen,
    preferences: {
      FitWindow: wire.fit_window,
      CenterWindow: wire.center_window,
      DisplayDocTitle: wire.display_title,
      HideMenubar: wire.hide_menubar,
      HideToolbar: wire.hide_toolbar,
      HideWindowUI: wire.hide_window_controls,
    },
  };
}
