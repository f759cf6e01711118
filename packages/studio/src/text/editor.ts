/** The texts of the editor and its panes. */

export const editor = {
  back: 'All templates',
  name: 'Template name',
  files: 'Template parts',
  template: 'Template',
  header: 'Header',
  footer: 'Footer',
  styles: 'Styles',
  images: 'Images',
  options: 'Options',
  versions: 'Versions',
  code: 'As code',
  office: 'File',
  saveDraft: 'Save draft',
  publish: 'Publish',
  saved: (version: number) => `Version ${version} is saved as a draft.`,
  published: (version: number) => `Version ${version} is published.`,
  note: 'What changed',
  notePlaceholder: 'What changed (optional)',
  unsaved: 'Not saved',
  draft: 'Draft, not published',
  publishedState: 'Published',
  leave: 'There are unsaved changes. Leave anyway?',
  conflict:
    'Another user has changed this template since you opened it. Reload the page to see their version; copy your text first.',
  split: 'Width of the editor',
  splitData: 'Height of the data',
  panes: 'What is shown',
  edit: 'Edit',
  data: 'Data',
  preview: 'Preview',
  addStyle: 'Add stylesheet',
  styleName: (name: string) => `Stylesheet ${name}`,
  noStyles: 'No stylesheet yet.',
} as const;

/** Texts about the data of previews. */
export const data = {
  title: 'Sample data',
  sample: 'Sample',
  unsaved: 'New sample',
  save: 'Save sample',
  saveAs: 'Name of the sample',
  saved: (name: string) => `Sample ${name} is saved.`,
  deleteLabel: 'Delete this sample',
  leave: 'The data has unsaved changes. Open other data anyway?',
  json: 'JSON',
  tree: 'Fields',
  schema: 'Schema',
  schemaLabel: 'Schema of the data',
  schemaHint: 'A JSON Schema that all data for this template must match. Leave empty to accept any data.',
  schemaBegin: 'Generate from the template',
  object: 'This must be an object: { … }',
  view: 'Data view',
  insert: (path: string) => `Insert ${path}`,
  treeHint: (isText: boolean) =>
    isText ? 'Select a field to insert it at the cursor.' : 'Select a field to copy its placeholder.',
  missing: 'Missing from the data',
  unused: 'Not used by the template',
  complete: 'The data has every field that the template uses.',
  more: (count: number) => `… and ${count} more`,
} as const;

export const preview = {
  label: 'Preview',
  rendering: 'Rendering …',
  shown: (pages: number, ms: number) => `${pages === 1 ? '1 page' : `${pages} pages`} · ${ms} ms`,
  page: (number: number, pages: number) => `Page ${number} of ${pages}`,
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Fit width',
  fault: 'Rendering failed',
  place: (part: string, line: number) => `${part}, line ${line}`,
  warnings: (count: number) => (count === 1 ? '1 warning' : `${count} warnings`),
  waiting: 'Rendering the first page …',
} as const;

export const images = {
  drop: 'Drop an image, paste one, or choose one',
  hint: 'svg, png, jpeg, webp and fifteen more',
  use: (uri: string) => `<img src="{{ ${uri} }}" alt="" />`,
  insert: 'Insert into the template',
  none: 'No images yet. In the template, {{ logo }} shows logo.png.',
  added: (uri: string) => `Use {{ ${uri} }} to show the image.`,
  deleteLabel: (uri: string) => `Delete the image ${uri}`,
} as const;

/** Texts of the findings in a rendering. */
export const report = {
  show: 'Report',
  title: 'Report',
  close: 'Close the report',
  busy: 'Checking the pages …',
  good: 'No problems found.',
  pages: 'Pages',
  size: 'Size',
  time: 'Rendered in',
  ms: (ms: number) => `${Math.round(ms)} ms`,
  fonts: 'Fonts',
  findings: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
  page: (page: number) => `page ${page}`,
  kinds: {
    overflow: 'Overflows',
    substituted: 'Replaced font',
    glyphs: 'Missing glyph',
    images: 'Low resolution',
    violations: 'Conformance',
    resources: 'Not loaded',
    console: 'Script',
  },
  by: (element: string, by: number) => `${element} by ${by.toFixed(1)} cm`,
  instead: (requested: string, used: string | null) =>
    used === null ? `${requested} is not available` : `${used} instead of ${requested}`,
  glyph: (character: string, code: string) => `${character} (${code}) is shown as an empty box`,
  dpi: (element: string | null, dpi: number) => `${element ?? 'An image'}: ${Math.round(dpi)} dpi`,
} as const;

export const versions = {
  current: 'In the editor',
  publishThis: (version: number) => `Publish version ${version}`,
  published: 'Published',
  latest: 'Latest',
  compare: 'Compare text',
  same: 'The text is the same.',
  changes: (names: readonly string[]) => names.join(', '),
  diffTitle: (version: number) => `Version ${version} compared with the editor`,
  comparePages: 'Compare pages',
  pagesTitle: (version: number) => `Pages of version ${version} compared with the editor`,
  views: { both: 'Differences', before: 'Before', now: 'Now' },
  view: 'What is shown',
  legend: 'Red was removed, green was added.',
  samePages: 'The pages look the same.',
  changedPages: (changed: number, all: number) => `${changed} of ${all} pages differ.`,
  noPage: (page: number) => `There is no page ${page} on this side.`,
  pageLabel: (page: number) => `Page ${page}`,
  restored: (version: number) => `Version ${version} is now used for rendering.`,
} as const;

/** Texts about templates that are files of an office program. */
export const office = {
  download: 'Download the file',
  drop: 'Drop a new version of the file',
  replaced: (name: string) => `${name} is shown in the preview. Save it to keep it.`,
  lead: 'Edit this file in your office program. Placeholders such as {{ customer.name }} are plain text in it.',
  wrong: (format: string) => `Drop a ${format} file. The format of a template cannot change.`,
  fields: 'Template fields',
} as const;

/** Texts about the same request from a program. */
export const asCode = {
  lead: 'Create the same document from a program. Set PLATEN_TOKEN to your token.',
  language: 'Language',
} as const;
