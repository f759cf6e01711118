import { deflateSync } from 'node:zlib';
import type { ContentOperations } from '../content/operations.ts';
import type { PdfFile } from '../model/index.ts';
import { Names } from '../model/words.ts';
import { Tokens } from '../rebuild/tokens.ts';
import { isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import type { Colours } from './colours.ts';
import { lastNameOf, nameOf, pageContent } from './content-values.ts';
import type { Glyphs, UsedFont } from './glyphs.ts';
import { INTENTS } from './forbidden.ts';
import { checkInlineImage } from './inline-images.ts';
import { MAX_LEVELS, MAX_SHOWN, MAX_STATES, tooManyForms, tooManyShown, tooManyStates } from './limits.ts';
import { Marking, type Marks, type StreamContext } from './marking.ts';
import type { Owned } from './structure.ts';
import type { Violations } from './violations.ts';

/** The operators of content except those of paths (ISO 32000-1, table A.1). */
const OPERATORS = new Set(
  (
    'BDC BI BMC BT BX CS DP Do EI EMC ET EX G ID K MP Q RG SC SCN T* TD TJ TL Tc Td Tf Tj Tm Tr Ts Tw Tz cm cs d d0 d1 ' +
    `g gs i j J k M q rg ri sc scn sh w ' "`
  ).split(' '),
);

/** The input for reading the content of a document. */
export interface ContentWork {
  file: PdfFile;
  violations: Violations;
  glyphs: Glyphs;
  colours: Colours;
  /**
   * The structure elements of marked-content identifiers, by the key of a page or form; null if there are no tags.
   */
  owners: ((key: PdfValue | undefined) => Owned | null) | null;
  /**
   * Whether the program that wrote the file left text outside of all marks because it could not tag it: it marks
   * repeated text on the pages itself. For other programs, such text is repeated on the pages.
   */
  marksRepeatedContent: boolean;
}

/** The context of a stream. */
interface Place {
  page: number;
  resources: PdfDict;
  level: number;
  /** Whether its content is already marked. */
  isMarked: boolean;
}

/** Reads what pages and forms show, and marks content without an element as an artifact. */
export class Contents {
  readonly #work: ContentWork;
  readonly #names = new Names();
  /** Whether a form has its own marks, by form. */
  readonly #forms = new Map<Ref, boolean>();
  /** How many forms each form shows, including itself. */
  readonly #counts = new Map<Ref, number>();
  /** How many forms the current content shows. */
  #count = 0;
  /** Type 3 fonts, and whether they are being read. */
  readonly #fonts = new Map<UsedFont, boolean>();
  /** Forms that are being read. */
  readonly #open = new Set<Ref>();

  constructor(work: ContentWork) {
    this.#work = work;
  }

  page(ref: Ref, dict: PdfDict, page: number): void {
    const { file } = this.#work;
    const data = pageContent(file, dict['/Contents']);
    const place = { page, resources: file.dict(dict['/Resources']), level: 0, isMarked: false };
    this.#count = 0;
    this.#own(ref, dict['/Resources']);
    const marking = new Marking(
      data,
      this.#context(place, dict['/StructParents'] ?? null),
      true,
      this.#names,
    );
    const marked = marking.run();
    this.#work.colours.repair(ref, place.resources);
    this.#check(marking, page);
    if (marked === null || !this.#marks) return;
    const content = file.add({ '/Filter': '/FlateDecode' }, deflateSync(marked));
    file.set(ref, { ...file.dict(ref), '/Contents': content });
  }

  /** Reads the appearance of an annotation, whose content needs no marks, for the resources that it uses. */
  appearance(value: PdfValue | undefined, page: number): void {
    if (isRef(value)) this.#form(value, { page, resources: {}, level: 0, isMarked: true });
  }

  /** A page or form must use its own resources, not those of its container (ISO 19005-2, 6.2.2). */
  #own(ref: Ref, resources: PdfValue | undefined): void {
    const { file, violations } = this.#work;
    if (violations.demands.archive === null || resources === undefined) return;
    const dict = file.dict(ref);
    const own = dict['/Resources'];
    if (own === undefined || Object.keys(file.dict(own)).length === 0)
      file.set(ref, { ...dict, '/Resources': resources });
  }

  get #marks(): boolean {
    return this.#work.owners !== null;
  }

  #check(marking: Marking, page: number): void {
    if (marking.isBroken) this.#unknown(page);
    if (!marking.isMixed || !this.#marks) return;
    const detail =
      'Content of an element is inside an artifact, or vice versa: remove the inner marks in the program that creates the file.';
    this.#work.violations.add({ accessible: '7.1' }, detail, { page });
  }

  #context(place: Place, key: PdfValue): StreamContext {
    const { file, glyphs, colours, owners, violations } = this.#work;
    const { resources, page } = place;
    const owned = owners?.(key) ?? null;
    const fonts = file.dict(resources['/Font']);
    const properties = file.dict(resources['/Properties']);
    let font: UsedFont | null = null;
    let isSeen = true;
    const saved: { font: UsedFont | null; isSeen: boolean }[] = [];
    return {
      properties: (name) => file.dict(properties[name]),
      isOwned: (mcid) => {
        const isFound = owned === null || owned(mcid);
        if (isFound === false) this.#lost(page);
        return isFound !== undefined;
      },
      unmarkedText: () => {
        if (!place.isMarked) this.#untagged(page);
      },
      object: (name, isMarked) => this.#shown(name, { ...place, isMarked: place.isMarked || isMarked }),
      operation: (operations: ContentOperations, marks: Marks) => {
        switch (operations.operator) {
          case 'q':
            saved.push({ font, isSeen });
            if (saved.length > MAX_STATES) tooManyStates(page, violations);
            break;
          case 'Q':
            ({ font, isSeen } = saved.pop() ?? { font, isSeen });
            break;
          case 'Tr':
            // Text rendering mode 3 paints nothing (ISO 32000-1, table 106).
            isSeen = new Tokens(operations.bytes, operations.start).value() !== 3;
            break;
          case 'gs':
            this.#mask(file.dict(file.dict(resources['/ExtGState'])[nameOf(operations)]), place);
            break;
          case 'Tf':
            font = glyphs.font(fonts[nameOf(operations)]);
            if (font?.dict['/Subtype'] === '/Type3') this.#drawn(font, place);
            break;
          case 'scn':
          case 'SCN':
            this.#pattern(lastNameOf(operations), place);
            break;
          case 'BDC':
            glyphs.begin();
            break;
          case 'ri':
            if (!INTENTS.has(nameOf(operations))) this.#intent(page);
            break;
          case 'BI':
            colours.space(checkInlineImage(operations, violations, page), resources, page);
            break;
          case 'Tj':
          case 'TJ':
          case "'":
          case '"': {
            const { bytes, start, operatorStart: end } = operations;
            if (font !== null) glyphs.show(font, bytes, { start, end, page, isSeen }, marks);
            break;
          }
          default:
            if (!OPERATORS.has(operations.operator)) this.#unknown(page);
            colours.operation(operations, resources, page);
        }
      },
    };
  }

  #intent(page: number): void {
    const detail =
      'The content uses an unknown rendering intent (`ri`): create the file again from its source.';
    this.#work.violations.add({ archive: '6.2.6' }, detail, { page });
  }

  #unknown(page: number): void {
    const detail =
      'The content has an unknown operator, or cannot be read: create the file again from its source.';
    this.#work.violations.add({ archive: '6.2.2' }, detail, { page });
  }

  #lost(page: number): void {
    const detail =
      'Content belongs to an element that is not in the tags, or cannot be read: create the file again from its source.';
    this.#work.violations.add({ archive: '6.7.3.3', of: 'tagged', accessible: '7.1' }, detail, { page });
  }

  #untagged(page: number): void {
    if (!this.#work.marksRepeatedContent || !this.#marks) return;
    const detail =
      'Text is not tagged, as in spreadsheets of older releases of LibreOffice: use a newer release, or request a level b or u of PDF/A.';
    this.#work.violations.add({ archive: '6.7.3.3', of: 'tagged', accessible: '7.1' }, detail, { page });
  }

  /** A soft mask whose form has tags, which Chromium also shows as content. */
  #mask(state: PdfDict, place: Place): void {
    const { file, violations } = this.#work;
    const form = file.dict(state['/SMask'])['/G'];
    if (!isRef(form) || !this.#form(form, { ...place, level: place.level + 1, isMarked: true })) return;
    const detail =
      'Masked content has its tags twice: remove the mask (`mask-image`), or use an image with an alternate text.';
    violations.add({ accessible: '7.20' }, detail, { page: place.page });
  }

  #shown(name: string, place: Place): 'unmarked' | 'marked' {
    const { file, colours } = this.#work;
    const ref = file.dict(place.resources['/XObject'])[name];
    const dict = file.dict(ref);
    if (dict['/Subtype'] !== '/Form') {
      colours.space(dict['/ColorSpace'], place.resources, place.page);
      return 'unmarked';
    }
    return isRef(ref) && this.#form(ref, { ...place, level: place.level + 1 }) ? 'marked' : 'unmarked';
  }

  /** A pattern paints with its own content or with a shading (ISO 32000-1, 8.7). */
  #pattern(name: string | null, place: Place): void {
    if (name === null) return;
    const { file, colours } = this.#work;
    const pattern = file.dict(place.resources['/Pattern'])[name];
    const dict = file.dict(pattern);
    if (dict['/PatternType'] === 2) {
      colours.space(file.dict(dict['/Shading'])['/ColorSpace'], place.resources, place.page);
      this.#mask(file.dict(dict['/ExtGState']), place);
    } else if (isRef(pattern)) this.#form(pattern, { ...place, level: place.level + 1, isMarked: true });
  }

  /**
   * A font whose glyphs are content streams (ISO 32000-1, 9.6.5). Readers follow its resources even if no glyph
   * uses them.
   */
  #drawn(font: UsedFont, place: Place): void {
    const { file, glyphs } = this.#work;
    const isOpen = this.#fonts.get(font);
    if (isOpen === true) this.#circle(place.page);
    if (isOpen !== undefined) return;
    if (place.level > MAX_LEVELS) {
      tooManyForms(place.page, this.#work.violations);
      return;
    }
    this.#fonts.set(font, true);
    const { ref, dict } = font;
    // Without resources of its own, the font uses those of the page, except itself.
    const { '/Font': _fonts, ...others } = place.resources;
    const resources = dict['/Resources'] === undefined ? others : file.dict(dict['/Resources']);
    if (ref !== null && dict['/Resources'] === undefined) this.#own(ref, resources);
    const within = { ...place, resources, level: place.level + 1, isMarked: true };
    for (const value of Object.values(file.dict(resources['/Font']))) {
      const other = file.dict(value)['/Subtype'] === '/Type3' ? glyphs.font(value) : null;
      if (other !== null) this.#drawn(other, within);
    }
    for (const glyph of Object.values(file.dict(dict['/CharProcs']))) {
      if (isRef(glyph)) this.#form(glyph, within, true);
    }
    if (ref !== null) this.#work.colours.repair(ref, resources);
    this.#fonts.set(font, false);
  }

  /**
   * Reads nested content: a form, a pattern, or a glyph, whose resources are those of its font.
   *
   * @returns whether it has its own marks
   */
  #form(ref: Ref, place: Place, isGlyph = false): boolean {
    const known = this.#forms.get(ref);
    if (known !== undefined) {
      if (this.#open.has(ref)) this.#circle(place.page);
      this.#shows(this.#counts.get(ref) ?? 1, place.page);
      return known;
    }
    if (place.level > MAX_LEVELS) {
      tooManyForms(place.page, this.#work.violations);
      return false;
    }
    const outside = this.#count;
    this.#count = 1;
    this.#open.add(ref);
    const hasContent = this.#read(ref, place, isGlyph);
    this.#open.delete(ref);
    this.#counts.set(ref, this.#count);
    const inside = this.#count;
    this.#count = outside;
    this.#shows(inside, place.page);
    return hasContent;
  }

  #shows(count: number, page: number): void {
    this.#count += count;
    if (this.#count > MAX_SHOWN) tooManyShown(page, this.#work.violations);
  }

  #circle(page: number): void {
    const detail = 'A form, a pattern or a glyph contains itself: create the file again from its source.';
    this.#work.violations.add({ archive: '6.2.2', accessible: '7.1' }, detail, { page });
  }

  #read(ref: Ref, place: Place, isGlyph: boolean): boolean {
    const { file } = this.#work;
    // A form that shows itself has been counted by now.
    this.#forms.set(ref, false);
    const dict = file.dict(ref);
    const { data, filters } = file.streamData(ref) ?? { data: Buffer.alloc(0), filters: [] };
    if (filters.length > 0) return false;
    const own = file.dict(dict['/Resources']);
    const resources = Object.keys(own).length > 0 ? own : place.resources;
    if (!isGlyph && Object.keys(resources).length > 0) this.#own(ref, resources);
    const marking = new Marking(
      data,
      this.#context({ ...place, resources }, dict['/StructParents'] ?? null),
      false,
      this.#names,
    );
    const marked = marking.run();
    if (!isGlyph) this.#work.colours.repair(ref, resources);
    this.#check(marking, place.page);
    this.#forms.set(ref, marking.hasContent);
    if (marked !== null && marking.hasContent && !place.isMarked && this.#marks) {
      const { '/DecodeParms': _parameters, ...rest } = file.dict(ref);
      file.set(ref, { ...rest, '/Filter': '/FlateDecode' }, deflateSync(marked));
    }
    return marking.hasContent;
  }
}
