/** The files of `samples/` in the repository, by their paths: one file of the built site, loaded with the gallery. */
export const FILES: Readonly<Record<string, string>> = import.meta.glob<string>(
  [
    '../../../samples/*/{data,options,sample}.json',
    '../../../samples/*/{footer,header,template}.html',
    '../../../samples/*/*.{css,svg}',
  ],
  { query: '?raw', import: 'default', eager: true },
);
