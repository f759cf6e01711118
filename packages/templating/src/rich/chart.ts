import { createHash } from 'node:crypto';
import { lazily } from '../lazy.ts';

/** Draws ECharts charts as SVG, from options that consist of data only. */

/** Maximum characters of an option as JSON. */
const MAX_OPTION = 2_000_000;
/** Limits of a side in pixels. */
const SIDE = { least: 16, most: 4000 };

// The bundled file replaces hundreds of modules.
const library = lazily(async () => await import('echarts/dist/echarts.esm.min'));

/** Faulty arguments of a chart; the message addresses the author of the template. */
export class ChartError extends Error {
  override readonly name = 'ChartError';
}

/** Replaces the names in the SVG: ECharts numbers them across all charts of a process. */
function renamed(svg: string, prefix: string): string {
  const names = new Map<string, string>();
  return svg.replace(/\bzr\d+-[a-z]+-?\d+\b/g, (old) => {
    const name = names.get(old) ?? `${prefix}-${names.size}`;
    names.set(old, name);
    return name;
  });
}

/**
 * Draws a chart as SVG. The same option gives the same bytes, with names that no other chart of the document
 * has.
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
