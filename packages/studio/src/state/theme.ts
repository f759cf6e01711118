import { effect, signal } from '@preact/signals';

/** The theme: light, dark, or that of the system. */

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'platen.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

export const theme = signal<Theme>(read());
export const isDark = signal(dark.matches);

export function followTheme(): void {
  const update = (): void => {
    isDark.value = theme.value === 'dark' || (theme.value === 'system' && dark.matches);
  };
  dark.addEventListener('change', update);
  effect(() => {
    update();
    document.documentElement.dataset['theme'] = isDark.value ? 'dark' : 'light';
    if (theme.value === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme.value);
  });
}

function read(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}
