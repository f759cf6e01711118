/** The families of text without one, and of the generic families, in both engines. */
export const GENERIC_FAMILIES = {
  default: 'Tinos',
  serif: 'Tinos',
  'sans-serif': 'Arimo',
  monospace: 'Cousine',
} as const;
