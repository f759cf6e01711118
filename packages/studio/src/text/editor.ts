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

/** What the keys do in the editor. */
export const help = {
  show: 'Keys and help',
  title: 'Keys of the editor',
  keys: [
    ['Ctrl+S', 'Save a draft'],
    ['Ctrl+Shift+S', 'Publish'],
    ['Ctrl+Space', 'Complete names of the data, images and filters'],
    ['Ctrl+F', 'Search in the text'],
    ['F8', 'Go to the next error or unknown name'],
    ['Ctrl+.', 'Replace an unknown name with the nearest known one'],
    ['Escape, then Tab', 'Leave the text: Tab alone indents'],
    ['Ctrl+Enter, Ctrl+J', 'In blocks: add a block, insert a field'],
    ['Alt+Up, Alt+Down', 'In blocks: move the block'],
    ['Arrows on a dividing line', 'Make one side larger'],
  ],
  hint: 'Underlined names are not in the data. Point at one to see the nearest known name.',
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
  leaveTitle: 'Unsaved data',
  leave: 'The data has changes that are not saved. Open other data anyway?',
  leaveAction: 'Open other data',
  json: 'JSON',
  form: 'Form',
  schema: 'Schema',
  schemaLabel: 'Schema of the data',
  schemaHint: 'A JSON Schema that all data for this template must match. Leave empty to accept any data.',
  schemaBegin: 'Generate from the template',
  object: 'This must be an object: { … }',
  view: 'Data view',
  insert: (path: string) => `Insert ${path}`,
  formHint: (isText: boolean) =>
    isText
      ? 'Press the name of a field to insert it at the cursor.'
      : 'Press the name of a field to copy its placeholder.',
  madeUp: 'Made up',
  madeUpHint:
    'These data were made up from the fields of the template. Change them, or save them as a sample.',
  fillIn: 'Make up what is missing',
  missingField: 'missing',
  row: (name: string, row: number) => `${name}, row ${row}`,
  addRow: (name: string) => `Add a row to ${name}`,
  removeRow: (name: string, row: number) => `Remove row ${row} of ${name}`,
  missing: 'Missing from the data',
  unused: 'Not used by the template',
  unknown: (path: string) => `The data has no ${path}.`,
  meant: (name: string) => `(did you mean ${name}?)`,
  replaceWith: (name: string) => `Replace with ${name}`,
  complete: 'The data has every field that the template uses.',
  more: (count: number) => `… and ${count} more`,
} as const;

/** Texts about the schema of the data as a form. */
export const schema = {
  asForm: 'As a form',
  name: (path: string) => `Name of ${path}`,
  type: (path: string) => `Type of ${path}`,
  required: 'Required',
  remove: (path: string) => `Remove ${path}`,
  add: (path: string) => (path === '' ? 'Add a field' : `Add a field to ${path}`),
  types: {
    any: 'Any',
    text: 'Text',
    number: 'Number',
    integer: 'Whole number',
    date: 'Date',
    boolean: 'Yes or no',
    list: 'List',
    group: 'Group',
  },
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
  madeUp: 'Made-up data',
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
    undefined: 'Unknown name',
    markup: 'Not escaped',
    overflow: 'Overflows',
    substituted: 'Replaced font',
    glyphs: 'Missing glyph',
    images: 'Low resolution',
    violations: 'Conformance',
    resources: 'Not loaded',
    console: 'Script',
  },
  undefinedName: (name: string, near: string | null) =>
    near === null ? name : `${name}: did you mean ${near}?`,
  markup: (name: string | null, tag: string) => `${name ?? 'A value'} contains ${tag}`,
  line: (line: number, isParagraph: boolean) => `${isParagraph ? 'paragraph' : 'line'} ${line}`,
  by: (element: string, by: number) => `${element} by ${by.toFixed(1)} cm`,
  instead: (requested: string, used: string | null) =>
    used === null ? `${requested} is not available` : `${used} instead of ${requested}`,
  glyph: (character: string, code: string) => `${character} (${code}) is shown as an empty box`,
  dpi: (element: string | null, dpi: number) => `${element ?? 'An image'}: ${Math.round(dpi)} dpi`,
} as const;

export const history = {
  title: 'History',
  none: 'Nothing has happened since histories are kept.',
  more: (count: number) => `These are the newest ${count} entries; the API has the others.`,
  actions: {
    added: () => 'Template added',
    changed: (version: number) => `Version ${version} written and published`,
    drafted: (version: number) => `Draft ${version} written`,
    published: (version: number) => `Version ${version} published`,
    deleted: () => 'Template deleted',
    restored: () => 'Template restored',
  },
};

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
