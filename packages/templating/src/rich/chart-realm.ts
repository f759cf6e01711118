import { createContext, type Context, Script } from 'node:vm';
import { readLargeAsset } from '@platen/core/worker';
import { lazilyForEach } from '../lazy.ts';

/**
 * Runs ECharts in a realm of its own: global object, intrinsics and the library itself are made for one document and
 * end with it. ECharts and zrender use objects as maps, with names of series, categories and styles from the data as
 * keys, so a name such as `__proto__` changes `Object.prototype` of their realm. Only strings and numbers cross the
 * border.
 */

/** One element of a drawing. */
export interface ChartElement {
  tag: string;
  attributes: [name: string, value: string][];
  text: string;
  children: ChartElement[];
}

/** The time in milliseconds in which one chart must be drawn. A chart of 10,000 points takes a tenth of a second. */
export const DRAWING_MS = 3000;

/** Thrown when a chart takes longer than `DRAWING_MS`. */
export class ChartTimeout extends Error {
  override readonly name = 'ChartTimeout';
}

/** The library schedules frames, which no one sees. */
const BEFORE = 'globalThis.setTimeout = () => 0; globalThis.clearTimeout = () => undefined;';

const DRAW = `(() => {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({ ...JSON.parse(option), animation: false });
    chart.getZr().refreshImmediately();
    const options = { compress: true, useViewBox: true, animation: false, emphasis: false };
    const plain = ({ tag, attrs, text, children }) => ({
      tag,
      attributes: Object.entries(attrs)
        .filter(([, value]) => value !== false && value !== null && value !== undefined)
        .map(([name, value]) => [name, value === true ? '' : String(value)]),
      text: text === null || text === undefined ? '' : String(text),
      children: (children ?? []).map(plain),
    });
    return JSON.stringify(plain(chart.getZr().painter.renderToVNode(options)));
  } finally {
    chart.dispose();
  }
})()`;

class ChartRealm {
  readonly #context: Context = createContext(Object.create(null) as Context, {
    codeGeneration: { strings: false, wasm: false },
  });
  readonly #draw: Script;

  constructor({ library, before, draw }: Record<'library' | 'before' | 'draw', Script>) {
    this.#draw = draw;
    before.runInContext(this.#context);
    library.runInContext(this.#context);
  }

  /**
   * Draws a chart.
   *
   * @param option JSON text of an object
   * @throws ChartTimeout; Error with the library's message for an option that it cannot draw
   */
  draw(option: string, width: number, height: number): ChartElement {
    Object.assign(this.#context, { option, width, height });
    try {
      const drawn: unknown = this.#draw.runInContext(this.#context, { timeout: DRAWING_MS });
      return JSON.parse(String(drawn)) as ChartElement;
    } catch (error) {
      // Errors are objects of the other realm.
      const { code, message } = Object(error) as { code?: unknown; message?: unknown };
      if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new ChartTimeout('drawing takes too long');
      throw new Error(typeof message === 'string' ? message : 'unknown error', { cause: error });
    }
  }
}

/** Returns the realm of the current document. */
export const chartRealm = lazilyForEach(
  async () => {
    const source = Buffer.from(await readLargeAsset(import.meta.url, 'echarts/dist/echarts.min.js'));
    return {
      library: new Script(source.toString('utf8'), { filename: 'echarts.min.js' }),
      before: new Script(BEFORE),
      draw: new Script(DRAW),
    };
  },
  (scripts) => new ChartRealm(scripts),
);
