import { listed } from '@platen/core/listed';
import { rewriteFormula, type Rewrite } from './formula.ts';

/** Formulas of the template that the author should check, for warnings. */

/** Most places that a warning names. */
const MAX_NAMED = 8;

/** The beginning of an address in a text: `INDIRECT("Jan!B2")`, `HYPERLINK("#Jan!B2";"January")`. */
const ADDRESS_IN_TEXT = /\b(?:INDIRECT|HYPERLINK)\(\s*"#?([^"]{1,255})"/gi;

export class FormulaNotes {
  private readonly doubtful = new Set<string>();
  private readonly lost = new Set<string>();
  private readonly dropped = new Set<string>();
  private readonly unmoved = new Set<string>();
  private readonly single = new Set<string>();
  private readonly staying = new Set<string>();
  private readonly texts = new Set<string>();

  /**
   * Returns a formula with every reference rewritten, and notes references that have disappeared or can be
   * read in two ways.
   *
   * @param where the place of the formula in the template, such as `Sheet1!B7`
   */
  rewrite(
    formula: string,
    dialect: Parameters<typeof rewriteFormula>[1],
    rewrite: Rewrite,
    where: () => string,
  ): string {
    this.noteTexts(formula, dialect, rewrite, where);
    return rewriteFormula(formula, dialect, (reference) => {
      const rewritten = rewrite(reference);
      if (rewritten === null) this.lost.add(where());
      else if (rewritten.isDoubtful === true) this.doubtful.add(where());
      if (rewritten?.isUnmoved === true) this.unmoved.add(where());
      return rewritten;
    });
  }

  /**
   * Notes a formula with a text that is an address of cells which filling moves: such texts are not adjusted, because
   * the author may have chosen them for that.
   */
  private noteTexts(
    formula: string,
    dialect: Parameters<typeof rewriteFormula>[1],
    rewrite: Rewrite,
    where: () => string,
  ): void {
    for (const [, text = ''] of formula.matchAll(ADDRESS_IN_TEXT)) {
      const named = dialect === 'excel' ? text : text.replace(/^\$?('[^']+'|[^'.!]+)\./, '$1!');
      // The rest of the address may be calculated: INDIRECT("Jan!B"&ROW()).
      const address = named.replace(/!(\$?[A-Z]{1,3}\$?)?$/i, '!A:A');
      const now = rewriteFormula(address, 'excel', rewrite);
      if (now !== address) this.texts.add(where());
    }
  }

  /** Notes a place whose references to repeated rows can be read in two ways. */
  addDoubtful(where: string): void {
    this.doubtful.add(where);
  }

  /** Notes that something was removed along with the sheet to which it leads. */
  addDropped(what: string): void {
    this.lost.delete(what);
    this.dropped.add(what);
  }

  /** Notes a place that refers to cells which a loop over columns has moved. */
  addUnmoved(where: string): void {
    this.unmoved.add(where);
  }

  /** Notes a picture or form control of the template in a repeated row. */
  addSingle(where: string): void {
    this.single.add(where);
  }

  /** Notes a drawing whose rows were removed. */
  addStaying(where: string): void {
    this.staying.add(where);
  }

  clear(): void {
    this.doubtful.clear();
    this.lost.clear();
    this.dropped.clear();
    this.unmoved.clear();
    this.single.clear();
    this.staying.clear();
    this.texts.clear();
  }

  /** Returns the notes as sentences. */
  sentences(): string[] {
    const sentences: string[] = [];
    if (this.lost.size > 0)
      sentences.push(
        `What ${listed(this.lost, MAX_NAMED, ' places')} refer to was removed, and they contain #REF!.`,
      );
    if (this.dropped.size > 0)
      sentences.push(
        `Removed with the sheet to which it leads: ${listed(this.dropped, MAX_NAMED, ' places')}.`,
      );
    if (this.doubtful.size > 0)
      sentences.push(
        `The references of ${listed(this.doubtful, MAX_NAMED, ' places')} to repeated rows can be read in two ways; check the result.`,
      );
    if (this.unmoved.size > 0)
      sentences.push(
        `A loop over columns moves cells to which ${listed(this.unmoved, MAX_NAMED, ' places')} refer; references are not adjusted to columns, so check the result.`,
      );
    if (this.single.size > 0)
      sentences.push(
        `The pictures and controls at ${listed(this.single, MAX_NAMED, ' places')} are in the first of the repeated rows only; write <image> into a cell for a picture in each row.`,
      );
    if (this.staying.size > 0)
      sentences.push(
        `The rows of the drawings at ${listed(this.staying, MAX_NAMED, ' places')} were removed; the drawings stay, over the rows that follow.`,
      );
    if (this.texts.size > 0)
      sentences.push(
        `The addresses in texts of the formulas of ${listed(this.texts, MAX_NAMED, ' places')} are not adjusted, although filling moves the cells; check the result.`,
      );
    return sentences;
  }
}
