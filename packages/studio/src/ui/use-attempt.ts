import { useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';

/** Work that the user has started on a screen. */
export interface Attempt {
  busy: boolean;
  /** The error of the latest attempt; null if it succeeded. */
  fault: string | null;
  setFault: (fault: string | null) => void;
  /** @returns whether it succeeded */
  attempt: (work: () => Promise<void>) => Promise<boolean>;
}

/** Returns the state of work that may fail, for a screen. @param failed also called with its error */
export function useAttempt(failed?: (error: unknown) => void): Attempt {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true);
    setFault(null);
    try {
      await work();
      return true;
    } catch (error) {
      setFault(messageOf(error));
      failed?.(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, fault, setFault, attempt };
}
