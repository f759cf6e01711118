import { isPlatenError } from '@platen/core/errors';
import { OfficePackage } from '../package.ts';
import { isChart } from './clone.ts';

/** Workbooks inside documents and presentations, which contain the data of their charts. */

export interface ChartBook {
  /** Path of the workbook in the document. */
  path: string;
  file: OfficePackage;
  /** Paths of the charts that show it. */
  charts: ReadonlySet<string>;
}

/** Maximum unpacked bytes of all such workbooks in a document. */
const MAX_UNPACKED = 64 * 1024 * 1024;

/**
 * Opens the workbooks of a document's charts. One that cannot be opened stays unchanged, because only an
 * editor needs it.
 */
export async function openChartBooks(file: OfficePackage): Promise<ChartBook[]> {
  const chartsOf = new Map<string, Set<string>>();
  for (const chart of file.paths().filter((path) => isChart(file, path))) {
    const path = bookOf(file, chart);
    if (path !== null) chartsOf.set(path, (chartsOf.get(path) ?? new Set()).add(chart));
  }
  const books: ChartBook[] = [];
  let left = MAX_UNPACKED;
  for (const [path, charts] of chartsOf) {
    try {
      const book = await OfficePackage.open(file.bytes(path) ?? Buffer.alloc(0), left);
      left -= book.unpackedBytes();
      books.push({ path, file: book, charts });
    } catch (error) {
      if (!isPlatenError(error)) throw error;
    }
  }
  return books;
}

function bookOf(file: OfficePackage, chart: string): string | null {
  const { path = null } =
    file
      .relationships(chart)
      .list()
      .find(({ type }) => type === 'package') ?? {};
  return path !== null && file.has(path) && path.endsWith('.xlsx') ? path : null;
}
