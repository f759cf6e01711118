import { randomInt } from 'node:crypto';
import { addFields, type NewField } from '@platen/pdf/forms';
import { type PdfFile, openPdf } from '@platen/pdf/model';
import { type Box, visibleBox } from '@platen/pdf/content';
import { listed } from '@platen/core/listed';
import { type Control, leavingScript, listedSchema, listingScript, outlineColour } from '../form-controls.ts';
import { roomOf } from '../sheet.ts';
import type { PrintOptions } from '../print.ts';
import { type ControlMark, ControlMarks } from './control-marks.ts';
import { newField, shownBox } from './new-field.ts';
import type { ChromePage } from './page.ts';

/** Controls of html documents that become fields of the PDF (I-48), with the scripts of `form-controls.ts`. */

/** Most prints of a document: those after the first are without the marks of controls that cannot be fields. */
const MAX_PRINTS = 3;
/** Height of a page that follows its content, in CSS pixels. */
const ENDLESS = 1e9;
/** Most characters of a warning. */
const MAX_WARNING = 300;

/** The mark of a control on a page, counted from 0. */
type PlacedMark = ControlMark & { page: number };

/** The marks of the controls in a printed document, and the controls that should have one and do not. */
interface Found {
  file: PdfFile;
  marks: Map<number, PlacedMark[]>;
  lost: number[];
}

/** The controls of a loaded document. */
export class FormFields {
  readonly #page: ChromePage;
  readonly #options: PrintOptions;
  readonly #red: number;
  readonly #controls: readonly Control[];
  readonly #left: string[];
  /** Numbers of the controls that have marks. */
  #marked: Set<number>;

  private constructor(
    page: ChromePage,
    options: PrintOptions,
    red: number,
    { controls, left }: { controls: readonly Control[]; left: string[] },
  ) {
    this.#page = page;
    this.#options = options;
    this.#red = red;
    this.#controls = controls;
    this.#left = left;
    this.#marked = new Set(controls.keys());
  }

  /**
   * Marks the controls of a loaded document, and moves their text away.
   *
   * @param warn called if a document has changed what the script uses, so that nothing becomes a field
   */
  static async mark(
    page: ChromePage,
    options: PrintOptions,
    warn: (text: string) => void,
  ): Promise<FormFields | null> {
    const { sheet, rules } = page.sheet(options);
    const height = options.fitsContent ? ENDLESS : roomOf(sheet, rules, options.scale).height;
    // Neither black nor white.
    const red = randomInt(1, 255);
    const found = listedSchema.safeParse(await page.evaluate(listingScript(red, height)));
    if (found.success) {
      const { controls, left } = found.data;
      return controls.length + left.length === 0 ? null : new FormFields(page, options, red, found.data);
    }
    await page.evaluate(leavingScript('all'));
    warn('form_fields: the controls of the document cannot be read, and stay as they are printed.');
    return null;
  }

  /**
   * Makes fields of the marked controls in a printed document.
   *
   * @param again prints the document once more, in its current state
   * @param warn called with the controls that stay as they are printed
   */
  async settle(printed: Buffer, again: () => Promise<Buffer>, warn: (text: string) => void): Promise<Buffer> {
    let pdf = printed;
    let found = await this.#find(pdf);
    for (let prints = 1; found.lost.length > 0; prints += 1) {
      await this.#leave(prints < MAX_PRINTS ? found.lost : [...this.#marked]);
      pdf = await again();
      found = await this.#find(pdf);
    }
    const fields = this.#fields(found);
    if (this.#left.length > 0) warn(leftWarning(this.#left));
    if (fields.every(({ widgets }) => widgets.length === 0)) return pdf;
    addFields(found.file, fields);
    // Every PDF is packed before it is sent (decision record 0028).
    return Buffer.from(await found.file.save({ pack: false }));
  }

  /** Finds the marks in a printed document, and removes them from its content. */
  async #find(printed: Buffer): Promise<Found> {
    const file = await openPdf(printed);
    const marks = new Map(Array.from(this.#marked, (control): [number, PlacedMark[]] => [control, []]));
    const colours = new Map(
      Array.from(this.#marked, (control) => [String(outlineColour(this.#red, control)), control]),
    );
    const lost = new Set<number>();
    const outlines = new ControlMarks(file, (colour) => colours.get(String(colour)));
    for (const [page, ref] of file.pages().entries()) {
      const paper = visibleBox(file, file.dict(ref));
      for (const mark of outlines.page(ref)) {
        if (isOn(paper, mark.box)) marks.get(mark.control)?.push({ ...mark, page });
        else lost.add(mark.control);
      }
    }
    // Of a part of the document, the others are on pages that are not printed.
    if (this.#options.pageRange === null)
      for (const [control, all] of marks) if (all.length === 0) lost.add(control);
    return { file, marks, lost: [...lost] };
  }

  async #leave(controls: readonly number[]): Promise<void> {
    await this.#page.evaluate(leavingScript(controls));
    for (const control of controls) {
      this.#marked.delete(control);
      this.#left.push(this.#controls[control]?.said ?? '');
    }
  }

  #fields({ marks }: Found): NewField[] {
    return Array.from(marks).flatMap(([number, all]) => {
      const control = this.#controls[number];
      if (control === undefined) return [];
      const places = all.flatMap(({ box, page, content }) => (box === null ? [] : [{ box, page, content }]));
      const unit = places.map(({ box }) => (box.right - box.left) / Math.max(1, control.width))[0] ?? 1;
      const widgets = places.map(({ box, ...place }) => ({ ...place, box: shownBox(control, box, unit) }));
      return [newField(control, number, { unit, widgets, isOnWhite: !this.#options.printBackground })];
    });
  }
}

function isOn(paper: Box, box: ControlMark['box']): boolean {
  return (
    box !== null &&
    box.left >= paper.x &&
    box.bottom >= paper.y &&
    box.right <= paper.x + paper.width &&
    box.top <= paper.y + paper.height
  );
}

/** Returns a sentence with as many names as there is room for. */
function leftWarning(left: readonly string[]): string {
  for (let most = left.length; most > 1; most -= 1) {
    const text = `form_fields: these controls do not become fields: ${listed(left, most)}.`;
    if (text.length <= MAX_WARNING) return text;
  }
  return `form_fields: these controls do not become fields: ${listed(left, 1)}.`;
}
