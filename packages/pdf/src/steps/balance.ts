import { ContentOperations } from '../content/operations.ts';

/** Closes what the content of a page leaves open, so that content after it starts in the state of an empty page. */

/** The content of a page as operators can be added around it. */
export interface Balance {
  /** The content to write instead; undefined if the original may stay. */
  corrected: Buffer | undefined;
  /** Operators that close what the content leaves open; empty if that is nothing. */
  closing: string;
}

/**
 * Reads which graphics states, text objects and marked content (ISO 32000-1, 8.4.2, 9.4.1, 14.6) a content leaves
 * open. Readers ignore an operator that restores a state that was never saved, and operands at the end without an
 * operator; both would take effect on operators around the content, so they are left out.
 *
 * @param content of all streams of a page
 */
export function balanceOf(content: Buffer): Balance {
  const operations = new ContentOperations(content);
  const unmatched: number[] = [];
  let states = 0;
  let marks = 0;
  let isText = false;
  let end = 0;
  for (; operations.next() && !isUnfinishedImage(operations); end = operations.end) {
    switch (operations.operator) {
      case 'q':
        states++;
        break;
      case 'Q':
        if (states > 0) states--;
        else unmatched.push(operations.operatorStart);
        break;
      case 'BMC':
      case 'BDC':
        marks++;
        break;
      case 'EMC':
        marks = Math.max(0, marks - 1);
        break;
      case 'BT':
      case 'ET':
        isText = operations.operator === 'BT';
    }
  }
  const closing = [isText ? 'ET ' : '', 'EMC '.repeat(marks), 'Q '.repeat(states)].join('');
  const tail = content.toString('latin1', end, end + MAX_TAIL).replace(/%[^\r\n]*/g, '');
  const isCutOff = tail.trim() !== '';
  if (unmatched.length === 0 && !isCutOff) return { corrected: undefined, closing };
  const corrected = Buffer.from(content.subarray(0, end));
  for (const at of unmatched) corrected[at] = SPACE;
  return { corrected, closing };
}

/** Whether the data of an inline image lacks its end, so that it takes everything after it. */
function isUnfinishedImage({ operator, bytes, end }: ContentOperations): boolean {
  return operator === 'BI' && bytes.toString('latin1', end - 2, end) !== 'EI';
}

/** Bytes after the last operator that are looked at: operands in them begin within these. */
const MAX_TAIL = 1000;
const SPACE = 0x20;
