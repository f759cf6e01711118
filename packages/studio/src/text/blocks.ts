/** The texts of the editor in blocks. */
export const blocks = {
  rule: 'Line',
  pageBreak: 'Page break',
  image: (name: string) => `Image ${name}`,
  repeats: (item: string, list: string) => `For each ${item} of ${list}`,
  onlyIf: (condition: string) => `Only if ${condition}`,
  pageFields: { pageNumber: 'Page number', totalPages: 'Number of pages' },
} as const;
