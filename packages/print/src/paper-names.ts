/** The named paper formats. */
export const PAPER_FORMATS = [
  'Letter',
  'Legal',
  'Tabloid',
  'Ledger',
  'A0',
  'A1',
  'A2',
  'A3',
  'A4',
  'A5',
  'A6',
] as const;
export type PaperFormat = (typeof PAPER_FORMATS)[number];
