import type { PdfFile } from '../model/index.ts';
import { isDict, isRef, type PdfValue, type Ref } from '../model/values.ts';

/** Deeper expressions, and those that lead to themselves, show their content. */
const MAX_LEVELS = 32;

/** Which layers are shown when a document is opened on a screen (ISO 32000-2, 8.11). */
export class LayerState {
  readonly #file: PdfFile;
  readonly #off = new Set<Ref>();

  constructor(file: PdfFile) {
    this.#file = file;
    const properties = file.dict(file.catalog['/OCProperties']);
    const config = file.dict(properties['/D']);
    const groups = (value: PdfValue | undefined): Ref[] => file.array(value).filter(isRef);
    if (file.resolve(config['/BaseState']) === '/OFF')
      for (const group of groups(properties['/OCGs'])) this.#off.add(group);
    for (const group of groups(config['/ON'])) this.#off.delete(group);
    for (const group of groups(config['/OFF'])) this.#off.add(group);
    for (const entry of file.array(config['/AS'])) {
      const usage = file.dict(entry);
      if (file.resolve(usage['/Event']) !== '/View') continue;
      for (const group of groups(usage['/OCGs'])) this.#apply(group);
    }
  }

  /** The state that a group recommends for screens (table 100). */
  #apply(group: Ref): void {
    const usage = this.#file.dict(this.#file.dict(group)['/Usage']);
    const state = this.#file.resolve(this.#file.dict(usage['/View'])['/ViewState']);
    if (state === '/OFF') this.#off.add(group);
    if (state === '/ON') this.#off.delete(group);
  }

  /**
   * Returns whether content is shown.
   *
   * @param content its entry `/OC`: a group or a membership dictionary; content without one is always shown
   */
  isShown(content: PdfValue | undefined): boolean {
    const file = this.#file;
    const dict = file.dict(content);
    if (file.resolve(dict['/Type']) !== '/OCMD') return !isRef(content) || !this.#off.has(content);
    const expression = file.resolve(dict['/VE']);
    if (Array.isArray(expression)) return this.#isTrue(expression, 0);
    // One group or several; null is none.
    const given = isDict(file.resolve(dict['/OCGs'])) ? [dict['/OCGs']] : file.array(dict['/OCGs']);
    const groups = given.filter((group) => isDict(file.resolve(group)));
    if (groups.length === 0) return true;
    const isOn = (group: PdfValue | undefined): boolean => !isRef(group) || !this.#off.has(group);
    switch (file.resolve(dict['/P'])) {
      case '/AllOn':
        return groups.every(isOn);
      case '/AnyOff':
        return !groups.every(isOn);
      case '/AllOff':
        return !groups.some(isOn);
      default:
        return groups.some(isOn);
    }
  }

  /** The value of a visibility expression (8.11.2.2). */
  #isTrue(value: PdfValue, level: number): boolean {
    const resolved = this.#file.resolve(value);
    if (!Array.isArray(resolved)) return !isRef(value) || !this.#off.has(value);
    if (level > MAX_LEVELS) return true;
    const [operator, ...operands] = resolved;
    const isTrue = (operand: PdfValue): boolean => this.#isTrue(operand, level + 1);
    if (operator === '/Not') return !operands.some(isTrue);
    return operator === '/Or' ? operands.some(isTrue) : operands.every(isTrue);
  }
}
