/** The screens without an editor: one file of the built site, because they share their components. */
export { Batches } from './batches.tsx';
export { Jobs } from './jobs.tsx';
export { PdfTools } from './pdf-tools.tsx';
export { Settings } from './settings.tsx';
export { Usage } from './usage.tsx';
