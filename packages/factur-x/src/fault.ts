/** One fault of an invoice. */
export interface InvoiceFault {
  /**
   * The violated rule: an id of EN 16931, Factur-X or XRechnung (`BR-CO-15`), or an id of this package: `xml`
   * (the XML cannot be parsed), `profile` (the XML names another profile or none), `xsd` (the XML does not
   * match the schema of its profile).
   */
  rule: string;
  /** The fault in a sentence. */
  detail: string;
  /** 1-based line of the XML. */
  line?: number;
  /** Path of the element by local names. */
  element?: string;
}

/** The XML cannot be parsed, or exceeds a limit. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
