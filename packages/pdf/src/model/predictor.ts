import { damaged, tooComplex } from './syntax.ts';

/** Decodes the prediction of samples or rows from previous ones (ISO 32000-2, 7.4.4.4). */
export interface Prediction {
  predictor: number;
  colors: number;
  bits: number;
  columns: number;
}

const [NONE, TIFF, FIRST_PNG] = [1, 2, 10];
const MAX_ROW = 1 << 26;

/** @throws PlatenError `pdf_damaged`, `pdf_too_complex` */
export function decodePrediction(data: Buffer, { predictor, colors, bits, columns }: Prediction): Buffer {
  if (predictor === NONE) return data;
  if (colors < 1 || columns < 1 || ![1, 2, 4, 8, 16].includes(bits))
    throw damaged('a predictor makes no sense');
  const pixel = Math.max(1, (colors * bits) >> 3);
  const row = Math.ceil((colors * bits * columns) / 8);
  if (row > MAX_ROW) throw tooComplex('A row of a stream of the PDF is too long.');
  if (predictor >= FIRST_PNG) return unpredictedPng(data, row, pixel);
  if (predictor !== TIFF) throw damaged('a predictor is not known');
  return unpredictedTiff(data, row, { colors, bits, columns });
}

/** Each row begins with the number of its filter (PNG, 9.2). */
function unpredictedPng(data: Buffer, row: number, pixel: number): Buffer {
  const rows = Math.ceil(data.length / (row + 1));
  const output = Buffer.alloc(Math.max(0, data.length - rows));
  let above = Buffer.alloc(row);
  for (let at = 0, to = 0; at < data.length;) {
    const filter = data[at++] ?? 0;
    const length = Math.min(row, data.length - at);
    const line = output.subarray(to, to + length);
    data.copy(line, 0, at, at + length);
    undoFilter(filter, line, above, pixel);
    above = line.length === row ? line : above;
    at += length;
    to += length;
  }
  return output;
}

function undoFilter(filter: number, line: Buffer, above: Buffer, pixel: number): void {
  if (filter > 4) throw damaged('a row of a stream has a filter that is none');
  if (filter === 0) return;
  for (let at = 0; at < line.length; at++) {
    const left = at < pixel ? 0 : (line[at - pixel] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < pixel ? 0 : (above[at - pixel] ?? 0);
    let guess = left;
    if (filter === 2) guess = up;
    else if (filter === 3) guess = (left + up) >> 1;
    else if (filter === 4) guess = paeth(left, up, corner);
    line[at] = (line[at] ?? 0) + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Each sample is stored as the difference from the one to its left (TIFF 6.0, section 14). */
function unpredictedTiff(
  data: Buffer,
  row: number,
  { colors, bits, columns }: Omit<Prediction, 'predictor'>,
): Buffer {
  const output = Buffer.from(data);
  for (let start = 0; start < output.length; start += row) {
    const line = output.subarray(start, start + row);
    if (bits === 8) {
      for (let at = colors; at < line.length; at++) line[at] = (line[at] ?? 0) + (line[at - colors] ?? 0);
    } else if (bits === 16) {
      for (let at = 2 * colors; at + 1 < line.length; at += 2) {
        line.writeUInt16BE((line.readUInt16BE(at) + line.readUInt16BE(at - 2 * colors)) & 0xffff, at);
      }
    } else sumBits(line, colors, bits, columns);
  }
  return output;
}

function sumBits(line: Buffer, colors: number, bits: number, columns: number): void {
  const mask = (1 << bits) - 1;
  const samples = Math.min(columns * colors, Math.floor((line.length * 8) / bits));
  const place = (sample: number): [number, number] => [
    (sample * bits) >> 3,
    8 - bits - ((sample * bits) & 7),
  ];
  const read = (sample: number): number => {
    const [at, shift] = place(sample);
    return ((line[at] ?? 0) >> shift) & mask;
  };
  for (let sample = colors; sample < samples; sample++) {
    const [at, shift] = place(sample);
    const value = (read(sample) + read(sample - colors)) & mask;
    line[at] = ((line[at] ?? 0) & ~(mask << shift)) | (value << shift);
  }
}
