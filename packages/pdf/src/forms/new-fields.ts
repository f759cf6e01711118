import { pdfNumbers } from '../content/write.ts';
import type { PdfFile } from '../model/index.ts';
import { pdfText, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import { drawStates } from './buttons.ts';
import { fieldsOf } from './fields.ts';
import { FormTags, type TaggedContent } from './form-tags.ts';
import { FLAGS } from './read.ts';

/** New fields on the pages of a document (ISO 32000-1, 12.7). */

/** A place of a field on a page. */
export interface NewWidget {
  /** From 0. */
  page: number;
  /** In points, from the lower left corner. */
  box: { left: number; bottom: number; right: number; top: number };
  /** The content beside which it is read; null for none. */
  content: TaggedContent | null;
}

/** A field to be added. */
export interface NewField {
  kind: 'text' | 'checkbox' | 'radio' | 'choice' | 'list';
  /** Made unique; a full stop becomes an underscore. */
  name: string;
  /** Radio buttons of a group are one field. */
  group: string;
  /** For screen readers; empty for none. */
  description: string;
  groupDescription: string;
  /** The text, or the name of the state of a box that is on. */
  value: string;
  /** Whether a box is on. */
  isOn: boolean;
  options: readonly { value: string; label: string }[];
  /** Values of the selected options. */
  chosen: readonly string[];
  isMultiple: boolean;
  isMultiline: boolean;
  isPassword: boolean;
  maxLength: number | null;
  isReadOnly: boolean;
  isRequired: boolean;
  /** Name of a standard font. */
  font: string;
  /** In points. */
  size: number;
  colour: readonly [number, number, number];
  /** Colour and width of the edge of a box, in points. */
  edge: readonly [number, number, number];
  edgeWidth: number;
  /** 0: left, 1: centred, 2: right. */
  alignment: 0 | 1 | 2;
  /** A field without a place is not added, and keeps its name. */
  widgets: readonly NewWidget[];
}

const NO_TOGGLE = 1 << 14;
/** Annotations that are printed (table 165). */
const PRINT = 4;
/** Maximum length of a name. */
const MAX_NAME = 200;

/**
 * Adds fields to a document without a form. Boxes are drawn; for text and choices, readers are asked
 * (`/NeedAppearances`), until `drawPrintedForm` draws them.
 */
export function addFields(file: PdfFile, fields: readonly NewField[]): void {
  const adding = new Adding(file);
  for (const group of Map.groupBy(fields, ({ group: key }) => key).values()) adding.add(group);
  adding.finish();
}

class Adding {
  readonly #file: PdfFile;
  readonly #pages: readonly Ref[];
  readonly #tags: FormTags;
  readonly #names = new Set<string>();
  readonly #fields: Ref[] = [];
  readonly #annotations = new Map<Ref, Ref[]>();
  readonly #fonts = new Map<string, Ref>();
  /** The states of boxes, by their widgets. */
  readonly #states = new Map<Ref, string>();

  constructor(file: PdfFile) {
    this.#file = file;
    this.#pages = file.pages();
    this.#tags = new FormTags(file);
  }

  /** @param group one field, or the radio buttons of one */
  add(group: readonly NewField[]): void {
    const [first] = group;
    if (first === undefined) return;
    const states = statesOf(group);
    const name = this.#nameFor(first.name);
    if (group.every(({ widgets }) => widgets.length === 0)) return;
    const on = group.findLastIndex(({ isOn, widgets }) => isOn && widgets.length > 0);
    const isBox = first.kind === 'checkbox' || first.kind === 'radio';
    const value = isBox ? (states.names[on] ?? '/Off') : valueOf(first);
    const field = this.#file.add({
      '/FT': isBox ? '/Btn' : first.kind === 'text' ? '/Tx' : '/Ch',
      '/T': pdfText(name),
      ...described(first.kind === 'radio' ? first.groupDescription : first.description),
      '/Ff': flagsOf(group),
      ...(value === null ? {} : { '/V': value }),
      ...(isBox ? {} : { '/Q': first.alignment, '/DA': this.#appearance(first) }),
      ...(states.labels === null ? {} : { '/Opt': states.labels }),
      ...contentOf(first),
    });
    const kids = group.flatMap((one, index) =>
      one.widgets.map((widget) => {
        const ref = this.#widget(one, widget, field);
        const state = states.names[index];
        if (isBox && state !== undefined) this.#states.set(ref, state);
        if (isBox) this.#set(ref, { '/AS': state === value ? state : '/Off' });
        return ref;
      }),
    );
    this.#set(field, { '/Kids': kids });
    this.#fields.push(field);
  }

  finish(): void {
    const file = this.#file;
    for (const [page, annotations] of this.#annotations) {
      const before = file.array(file.dict(page)['/Annots']);
      this.#set(page, { '/Annots': [...before, ...annotations] });
    }
    const fonts = Object.fromEntries(this.#fonts);
    const form = {
      '/Fields': this.#fields,
      '/DR': { '/Font': fonts },
      '/DA': pdfText('0 g'),
      '/NeedAppearances': true,
    };
    file.set(file.catalogRef, { ...file.dict(file.catalogRef), '/AcroForm': file.add(form) });
    this.#tags.finish();
    for (const field of fieldsOf(file)) {
      for (const widget of field.widgets) {
        const state = this.#states.get(widget.ref);
        if (state !== undefined) drawStates(file, field, widget, state);
      }
    }
  }

  #set(ref: Ref, changes: PdfDict): void {
    this.#file.set(ref, { ...this.#file.dict(ref), ...changes });
  }

  #widget(field: NewField, { page, box, content }: NewWidget, parent: Ref): Ref {
    const on = this.#pages[page];
    if (on === undefined) throw new Error(`a field on page ${page + 1}, which is not there`);
    const isBox = field.kind === 'checkbox' || field.kind === 'radio';
    const look = {
      '/BC': field.edge.map(share),
      '/BG': [1, 1, 1],
      '/CA': pdfText(field.kind === 'radio' ? 'l' : '4'),
    };
    const ref = this.#file.add({
      '/Type': '/Annot',
      '/Subtype': '/Widget',
      '/Parent': parent,
      '/P': on,
      '/F': PRINT,
      '/Rect': [box.left, box.bottom, box.right, box.top].map(rounded),
      '/BS': { '/W': isBox ? rounded(field.edgeWidth) : 0, '/S': '/S' },
      ...(isBox ? { '/MK': look, ...described(field.description) } : {}),
    });
    this.#annotations.set(on, [...(this.#annotations.get(on) ?? []), ref]);
    const key = this.#tags.add(on, ref, content);
    if (key !== null) this.#set(ref, { '/StructParent': key });
    return ref;
  }

  #nameFor(wanted: string): string {
    // A full stop would separate the name of a field from those of its ancestors.
    const name = wanted.slice(0, MAX_NAME).replaceAll('.', '_');
    let unique = name;
    for (let number = 2; this.#names.has(unique); number++) unique = `${name} ${number}`;
    this.#names.add(unique);
    return unique;
  }

  #appearance({ font, size, colour }: NewField): string {
    const short = font.replaceAll('-', '');
    if (!this.#fonts.has(`/${short}`)) {
      const dict = { '/Type': '/Font', '/Subtype': '/Type1', '/BaseFont': `/${font}` };
      this.#fonts.set(`/${short}`, this.#file.add({ ...dict, '/Encoding': '/WinAnsiEncoding' }));
    }
    return pdfText(`${pdfNumbers(...colour.map(share))} rg /${short} ${pdfNumbers(rounded(size))} Tf`);
  }
}

/** What a widget may be called: ASCII, so that all programs show it. */
const PLAIN = /^[\w+\-:@!$&*=~^]+$/;

/**
 * The names of the states of boxes: their values where they are plain and differ, else numbers with the values as
 * options (12.7.4.2.3).
 */
function statesOf(group: readonly NewField[]): { names: string[]; labels: string[] | null } {
  const values = group.map(({ value }) => value);
  const arePlain = values.every((value) => PLAIN.test(value) && value !== 'Off');
  if (arePlain && new Set(values).size === values.length)
    return { names: values.map((value) => `/${value}`), labels: null };
  const isBox = group.some(({ kind }) => kind === 'checkbox' || kind === 'radio');
  return { names: values.map((_, index) => `/${index}`), labels: isBox ? values.map(pdfText) : null };
}

function valueOf({ kind, value, chosen, isPassword }: NewField): PdfValue {
  if (kind === 'text') return value === '' || isPassword ? null : pdfText(value);
  if (chosen.length > 1) return chosen.map(pdfText);
  return chosen[0] === undefined ? null : pdfText(chosen[0]);
}

function contentOf({ kind, options, chosen, maxLength }: NewField): PdfDict {
  if (kind === 'text') return maxLength === null ? {} : { '/MaxLen': maxLength };
  if (kind !== 'choice' && kind !== 'list') return {};
  const places = options.flatMap(({ value }, index) => (chosen.includes(value) ? [index] : []));
  return {
    '/Opt': options.map(({ value, label }) =>
      value === label ? pdfText(value) : [pdfText(value), pdfText(label)],
    ),
    // The indices of the selected options (table 231).
    ...(kind === 'list' && places.length > 0 ? { '/I': places } : {}),
  };
}

function flagsOf(group: readonly NewField[]): number {
  const [first] = group;
  const flag = (isSet: boolean | undefined, bits: number): number => (isSet === true ? bits : 0);
  return (
    flag(
      group.every(({ isReadOnly }) => isReadOnly),
      FLAGS.readOnly,
    ) |
    flag(
      group.some(({ isRequired }) => isRequired),
      FLAGS.required,
    ) |
    flag(first?.kind === 'radio', FLAGS.radio | NO_TOGGLE) |
    flag(first?.kind === 'choice', FLAGS.combo) |
    flag(first?.isMultiple, FLAGS.multiSelect) |
    flag(first?.isMultiline, FLAGS.multiline) |
    flag(first?.isPassword, FLAGS.password)
  );
}

function described(text: string): PdfDict {
  return text === '' ? {} : { '/TU': pdfText(text) };
}

function rounded(points: number): number {
  return Math.round(points * 1000) / 1000;
}

function share(channel: number): number {
  return Math.round((channel / 255) * 1000) / 1000;
}
