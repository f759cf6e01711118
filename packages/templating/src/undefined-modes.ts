/** Handling of undefined names that are printed, iterated or counted. */
export const UNDEFINED_MODES = ['warn', 'strict', 'silent'] as const;
export type UndefinedMode = (typeof UNDEFINED_MODES)[number];
