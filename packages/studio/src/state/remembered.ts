import { effect, type Signal, signal } from '@preact/signals';

/** Returns a choice that the browser remembers. @param usual the first one, for which nothing is stored */
export function remembered<T extends string>(key: string, usual: T, others: readonly T[]): Signal<T> {
  const kept = localStorage.getItem(key);
  const choice = signal(others.find((one) => one === kept) ?? usual);
  effect(() => {
    if (choice.value === usual) localStorage.removeItem(key);
    else localStorage.setItem(key, choice.value);
  });
  return choice;
}
