import { messageOf } from '../api/problem.ts';
import { notify } from '../state/notices.ts';
import { text } from '../text.ts';

/** Copies a text to the clipboard. */
export async function copyText(content: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(content);
    notify('done', text.copied);
  } catch (error) {
    notify('fault', messageOf(error));
  }
}
