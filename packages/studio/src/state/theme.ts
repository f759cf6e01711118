import { effect, type Signal, signal } from '@preact/signals';
import { remembered } from './remembered.ts';

/** The theme: light, dark, or that of the system. */

export type Theme = 'system' | 'light' | 'dark';

const dark = matchMedia('(prefers-color-scheme: dark)');

export const theme = remembered<Theme>('platen.theme', 'system', ['light', 'dark']);
export const isDark = signal(dark.matches);

/** @param chosen a choice that the browser remembers if absent */
export function followTheme(chosen: Signal<Theme> = theme): void {
  const update = (): void => {
    isDark.value = chosen.value === 'dark' || (chosen.value === 'system' && dark.matches);
  };
  dark.addEventListener('change', update);
  effect(() => {
    update();
    document.documentElement.dataset['theme'] = isDark.value ? 'dark' : 'light';
  });
}
