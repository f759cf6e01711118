/**
 * Libraries that few templates need: filters are synchronous, so the first use of one ends the filling, which begins anew
 * when it is loaded.
 */

/** Thrown where a library is used that is not loaded. */
class NotLoaded extends Error {
  override readonly name = 'NotLoaded';
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super('a library is not loaded yet');
    this.load = load;
  }
}

/** Makes a function that gives the library, for work inside of `withLibraries`. */
export function lazily<T>(load: () => Promise<T>): () => T {
  let loaded: { library: T } | undefined;
  return () => {
    if (loaded !== undefined) return loaded.library;
    throw new NotLoaded(async () => {
      loaded = { library: await load() };
    });
  };
}

/** Does the work, again for each library it needs that was not loaded; it must leave nothing behind when it ends early. */
export async function withLibraries<T>(work: () => T): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      const missing = missingLibrary(error);
      if (missing === undefined) throw error;
      await missing.load();
    }
  }
}

/** Whether work ended for want of a library: such an error is nobody's fault, and must reach `withLibraries`. */
export function missingLibrary(error: unknown): NotLoaded | undefined {
  if (error instanceof NotLoaded) return error;
  // liquidjs wraps what a filter throws.
  const inner = error instanceof Error && 'originalError' in error ? error.originalError : undefined;
  return inner === undefined ? undefined : missingLibrary(inner);
}
