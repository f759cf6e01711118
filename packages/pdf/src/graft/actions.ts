import {
  isDict,
  isRef,
  isString,
  type PdfDict,
  pdfText,
  type PdfValue,
  type Ref,
  textOf,
} from '../model/values.ts';
import { fullName } from './full-name.ts';
import type { OwnFields } from './own-fields.ts';
import { type Renamed, renamedScript } from './script-names.ts';
import type { Target } from './target.ts';

/** Renames fields in the actions that name them (ISO 32000-2, 12.6.4 and 12.7.6). */

/** Deeper chains of actions and fields are not followed. */
const MAX_LEVELS = 64;

/** The flag of actions that their list has the fields that they do not reach (table 239). */
const EXCLUDES = 1;

/** Gives the actions of one document the names of its fields in a file with fields of other documents. */
export class ActionNames {
  readonly #target: Target;
  readonly #renamed: Renamed;
  readonly #own: OwnFields;
  /** The actions that are objects of their own, with those that replace them. */
  readonly #known = new Map<Ref, PdfValue>();
  #isSure = true;

  constructor(target: Target, renamed: Renamed, own: OwnFields) {
    this.#target = target;
    this.#renamed = renamed;
    this.#own = own;
  }

  /**
   * Changes the actions of a field, an annotation, an outline item or a page.
   *
   * @returns whether they cannot reach fields in a way that is not changed
   */
  rename(ref: Ref): boolean {
    const dict = this.#target.resolve(ref);
    if (!isDict(dict)) return true;
    const { changes, isSure } = this.changes(dict);
    for (const [key, value] of Object.entries(changes)) this.#target.edit(ref)[key] = value;
    return isSure;
  }

  /** The changed entries of a dictionary with actions, and the result of `rename`. */
  changes(dict: PdfDict): { changes: PdfDict; isSure: boolean } {
    this.#isSure = true;
    const changes: PdfDict = {};
    for (const key of ['/A', '/OpenAction'])
      if (dict[key] !== undefined) changes[key] = this.#action(dict[key], 0);
    const additional = this.#target.resolve(dict['/AA']);
    if (isDict(additional)) {
      const all = Object.entries(additional).map(([key, action]) => [key, this.#action(action, 0)] as const);
      if (all.some(([key, action]) => action !== additional[key])) changes['/AA'] = Object.fromEntries(all);
    }
    const changed = Object.entries(changes).filter(([key, value]) => value !== dict[key]);
    return { changes: Object.fromEntries(changed), isSure: this.#isSure };
  }

  /** The action with other names; the value itself if nothing changes, because other objects may share it. */
  #action(value: PdfValue, level: number): PdfValue {
    if (!isRef(value)) return this.#changed(value, level);
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    // An action that leads to itself keeps that reference.
    this.#known.set(value, value);
    const changed = this.#changed(value, level);
    const own = isRef(changed) ? changed : this.#target.add(changed);
    this.#known.set(value, own);
    return own;
  }

  #changed(value: PdfValue, level: number): PdfValue {
    const action = this.#target.resolve(value);
    if (level > MAX_LEVELS) return value;
    if (Array.isArray(action)) {
      const all = action.map((one) => this.#action(one, level + 1));
      return all.some((one, index) => one !== action[index]) ? all : value;
    }
    if (!isDict(action)) return value;
    const changes: PdfDict = {};
    const kind = this.#target.resolve(action['/S']);
    if (kind === '/ResetForm' || kind === '/SubmitForm') Object.assign(changes, this.#fields(action));
    else if (kind === '/Hide') changes['/T'] = this.#names(action['/T']);
    else if (kind === '/JavaScript') changes['/JS'] = this.#script(action['/JS']);
    if (action['/Next'] !== undefined) changes['/Next'] = this.#action(action['/Next'], level + 1);
    const changed = Object.entries(changes).filter(([key, one]) => one !== (action[key] ?? null));
    return changed.length === 0 ? value : { ...action, ...Object.fromEntries(changed) };
  }

  /** The list of the fields that an action reaches: an action without one, or with exceptions, gets one. */
  #fields(action: PdfDict): PdfDict {
    const flags = this.#target.resolve(action['/Flags']);
    const given = this.#target.resolve(action['/Fields']);
    const excludes = typeof flags === 'number' && (flags & EXCLUDES) !== 0;
    if (given !== null && !excludes) return { '/Fields': this.#names(action['/Fields']) };
    const listed = Array.isArray(given) ? given : given === null ? [] : [given];
    const names =
      listed.length === 0
        ? this.#own.all()
        : this.#own.except(new Set(listed.map((one) => this.#fullName(one))));
    if (names === undefined) {
      this.#isSure = false;
      return {};
    }
    return {
      '/Fields': names.map(pdfText),
      ...(excludes && typeof flags === 'number' ? { '/Flags': flags & ~EXCLUDES } : {}),
    };
  }

  /** The new full name of a field that is listed by its old name or by reference. */
  #fullName(field: PdfValue): string {
    const value = this.#target.resolve(field);
    if (isString(value)) return this.#renamed(textOf(value), true) ?? textOf(value);
    return fullName(this.#target, value);
  }

  /** Names of fields, one or several; references to fields need no change. */
  #names(value: PdfValue | undefined): PdfValue {
    const resolved = this.#target.resolve(value);
    if (Array.isArray(resolved)) {
      const all = resolved.map((one) => this.#names(one));
      return all.some((one, index) => one !== resolved[index]) ? all : (value ?? null);
    }
    const name = isString(resolved) ? this.#renamed(textOf(resolved), true) : undefined;
    return name === undefined ? (value ?? null) : pdfText(name);
  }

  #script(value: PdfValue | undefined): PdfValue {
    const resolved = this.#target.resolve(value);
    const text = isString(resolved)
      ? textOf(resolved)
      : isRef(value) && isDict(resolved)
        ? this.#target.text(value)
        : '';
    if (text === undefined) {
      this.#isSure = false;
      return value ?? null;
    }
    const { script, isSure } = renamedScript(text, this.#renamed, this.#own);
    this.#isSure &&= isSure;
    return script === text ? (value ?? null) : pdfText(script);
  }
}
