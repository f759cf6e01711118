import { ContentOperations } from './operations.ts';
import type { Matrix } from '../steps/geometry.ts';
import { nameOf, operandsOf } from '../glyphs/operands.ts';

/**
 * An operation of a content stream (ISO 32000-1, 7.8) that changes the coordinate system, or the name of a painted
 * object: these determine how large an image appears.
 */
export type ContentStep =
  | { step: 'save' }
  | { step: 'restore' }
  | { step: 'transform'; matrix: Matrix }
  | { step: 'show'; name: string };

/** Yields the operations of a content stream. Unreadable parts are skipped, as readers do. */
export function* readContent(bytes: Uint8Array): Generator<ContentStep> {
  const operations = new ContentOperations(bytes);
  while (operations.next()) {
    switch (operations.operator) {
      case 'q':
        yield { step: 'save' };
        break;
      case 'Q':
        yield { step: 'restore' };
        break;
      case 'cm': {
        const numbers = operandsOf(operations).filter((value) => typeof value === 'number');
        const [a, b, c, d, e, f] = numbers.slice(-6);
        if (f === undefined) break;
        yield { step: 'transform', matrix: [a ?? 0, b ?? 0, c ?? 0, d ?? 0, e ?? 0, f] };
        break;
      }
      case 'Do':
        yield { step: 'show', name: nameOf(operandsOf(operations).at(-1)) };
    }
  }
}
