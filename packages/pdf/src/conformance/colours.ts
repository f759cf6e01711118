import type { ContentOperations } from '../content/operations.ts';
import type { PdfFile } from '../model/index.ts';
import { Tokens } from '../rebuild/tokens.ts';
import { isName, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import { addOutputIntent, addSrgb } from './catalog.ts';
import { Inks } from './inks.ts';
import type { Violations } from './violations.ts';

/** Maximum depth of nested colour spaces. */
const MAX_LEVELS = 8;

const MAX_INKS = 32;
const PROCESS = new Set('/Cyan /Magenta /Yellow /Black /None'.split(' '));

/** Reports device colours that are not covered: PDF/A defines one kind of them by the output intent (6.2.4.3). */
export class Colours {
  readonly #file: PdfFile;
  readonly #violations: Violations;
  readonly #separations: Inks;
  /** The colour spaces that the document's own output intent covers; null if it has none. */
  readonly #intent: 'rgb' | 'cmyk' | null;
  /** The first page with CMYK colours that an output intent has to define. */
  #cmykPage: number | null = null;
  /** Pages and forms with RGB colours, for the case that the output intent becomes CMYK. */
  readonly #pending: Ref[] = [];
  /** Resources whose content uses RGB colours that the output intent does not cover. */
  readonly #withRgb = new Set<PdfDict>();
  #srgb: PdfValue | undefined;

  constructor(file: PdfFile, violations: Violations, intent: 'rgb' | 'cmyk' | null) {
    this.#file = file;
    this.#separations = new Inks(file);
    this.#violations = violations;
    this.#intent = intent;
  }

  /**
   * Defines the RGB colours of a page or form as sRGB if the output intent is CMYK, as readers interpret them (ISO
   * 32000-1, 8.6.5.6).
   *
   * @param resources those with which its content was read
   */
  repair(ref: Ref, resources: PdfDict): void {
    if (!this.#withRgb.has(resources)) return;
    if (this.#intent === 'cmyk') this.#defineRgb(ref);
    else this.#pending.push(ref);
  }

  /**
   * Adds an output intent to a document without one, after its pages have been read.
   *
   * @returns whether its CMYK colours got a profile that nobody asked for
   */
  async finish(): Promise<boolean> {
    if (this.#intent !== null) return false;
    const isCmyk = this.#cmykPage !== null;
    await addOutputIntent(this.#file, isCmyk ? 'cmyk' : 'rgb');
    if (isCmyk && this.#pending.length > 0) {
      for (const ref of this.#pending) this.#defineRgb(ref);
      this.#blendInRgb();
    }
    return isCmyk;
  }

  /** Lets pages blend their colours in RGB as before, instead of in the inks of the output intent (11.4.7). */
  #blendInRgb(): void {
    const file = this.#file;
    const group = { '/S': '/Transparency', '/CS': this.#srgbSpace() };
    const dicts = file.pageDicts();
    for (const [index, ref] of file.pages().entries()) {
      const page = dicts[index] ?? {};
      if (page['/Group'] === undefined) file.set(ref, { ...file.dict(ref), '/Group': group });
    }
  }

  #srgbSpace(): PdfValue {
    this.#srgb ??= ['/ICCBased', addSrgb(this.#file)];
    return this.#srgb;
  }

  #defineRgb(ref: Ref): void {
    const file = this.#file;
    const own = file.dict(file.dict(ref)['/Resources']);
    const spaces = { ...file.dict(own['/ColorSpace']), '/DefaultRGB': this.#srgbSpace() };
    file.set(ref, { ...file.dict(ref), '/Resources': { ...own, '/ColorSpace': spaces } });
  }

  operation(operations: ContentOperations, resources: PdfDict, page: number): void {
    switch (operations.operator) {
      case 'k':
      case 'K':
        this.#device('/DeviceCMYK', resources, page);
        break;
      case 'rg':
      case 'RG':
        this.#device('/DeviceRGB', resources, page);
        break;
      case 'cs':
      case 'CS':
        this.space(new Tokens(operations.bytes, operations.start).value(), resources, page);
        break;
      case 'sh': {
        const name = new Tokens(operations.bytes, operations.start).value();
        const shading = this.#file.dict(resources['/Shading'])[isName(name) ? name : ''];
        this.space(this.#file.dict(shading)['/ColorSpace'], resources, page);
        break;
      }
      default:
    }
  }

  /** A colour space, as a name or an array (ISO 32000-1, 8.6.3). */
  space(value: PdfValue | undefined, resources: PdfDict, page: number, level = 0): void {
    if (level > MAX_LEVELS) return;
    const resolved = this.#file.resolve(value);
    if (isName(resolved)) {
      if (resolved.startsWith('/Device')) this.#device(resolved, resources, page);
      else {
        const named = this.#file.dict(resources['/ColorSpace'])[resolved];
        if (named !== undefined) this.space(named, resources, page, level + 1);
      }
      return;
    }
    if (!Array.isArray(resolved)) return;
    const kind = this.#file.resolve(resolved[0]);
    if (kind === '/Indexed' || kind === '/I' || kind === '/Pattern') {
      this.space(resolved[1], resources, page, level + 1);
    } else if (kind === '/Separation' || kind === '/DeviceN') {
      if (kind === '/DeviceN') this.#inks(resolved, page);
      else this.#ink(resolved, page);
      this.space(resolved[2], resources, page, level + 1);
    } else if (isName(kind) && kind.startsWith('/Device')) this.#device(kind, resources, page);
  }

  /** Each of several inks has its own definition (6.2.4.4), and their number is limited (6.1.13). */
  #inks([, inks, , , described]: readonly PdfValue[], page: number): void {
    const names = this.#file.array(inks);
    if (names.length > MAX_INKS) {
      const detail = `A colour uses more than ${MAX_INKS} inks: create the file again from its source.`;
      this.#violations.add({ archive: '6.1.13' }, detail, { page });
    }
    const attributes = this.#file.dict(described);
    const known = this.#file.dict(attributes['/Colorants']);
    const process = this.#file.array(this.#file.dict(attributes['/Process'])['/Components']);
    for (const entry of Object.values(this.#file.dict(attributes['/Colorants']))) {
      const space = this.#file.resolve(entry);
      if (Array.isArray(space)) this.#ink(space, page);
    }
    const isKnown = (name: PdfValue): boolean =>
      isName(name) && (PROCESS.has(name) || name in known || process.includes(name));
    if (names.every(isKnown)) return;
    const detail =
      'An ink that is mixed with others has no definition (`Colorants`): specify the colours in RGB, or with an ICC profile.';
    this.#violations.add({ archive: '6.2.4.4' }, detail, { page });
  }

  #ink(space: PdfValue[], page: number): void {
    if (this.#separations.isSame(space)) return;
    const detail =
      'Two inks have the same name and look different: rename one of them, or make them look the same.';
    this.#violations.add({ archive: '6.2.4.4' }, detail, { page });
  }

  #device(name: string, resources: PdfDict, page: number): void {
    if (name === '/DeviceGray' || (name === '/DeviceRGB' ? 'rgb' : 'cmyk') === this.#intent) return;
    const spaces = this.#file.dict(resources['/ColorSpace']);
    if (spaces[name === '/DeviceCMYK' ? '/DefaultCMYK' : '/DefaultRGB'] !== undefined) return;
    if (name === '/DeviceRGB') {
      this.#withRgb.add(resources);
      return;
    }
    if (this.#intent === null) {
      this.#cmykPage ??= page;
      return;
    }
    const detail =
      'Colours are in CMYK without an ICC profile, which the output intent of the document does not cover: specify them in RGB, or with an ICC profile.';
    this.#violations.add({ archive: '6.2.4.3' }, detail, { page });
  }
}
