import { signal } from '@preact/signals';

/** Shows short messages in the corner, which screen readers read out. */

export interface Notice {
  id: number;
  kind: 'done' | 'fault';
  text: string;
}

const SHOWN_MS = { done: 4_000, fault: 12_000 };

export const notices = signal<readonly Notice[]>([]);
let last = 0;

export function notify(kind: Notice['kind'], text: string): void {
  const id = ++last;
  notices.value = [...notices.value.slice(-3), { id, kind, text }];
  setTimeout(() => dismiss(id), SHOWN_MS[kind]);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
