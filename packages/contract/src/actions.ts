/** What happens to templates, as their history tells. */
export const TEMPLATE_ACTIONS = ['added', 'changed', 'drafted', 'published', 'deleted', 'restored'] as const;
export type TemplateAction = (typeof TEMPLATE_ACTIONS)[number];
