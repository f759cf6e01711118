/** One fault of an invoice. */
export interface InvoiceFault {
  /**
   * The rule that does not hold: an id of EN 16931, Factur-X or XRechnung (`BR-CO-15`), or one of ours: `xml` (it
   * cannot be read), `profile` (it names another profile, or none), `xsd` (the schema of the profile refuses it).
   */
  rule: string;
  /** What is wrong, in a sentence. */
  detail: string;
  /** 1-based line of the XML. */
  line?: number;
  /** Path of the element in the XML, by local names. */
  element?: string;
}

/** The XML cannot be read at all, or is larger than anything that is read. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
