/** Families of the fonts layer that are metric-compatible with common fonts (layers/fonts/fonts.conf). */
export const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  Arimo: [
    'sans-serif', 'sans', 'system-ui', 'ui-sans-serif', 'arial', 'helvetica neue', 'helvetica', 'verdana', 'tahoma',
    'segoe ui', 'trebuchet ms', 'roboto', 'open sans', 'dejavu sans', 'liberation sans', 'inter', 'lucida grande',
    'bitstream vera sans',
  ],
  Tinos: [
    'serif', 'ui-serif', 'times new roman', 'times', 'georgia', 'garamond', 'palatino', 'dejavu serif',
    'liberation serif',
  ],
  Cousine: [
    'monospace', 'ui-monospace', 'courier new', 'courier', 'consolas', 'menlo', 'monaco', 'dejavu sans mono',
    'liberation mono', 'sfmono-regular', 'sf mono',
  ],
  Carlito: ['calibri'],
  Caladea: ['cambria'],
}; // prettier-ignore
