import {
  isDict,
  isRef,
  isString,
  type PdfDict,
  pdfText,
  type PdfValue,
  type Ref,
  textOf,
} from '../values.ts';
import { type Renamed, renamedScript } from './script-names.ts';
import type { Target } from './target.ts';

/** Renames fields in the actions that name them (ISO 32000-2, 12.6.4 and 12.7.6). */

/** Deeper chains of actions are not changed. */
const MAX_LEVELS = 64;

export class ActionNames {
  readonly #target: Target;
  readonly #renamed: Renamed;
  /** The actions that are objects of their own, with those that replace them. */
  readonly #known = new Map<Ref, PdfValue>();
  /** Whether an action may name renamed fields in a way that is not changed. */
  isSure = true;

  constructor(target: Target, renamed: Renamed) {
    this.#target = target;
    this.#renamed = renamed;
  }

  /** Renames fields in the actions of a field, an annotation or a page. */
  rename(ref: Ref): void {
    const dict = this.#target.resolve(ref);
    if (!isDict(dict)) return;
    const changes: PdfDict = {};
    if (dict['/A'] !== undefined) changes['/A'] = this.#action(dict['/A'], 0);
    const additional = this.#target.resolve(dict['/AA']);
    if (isDict(additional)) {
      const all = Object.entries(additional).map(([key, action]) => [key, this.#action(action, 0)] as const);
      if (all.some(([key, action]) => action !== additional[key])) changes['/AA'] = Object.fromEntries(all);
    }
    for (const [key, value] of Object.entries(changes))
      if (value !== dict[key]) this.#target.edit(ref)[key] = value;
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
    if (kind === '/ResetForm' || kind === '/SubmitForm') changes['/Fields'] = this.#names(action['/Fields']);
    else if (kind === '/Hide') changes['/T'] = this.#names(action['/T']);
    else if (kind === '/JavaScript') changes['/JS'] = this.#script(action['/JS']);
    if (action['/Next'] !== undefined) changes['/Next'] = this.#action(action['/Next'], level + 1);
    const changed = Object.entries(changes).filter(([key, one]) => one !== (action[key] ?? null));
    return changed.length === 0 ? value : { ...action, ...Object.fromEntries(changed) };
  }

  /** Names of fields, one or several; references to fields need no change. */
  #names(value: PdfValue | undefined): PdfValue {
    const resolved = this.#target.resolve(value);
    if (Array.isArray(resolved)) {
      const all = resolved.map((one) => this.#names(one));
      return all.some((one, index) => one !== resolved[index]) ? all : (value ?? null);
    }
    const name = isString(resolved) ? this.#renamed(textOf(resolved)) : undefined;
    return name === undefined ? (value ?? null) : pdfText(name);
  }

  #script(value: PdfValue | undefined): PdfValue {
    const resolved = this.#target.resolve(value);
    const text = isString(resolved)
      ? textOf(resolved)
      : isRef(value) && isDict(resolved)
        ? this.#target.text?.(value)
        : '';
    if (text === undefined) {
      this.isSure = false;
      return value ?? null;
    }
    const { script, isSure } = renamedScript(text, this.#renamed);
    this.isSure &&= isSure;
    return script === text ? (value ?? null) : pdfText(script);
  }
}
