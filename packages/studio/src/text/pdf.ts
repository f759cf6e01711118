/** The texts of the PDF tools. */

function kilobytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Texts about files and the list of them. */
export const pdf = {
  title: 'PDF tools',
  drop: 'Drop a PDF, or choose one',
  dropMany: 'Drop PDFs, or choose some',
  result: (name: string, bytes: number) => `${name} (${kilobytes(bytes)})`,
  bytes: (bytes: number) => kilobytes(bytes),
  up: (name: string) => `Move ${name} up`,
  down: (name: string) => `Move ${name} down`,
  remove: (name: string) => `Remove ${name}`,
  pages: 'Pages of the result',
  notShown: 'The result cannot be shown here. Download it instead.',
} as const;

/** Texts of operations and their fields. */
export const tools = {
  operations: {
    merge: {
      title: 'Merge',
      lead: 'Combines several files in the order of the list.',
      action: 'Merge',
    },
    process: {
      title: 'Pages',
      lead: 'Reorder, rotate and remove the pages of one or more files.',
      action: 'Create the file',
    },
    redact: {
      title: 'Redact',
      lead: 'Removes the content of the boxes, and the words, from the file. They are not only covered.',
      action: 'Redact',
    },
    sign: {
      title: 'Sign',
      lead: 'Signs with a key of the library (PAdES).',
      action: 'Sign',
    },
    verify: {
      title: 'Signatures',
      lead: 'Shows who signed a file, whether it was changed since, and whether the signature is trusted.',
      action: 'Check',
    },
    'split-zip': {
      title: 'Split',
      lead: 'Creates one file for each range of pages, in a ZIP.',
      action: 'Split',
    },
    rotate: {
      title: 'Rotate',
      lead: 'Rotates pages clockwise.',
      action: 'Rotate',
    },
    stamp: {
      title: 'Stamp',
      lead: 'Puts a text over the pages.',
      action: 'Stamp',
    },
    compress: {
      title: 'Compress',
      lead: 'Makes the file smaller without changing its pages.',
      action: 'Compress',
    },
    encrypt: {
      title: 'Encrypt',
      lead: 'Protects the file with a password (AES-256).',
      action: 'Encrypt',
    },
    info: {
      title: 'Info',
      lead: 'Lists the pages, fonts, images and signatures of a file.',
      action: 'Show',
    },
    form: {
      title: 'Forms',
      lead: 'Lists the fields of a form with their values, and fills them.',
      action: 'Show the fields',
    },
  },
  fields: {
    pages: 'Pages',
    ranges: 'Ranges',
    angle: 'Angle',
    text: 'Text',
    position: 'Position',
    opacity: 'Opacity',
    size: 'Size',
    color: 'Colour',
    password: 'Password',
    words: 'Words',
    key: 'Key',
    level: 'Level',
    reason: 'Reason',
    location: 'Location',
    seen: 'Text in the box',
  },
  pagesHint: 'Such as 1-3,5; empty: all.',
  wordsHint: 'Separated by commas.',
  keyHint: 'The name of the key in the library.',
  signed: 'Signed',
  seenHint: 'Draw a box for a visible signature. Without a box it is invisible.',
  rangesHint: 'Separated by commas: first and last page of each file.',
  opacityHint: 'From 0 to 1.',
  sizeHint: 'In points.',
  draft: 'DRAFT',
} as const;

/** Texts about boxes that are drawn on pages. */
export const areas = {
  draw: 'Draw boxes on the pages with the mouse.',
  drawOne: 'Draw a box on a page for a visible signature.',
  add: 'Add a box',
  clear: 'Remove all boxes',
  label: (number: number, page: number) => `Box ${number}, on page ${page}`,
  keys: 'Arrow keys move it, Shift and arrow keys resize it, Delete removes it.',
} as const;

/** Texts about the order of pages. */
export const grid = {
  label: 'Pages in order',
  page: (number: number, place: number) => `Page ${number}, position ${place}`,
  keys: 'Drag it, or move it with the arrow keys.',
  turn: (number: number) => `Rotate page ${number}`,
  remove: (number: number) => `Remove page ${number}`,
} as const;
