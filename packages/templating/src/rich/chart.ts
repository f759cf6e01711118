import { createHash } from 'node:crypto';
import { lazily } from '../lazy.ts';

/** Charts of ECharts as SVG, from an option that is data alone. */

/** Characters of an option as JSON. */
const MAX_OPTION = 2_000_000;
/** Pixels. */
const SIDE = { least: 16, most: 4000 };

// One file, rather than hundreds.
const library = lazily(async () => await import('echarts/dist/echarts.esm.min'));

/** What a chart is asked for with is wrong; the message is for who wrote the template. */
export class ChartError extends Error {
  override readonly name = 'ChartError';
}

/** ECharts counts its names through all charts of a process. */
function renamed(svg: string, prefix: string): string {
  const names = new Map<string, string>();
  return svg.replace(/\bzr\d+-[a-z]+-?\d+\b/g, (old) => {
    const name = names.get(old) ?? `${prefix}-${names.size}`;
    names.set(old, name);
    return name;
  });
}

/**
 * Draws a chart. The same option gives the same bytes, and names that no other chart of a document has.
 *
 * @param option an option of ECharts, as JSON has it
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
  const { init } = library();
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({ ...(JSON.parse(json) as object), animation: false });
    const name = createHash('sha256').update(`${width} ${height} ${json}`).digest('hex').slice(0, 10);
    return renamed(chart.renderToSVGString(), `chart-${name}`);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new ChartError(`cannot be drawn: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    chart.dispose();
  }
}
