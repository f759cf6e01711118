/** What the API cannot do, by the name it has for it. */
export class StatesError extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}
