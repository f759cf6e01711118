export { Filler } from './filler.ts';
export type { FillLimits } from './filler.ts';
export type { FillJob, TemplateSource, TemplatingEngine } from './protocol.ts';
