/** What templates tell of the values they use, and the JSON Schema that it makes. */

/** Types of JSON Schema that templates can tell. */
export type TypeName = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';

/** How deep shapes may be nested in the schema; what is deeper may be anything. */
const MAX_DEPTH = 40;

/** What is known of one value: it grows with each place that uses it. */
export class Shape {
  /** A list of these elements, which a template made of parts of the data. */
  static listOf(element: Shape): Shape {
    const list = new Shape();
    list.#items = element;
    return list;
  }

  readonly types = new Set<TypeName>();
  readonly properties = new Map<string, Shape>();
  #items: Shape | undefined;
  #values: Shape | undefined;

  /** Adds a type that a use tells. */
  is(type: TypeName): this {
    this.types.add(type);
    return this;
  }

  /** The value under a name. */
  property(name: string): Shape {
    this.is('object');
    let shape = this.properties.get(name);
    if (shape === undefined) this.properties.set(name, (shape = new Shape()));
    return shape;
  }

  /** Every element of a list. */
  get items(): Shape {
    this.is('array');
    return (this.#items ??= new Shape());
  }

  /** Every value of an object whose names the template does not know. */
  get values(): Shape {
    this.is('object');
    return (this.#values ??= new Shape());
  }

  /** Leaves out what a path of names leads to, and what has nothing else in it. */
  forget([name = '', ...path]: readonly string[]): void {
    const shape = this.properties.get(name);
    if (shape === undefined) return;
    if (path.length > 0) shape.forget(path);
    if (shape.properties.size === 0 && shape.#items === undefined) this.properties.delete(name);
  }

  /**
   * Takes on all that is known of another value, which stands for the same.
   *
   * @param budget how many values may be looked at: macros that call macros double what they know
   */
  merge(other: Shape, budget: { left: number }): void {
    if (other === this || budget.left <= 0) return;
    budget.left -= 1;
    for (const type of other.types) this.is(type);
    for (const [name, shape] of other.properties) this.property(name).merge(shape, budget);
    if (other.#items !== undefined) this.items.merge(other.#items, budget);
    if (other.#values !== undefined) this.values.merge(other.#values, budget);
  }

  /** The schema of such a value. Nothing is required: what is missing prints as nothing. */
  schema(depth = 0, within = new Set<Shape>()): Record<string, unknown> {
    if (depth > MAX_DEPTH || within.has(this)) return {};
    const inner = new Set(within).add(this);
    const below = (shape: Shape): Record<string, unknown> => shape.schema(depth + 1, inner);
    const properties = [...this.properties].map(([name, shape]) => [name, below(shape)] as const);
    return {
      ...this.#typeMember(),
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...(this.#values === undefined ? {} : { additionalProperties: below(this.#values) }),
      ...(this.#items === undefined ? {} : { items: below(this.#items) }),
    };
  }

  #typeMember(): { type?: TypeName | TypeName[] } {
    // A number of which one place wants a whole one.
    const types = [...this.types].filter((type) => type !== 'number' || !this.types.has('integer'));
    const [only] = types;
    if (only === undefined) return {};
    return { type: types.length === 1 ? only : types.toSorted() };
  }
}
