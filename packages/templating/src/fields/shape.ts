/** The knowledge that templates give about the values they use, and the JSON Schema built from it. */

/** Types of JSON Schema that templates imply. */
export type TypeName = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';

/** Maximum depth of shapes in the schema; deeper values may be anything. */
const MAX_DEPTH = 40;

/** The knowledge about one value, which grows with each use. */
export class Shape {
  /** Returns the shape of a list that a template has built from parts of the data. */
  static listOf(element: Shape): Shape {
    const list = new Shape();
    list.#items = element;
    return list;
  }

  readonly types = new Set<TypeName>();
  readonly properties = new Map<string, Shape>();
  /** The format of a text, as in JSON Schema, that a filter implies. */
  format: string | undefined;
  #items: Shape | undefined;
  #values: Shape | undefined;

  /** Adds a type that a use implies. */
  is(type: TypeName): this {
    this.types.add(type);
    return this;
  }

  /** Returns the shape of a member. */
  property(name: string): Shape {
    this.is('object');
    let shape = this.properties.get(name);
    if (shape === undefined) this.properties.set(name, (shape = new Shape()));
    return shape;
  }

  /** Shape of every element of a list. */
  get items(): Shape {
    this.is('array');
    return (this.#items ??= new Shape());
  }

  /** Shape of every value of an object whose names the template does not know. */
  get values(): Shape {
    this.is('object');
    return (this.#values ??= new Shape());
  }

  /** Removes the member at a path of names, and every object that has no other member. */
  forget([name = '', ...path]: readonly string[]): void {
    const shape = this.properties.get(name);
    if (shape === undefined) return;
    if (path.length > 0) shape.forget(path);
    if (shape.properties.size === 0 && shape.#items === undefined) this.properties.delete(name);
  }

  /**
   * Adds all knowledge about another shape that stands for the same value.
   *
   * @param budget maximum values to visit: macros that call macros double their shapes
   */
  merge(other: Shape, budget: { left: number }): void {
    if (other === this || budget.left <= 0) return;
    budget.left -= 1;
    for (const type of other.types) this.is(type);
    this.format ??= other.format;
    for (const [name, shape] of other.properties) this.property(name).merge(shape, budget);
    if (other.#items !== undefined) this.items.merge(other.#items, budget);
    if (other.#values !== undefined) this.values.merge(other.#values, budget);
  }

  /** Returns the schema of the value. No member is required, because missing values print as nothing. */
  schema(depth = 0, within = new Set<Shape>()): Record<string, unknown> {
    if (depth > MAX_DEPTH || within.has(this)) return {};
    const inner = new Set(within).add(this);
    const below = (shape: Shape): Record<string, unknown> => shape.schema(depth + 1, inner);
    const properties = [...this.properties].map(([name, shape]) => [name, below(shape)] as const);
    return {
      ...this.#typeMember(),
      ...(this.format === undefined ? {} : { format: this.format }),
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...(this.#values === undefined ? {} : { additionalProperties: below(this.#values) }),
      ...(this.#items === undefined ? {} : { items: below(this.#items) }),
    };
  }

  #typeMember(): { type?: TypeName | TypeName[] } {
    // `integer` replaces `number` when one use requires a whole number.
    const types = [...this.types].filter((type) => type !== 'number' || !this.types.has('integer'));
    const [only] = types;
    if (only === undefined) return {};
    return { type: types.length === 1 ? only : types.toSorted() };
  }
}
