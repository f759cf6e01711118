import { asCode, data, editor, images, office, preview, report, versions } from './text/editor.ts';
import { library } from './text/library.ts';
import { areas, grid, pdf, tools } from './text/pdf.ts';

/** All that the Studio says. */
export const text = {
  product: 'Platen Studio',
  close: 'Close',
  cancel: 'Cancel',
  remove: 'Remove',
  delete: 'Delete',
  loading: 'Loading …',
  copy: 'Copy',
  copied: 'Copied.',
  download: 'Download',
  skip: 'Skip to the content',
  unreachable: 'The service cannot be reached. Is it running?',

  nav: {
    label: 'Studio',
    templates: 'Templates',
    library: 'Library',
    batches: 'Batches',
    jobs: 'Jobs',
    pdf: 'PDF tools',
    usage: 'Usage',
    settings: 'Account',
  },

  theme: { toDark: 'Use dark colours', toLight: 'Use light colours' },

  signIn: {
    lead: 'Templates written, seen and tried in the browser.',
    label: 'Token',
    hint: 'The terminal in which the service was started shows one. “npm run token” makes more.',
    keep: 'Stay signed in until this tab is closed',
    action: 'Sign in',
    wrong: 'The service does not take this token.',
  },

  templates: {
    title: 'Templates',
    search: 'Search templates',
    tags: 'Tags',
    export: (count: number | null) => (count === null ? 'Export all' : `Export ${count}`),
    add: 'New template',
    drop: 'Drop a file to make a template of it, or a ZIP to import',
    none: 'There are no templates yet',
    noneLead: 'Begin with a finished one, or drop a file: html, docx, xlsx, pptx, odt, ods or odp.',
    noMatch: (words: string) => `No template fits “${words}”`,
    fromGallery: 'Begin with a sample',
    fromFile: 'Drop a file, or choose one',
    fromFileHint: 'html, docx, xlsx, pptx, odt, ods, odp',
    blank: 'Blank page',
    blankLead: 'An empty html template',
    wrongFormat: (name: string) =>
      `${name} is of no format that templates have: html, docx, xlsx, pptx, odt, ods, odp.`,
    draft: 'Draft',
    version: (number: number) => `Version ${number}`,
    deleteLabel: (name: string) => `Delete ${name}`,
    deleteTitle: 'Delete the template?',
    deleteQuestion: (name: string) => `“${name}” and all its versions go for good.`,
    deleted: (name: string) => `${name} was deleted.`,
    count: (shown: number) => (shown === 1 ? '1 template' : `${shown} templates`),
  },

  import: {
    title: 'Import',
    lead: 'Templates of a ZIP that was exported, here or elsewhere. Those that there are get a new version; nothing is deleted.',
    drop: 'Drop a ZIP, or choose one',
    publish: 'Publish the new versions',
    run: 'Import',
    sections: { partials: 'Partials', fonts: 'Fonts', translations: 'Translations' },
    version: (version: number) => `Version ${version}`,
    results: { added: 'Added', changed: 'Changed', published: 'Published', unchanged: 'As it was' },
    none: 'There is nothing in this ZIP.',
  },

  editor,
  data,
  preview,
  images,
  report,
  versions,
  office,
  asCode,

  jobs: {
    title: 'Jobs',
    refresh: 'Refresh',
    none: 'No jobs yet',
    noneLead: 'Batches run as jobs, and whatever a program asks for with “Prefer: respond-async”.',
    states: {
      queued: 'Waiting',
      running: 'Running',
      succeeded: 'Done',
      failed: 'Failed',
      cancelled: 'Cancelled',
    },
    progress: (done: number, total: number) => `${done} of ${total} documents`,
    failed: (count: number) => (count === 1 ? '1 row failed' : `${count} rows failed`),
    failures: (count: number) => (count === 1 ? 'The row that failed' : `The ${count} rows that failed`),
    row: 'Row',
    why: 'Why',
    cancel: 'Cancel this job',
    delete: 'Delete this job and its result',
  },

  batches: {
    title: 'Batches',
    lead: 'A document for each row of a CSV, Excel or JSON file, all of them in a ZIP.',
    template: 'Template',
    format: 'Format',
    drop: 'Drop a file of records, or choose one',
    dropHint: 'csv, xlsx, xls, json, jsonl',
    sheet: 'The service reads the rows of this spreadsheet when the batch runs.',
    unreadable: (name: string) => `${name} cannot be read.`,
    preview: 'First rows',
    firstRows: (shown: number) => `The first ${shown} rows`,
    rows: (shown: number, all: number) => (all <= shown ? `${all} rows` : `${shown} of ${all} rows`),
    used: 'used',
    missing: 'The template uses fields that no column is named like: take',
    noColumn: 'no column',
    skip: 'Leave rows out that fail, and list them',
    run: 'Run the batch',
  },

  again: {
    run: (count: number) => (count === 1 ? 'Run the failed row again' : `Run the ${count} failed rows again`),
    lead: 'Change what was wrong, in the template or below, and run these rows again.',
    rows: 'The rows that failed',
    sheet: 'Of this spreadsheet, the rows are not read here: take them from it, and drop them as a file.',
    sheetLead: 'Change what was wrong in the template, and run these rows of the spreadsheet again.',
    listed: (count: number) => `The first ${count} failures are listed; more rows may have failed.`,
  },

  library,
  areas,
  grid,

  json: { none: 'none', table: 'Table' },

  pdf,
  tools,

  form: {
    title: 'Fields of the form',
    none: 'There is no field in this file that could be filled.',
    nothing: '—',
    flatten: 'Make the fields part of the pages',
    fill: 'Fill the form',
  },

  settings: {
    title: 'Account',
    signOut: 'Sign out',
    token: 'Your token',
    tenant: 'Tenant',
    scopes: 'May',
    expires: 'Good until',
    never: 'It is revoked',
    service: 'Service',
    moreLead:
      'They are made and revoked here with a token of the scope admin, which is made where the service runs:',
    command: (tenant: string) =>
      `npm run token -- create --tenant ${tenant} --scopes admin,templates:read,templates:write,render,pdf,keys`,
    colours: 'Colours',
    themes: { system: 'As the machine', light: 'Light', dark: 'Dark' },
  },

  usage: {
    title: 'Usage',
    limits: 'Limits of your token',
    unlimited: 'It has none. A token is given limits when it is made.',
    windows: (name: string) => (name === 'minute' ? 'This minute' : 'This month'),
    left: (left: number, allowed: number, resets: string) =>
      `${left.toLocaleString()} of ${allowed.toLocaleString()} requests left, until ${resets}`,
    counted: 'Counted are the requests of all tokens of the tenant that have limits.',
    jobs: 'Jobs',
    kept: 'As long as jobs are kept; those that were deleted are not counted, nor documents that were made at once.',
    newest: (count: number) => `The newest ${count.toLocaleString()} jobs are counted.`,
    stored: 'Stored',
    day: 'Day',
    operation: 'Operation',
    columns: { jobs: 'Jobs', documents: 'Documents', failed: 'Failed' },
    jobFigures: { jobs: 'Jobs', documents: 'Documents', failed: 'Failed' },
    storedFigures: {
      templates: 'Templates',
      versions: 'Versions',
      partials: 'Partials',
      fonts: 'Fonts',
      translations: 'Translations',
      kilobytes: 'KB of partials and fonts',
    },
  },

  tokens: {
    title: 'Tokens',
    name: 'What it is for',
    nameHint: 'To tell it from the others.',
    noEnd: 'Nothing: until it is revoked.',
    ownEnd: 'Nothing: as long as the token that you signed in with.',
    make: 'Make a token',
    once: 'It is shown this once:',
    unnamed: 'Without a name',
    current: 'This one',
    expired: 'Expired',
    revoked: 'Revoked',
    revoke: 'Revoke',
    revokeLabel: (name: string) => `Revoke ${name}`,
    question: (name: string, isOwn: boolean) =>
      `Requests with ${name} are refused within five minutes.${isOwn ? ' You signed in with it.' : ''}`,
    times: (made: string, end: string | null) =>
      end === null ? `made ${made}` : `made ${made} · until ${end}`,
  },

  options: {
    unset: 'As by default',
    words: 'invoices, letters',
    yes: 'Yes',
    no: 'No',
    reset: (label: string) => `Take ${label} back`,
  },
} as const;
