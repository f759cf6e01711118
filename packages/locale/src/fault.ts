/** What a filter was asked for cannot be done; the message is for who wrote the template. */
export class LocaleError extends Error {
  override readonly name = 'LocaleError';
}

/** @throws LocaleError */
export function fail(message: string): never {
  throw new LocaleError(message);
}
