export type { FillJob, TemplateSource, TemplatingEngine } from './protocol.ts';
