import type { Liquid, Template } from 'liquidjs';
import type { Partials } from './protocol.ts';

type LiquidOptions = NonNullable<ConstructorParameters<typeof Liquid>[0]>;
type FS = NonNullable<LiquidOptions['fs']>;
type LiquidCache = Exclude<LiquidOptions['cache'], boolean | number | undefined>;

/**
 * The partials of a Liquid interpreter's current job, presented as its files: names are used as written.
 * Parsed partials stay cached until another job has a different text of that name.
 */
export class LiquidPartials {
  #texts: ReadonlyMap<string, string> = new Map();
  readonly #parsed = new Map<string, Parsed>();

  /** Sets the partials of a job. */
  use(partials: Partials = {}): void {
    this.#texts = new Map(Object.entries(partials));
    for (const [key, { name, text }] of this.#parsed)
      if (this.#texts.get(name) !== text) this.#parsed.delete(key);
  }

  readonly fs: FS = {
    existsSync: (name) => this.#texts.has(name),
    exists: (name) => Promise.resolve(this.#texts.has(name)),
    readFileSync: (name) => this.#read(name),
    readFile: (name) => Promise.resolve(this.#read(name)),
    resolve: (_folder, name) => name,
  };

  readonly cache: LiquidCache = {
    read: (key) => this.#parsed.get(key)?.templates,
    write: (key, templates) => {
      // `partials:letters/footer.html`
      const name = key.slice(key.indexOf(':') + 1);
      const text = this.#texts.get(name);
      if (text !== undefined) this.#parsed.set(key, { name, text, templates: templates as Template[] });
    },
    remove: (key) => void this.#parsed.delete(key),
  };

  #read(name: string): string {
    const text = this.#texts.get(name);
    if (text === undefined) throw new Error(`ENOENT: ${name}`);
    return text;
  }
}

interface Parsed {
  name: string;
  text: string;
  templates: Template[];
}

/** The beginning of liquidjs's message about a missing partial. */
const MISSING = /^ENOENT: Failed to lookup ("(?:[^"]|"(?! in))*")/;

/** Returns the name of the missing partial in a message of liquidjs; null for any other message. */
export function missingPartial(message: string): string | null {
  const name = MISSING.exec(message)?.[1];
  return name === undefined ? null : `there is no partial ${name.slice(0, 200)}`;
}
