import { effect, type Signal, signal } from '@preact/signals';

/** Returns a choice that the browser remembers. @param usual the first one, for which nothing is stored */
export function remembered<T extends string>(key: string, usual: T, others: readonly T[]): Signal<T> {
  const store = localStore();
  const kept = store?.getItem(key);
  const choice = signal(others.find((one) => one === kept) ?? usual);
  effect(() => {
    if (choice.value === usual) store?.removeItem(key);
    else store?.setItem(key, choice.value);
  });
  return choice;
}

/** null in the frame of another site, if the browser has no storage for it: then nothing is remembered. */
function localStore(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
