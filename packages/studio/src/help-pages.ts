/** Pages of the documentation that the Studio links to, on its site. */

/** The page about each screen. */
export const PAGE_OF = {
  templates: 'start/studio.html',
  template: 'guides/templating.html',
  batches: 'recipes/csv-to-pdfs.html',
  library: 'guides/partials.html',
  jobs: 'guides/jobs.html',
  pdf: 'guides/pdf.html',
  usage: 'operate/security.html',
  settings: 'start/getting-started.html',
} as const;

export const errorPage = (code: string): string => `reference/errors/${code}.html`;
