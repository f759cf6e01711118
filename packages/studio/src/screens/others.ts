/** The screens without an editor: one file of the built site, since they are made of the same pieces. */
export { Batches } from './batches.tsx';
export { Jobs } from './jobs.tsx';
export { PdfTools } from './pdf-tools.tsx';
export { Settings } from './settings.tsx';
export { Usage } from './usage.tsx';
