import { describe, expect, it } from 'vitest';
import { ContentOperations } from '../../packages/pdf/src/content/operations.ts';
import { readCodes } from '../../packages/pdf/src/conformance/text-codes.ts';
import { openPdf } from '../../packages/pdf/src/model/index.ts';

/** The character codes in the operands of each operator of some content. */
function codesOf(content: string, width: 1 | 2): number[][] {
  const operations = new ContentOperations(Buffer.from(content, 'latin1'));
  const all: number[][] = [];
  while (operations.next()) {
    const codes: number[] = [];
    const { bytes, start, operatorStart } = operations;
    readCodes(bytes, start, operatorStart, width, (code) => codes.push(code));
    all.push(codes);
  }
  return all;
}

describe('content that shows text', () => {
  it('has the codes of its strings in each notation (ISO 32000-1, 7.3.4)', () => {
    expect(codesOf('<0055> Tj <00 5 5> Tj (\\000U) Tj (\\0U) Tj', 2)).toEqual([
      [0x55],
      [0x55],
      [0x55],
      [0x55],
    ]);
    expect(codesOf('[<00aB> -12.5 (AB)] TJ', 2)).toEqual([[0xab, 0x4142]]);
  });

  it('reads a missing digit as zero, and omits an incomplete code', () => {
    expect(codesOf('<005> Tj <4> Tj', 2)).toEqual([[0x50], []]);
    expect(codesOf('<005> Tj <4> Tj', 1)).toEqual([[0x00, 0x50], [0x40]]);
    // The next string begins with a new code.
    expect(codesOf('[<0041 00> <0042>] TJ', 2)).toEqual([[0x41, 0x42]]);
  });

  it('is read to its end where a string is long, or is not closed', () => {
    const long = '0041'.repeat(100);
    expect(codesOf(`<${long}> Tj 1 0 0 rg`, 2)).toEqual([Array.from({ length: 100 }, () => 0x41), []]);
    const open = new ContentOperations(Buffer.from('<0041 Tj'));
    expect(open.next()).toBe(false);
    expect(open.isBroken).toBe(true);
  });
});

describe('numbers in content', () => {
  it.each(['12.5', '-3', '+.5', '2147483647', '0.00000000001'])('%s is one', (number) => {
    const operations = new ContentOperations(Buffer.from(`${number} w`));
    expect(operations.next()).toBe(true);
    expect(operations.operator).toBe('w');
    expect(operations.isBroken).toBe(false);
  });

  it.each(['12x', '1e5', '2147483648', '-99999999999'])(
    '%s is refused, because readers do not support it',
    (number) => {
      const operations = new ContentOperations(Buffer.from(`${number} w`));
      expect(operations.next()).toBe(true);
      expect(operations.operator).toBe('w');
      expect(operations.isBroken).toBe(true);
    },
  );
});

describe('objects that a document leads to', () => {
  it('are found through references of every generation, twice alike, and after a change (ISO 32000-1, 7.3.10)', async () => {
    const objects = [
      '1 0 obj\n<</Type /Catalog /Pages 2 0 R /Lang (de) /Extra [3 1 R<</Deep 4 0 R>>]>>\nendobj\n',
      '2 0 obj\n<</Type /Pages /Kids [] /Count 0>>\nendobj\n',
      '3 1 obj\n<</Next 5 0 R /Wrong 5 1 R>>\nendobj\n',
      '4 0 obj\n(four)\nendobj\n',
      '5 0 obj\n(five)\nendobj\n',
      '6 0 obj\n(nothing leads here)\nendobj\n',
    ];
    let text = '%PDF-1.7\n';
    const rows = ['0000000000 65535 f \n'];
    for (const object of objects) {
      rows.push(
        `${String(text.length).padStart(10, '0')} ${object.startsWith('3') ? '00001' : '00000'} n \n`,
      );
      text += object;
    }
    const table = text.length;
    text += `xref\n0 7\n${rows.join('')}trailer\n<</Size 7 /Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`;
    const file = await openPdf(Buffer.from(text, 'latin1'));
    for (const isRead of [false, true, false]) {
      expect([...file.found(undefined, isRead).ids]).toEqual([1, 2, 3, 4, 5]);
    }
    file.set('4 0 R', ['6 0 R']);
    file.set('3 1 R', { '/Next': null });
    expect([...file.found().ids]).toEqual([1, 2, 3, 4, 6]);
  });
});
