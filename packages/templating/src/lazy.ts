/**
 * Loads libraries that few templates need. Filters are synchronous, so the first use of such a library aborts
 * the filling, which restarts once the library is loaded.
 */

/** Thrown when a library is used before it is loaded. */
class NotLoaded extends Error {
  override readonly name = 'NotLoaded';
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super('a library is not loaded yet');
    this.load = load;
  }
}

/** Returns a function that returns the library, for work inside `withLibraries`. */
export function lazily<T>(load: () => Promise<T>): () => T {
  let loaded: { library: T } | undefined;
  return () => {
    if (loaded !== undefined) return loaded.library;
    throw new NotLoaded(async () => {
      loaded = { library: await load() };
    });
  };
}

/** The current work of `withLibraries`, which is synchronous, so that there is one at a time. */
let current: object | undefined;

/**
 * Returns a function that makes a new instance of a library for each work of `withLibraries`, so that nothing
 * that a library remembers reaches other work.
 *
 * @param prepare loads what all instances have in common, once
 */
export function lazilyForEach<P, T>(prepare: () => Promise<P>, make: (prepared: P) => T): () => T {
  const prepared = lazily(prepare);
  const instances = new WeakMap<object, { library: T }>();
  return () => {
    const parts = prepared();
    if (current === undefined) throw new Error('a library is used outside of withLibraries');
    const known = instances.get(current) ?? { library: make(parts) };
    instances.set(current, known);
    return known.library;
  };
}

/**
 * Runs the work, and repeats it after loading each missing library; aborted work must leave no side effects.
 */
export async function withLibraries<T>(work: () => T): Promise<T> {
  for (;;) {
    current = {};
    try {
      return work();
    } catch (error) {
      const missing = missingLibrary(error);
      if (missing === undefined) throw error;
      await missing.load();
    } finally {
      current = undefined;
    }
  }
}

/**
 * Returns the error of a missing library, which is not a fault and has to reach `withLibraries`; undefined
 * for any other error.
 */
export function missingLibrary(error: unknown): NotLoaded | undefined {
  if (error instanceof NotLoaded) return error;
  // liquidjs wraps the errors of filters.
  const inner = error instanceof Error && 'originalError' in error ? error.originalError : undefined;
  return inner === undefined ? undefined : missingLibrary(inner);
}
