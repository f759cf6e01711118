/** A filter cannot do what the template requests. The message is for the author of the template. */
export class LocaleError extends Error {
  override readonly name = 'LocaleError';
}

/** @throws LocaleError */
export function fail(message: string): never {
  throw new LocaleError(message);
}
