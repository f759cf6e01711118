export type { FillJob, RenderLanguage, TemplateSource, TemplatingEngine } from './protocol.ts';
