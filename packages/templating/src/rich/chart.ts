import { createHash } from 'node:crypto';
import { chartRealm, ChartTimeout, DRAWING_MS } from './chart-realm.ts';
import { writeChart } from './chart-svg.ts';

/** Draws ECharts charts as SVG, from options that consist of data only. */

/** Maximum characters of an option as JSON. */
const MAX_OPTION = 2_000_000;
/** Limits of a side in pixels. */
const SIDE = { least: 16, most: 4000 };

/** Faulty arguments of a chart; the message addresses the author of the template. */
export class ChartError extends Error {
  override readonly name = 'ChartError';
}

/**
 * Draws a chart as SVG, inside `withLibraries`. The same option gives the same bytes, with names that no other chart
 * of the document has.
 *
 * @param option an ECharts option as JSON data
 * @throws ChartError
 */
export function chartSvg(option: unknown, width: number, height: number): string {
  if (typeof option !== 'object' || option === null || Array.isArray(option)) {
    throw new ChartError('needs an option of ECharts: an object');
  }
  for (const [name, side] of Object.entries({ width, height })) {
    if (!(side >= SIDE.least && side <= SIDE.most)) {
      throw new ChartError(`needs pixels for ${name}, from ${SIDE.least} to ${SIDE.most}`);
    }
  }
  const json = JSON.stringify(option);
  if (json.length > MAX_OPTION) throw new ChartError(`takes an option of at most ${MAX_OPTION} characters`);
  const realm = chartRealm();
  try {
    const name = createHash('sha256').update(`${width} ${height} ${json}`).digest('hex').slice(0, 10);
    return writeChart(realm.draw(json, width, height), `chart-${name}`);
  } catch (error) {
    if (error instanceof ChartTimeout) {
      throw new ChartError(`takes longer than ${DRAWING_MS / 1000} seconds to draw`);
    }
    throw new ChartError(`cannot be drawn: ${error instanceof Error ? error.message : String(error)}`);
  }
}
