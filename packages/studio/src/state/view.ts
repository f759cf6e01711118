import { effect, signal } from '@preact/signals';

/** How html is edited: as code or in blocks. The browser remembers it. */

const KEY = 'platen.view';

export const view = signal<'code' | 'blocks'>(localStorage.getItem(KEY) === 'blocks' ? 'blocks' : 'code');

effect(() => localStorage.setItem(KEY, view.value));
