import { effect, signal } from '@preact/signals';

/** How html is edited: as code or in blocks. The browser remembers it. */

const KEY = 'platen.view';

export const view = signal<'code' | 'blocks'>(localStorage.getItem(KEY) === 'blocks' ? 'blocks' : 'code');

effect(() => {
  if (view.value === 'code') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, view.value);
});
