import { useCallback, useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';

export interface Loaded<T> {
  value: T | null;
  fault: string | null;
  loading: boolean;
  reload: () => void;
}

/**
 * Returns the result of `load`, which runs when a screen appears and whenever `key` changes; a late answer to
 * an old key is ignored.
 */
export function useLoad<T>(load: () => Promise<T>, key = ''): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({ value: null, fault: null, loading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    setState((before) => ({ ...before, loading: true }));
    load().then(
      (value) => current && setState({ value, fault: null, loading: false }),
      (error: unknown) =>
        current && setState((before) => ({ ...before, fault: messageOf(error), loading: false })),
    );
    return () => {
      current = false;
    };
  }, [key, round]);
  return { ...state, reload: useCallback(() => setRound((now) => now + 1), []) };
}
