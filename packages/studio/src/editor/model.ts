import { batch, computed, effect, signal } from '@preact/signals';
import { PlatenError } from '@platen/client/errors';
import { isAbort, messageOf } from '../api/problem.ts';
import {
  type Document,
  renderSent,
  renderStored,
  reportSent,
  reportStored,
  type SentTemplate,
} from '../api/render.ts';
import { fileText, imageBlob, sampleText, styleText } from '../api/templates.ts';
import type { Fault, ImageFile, Json, Report, Template } from '../api/types.ts';
import { Latest } from '../preview/latest.ts';
import { optionsOf, shownValue, UNSEEN } from './options.ts';
import { inLines, jsonFault, type Part, partOf, placeOfPointer } from './parts.ts';
import type { StyleText } from './styles.ts';

/** The state of a template in the editor: its stored version, the changes, and its preview. */

export interface Texts {
  template: string;
  header: string;
  footer: string;
  styles: readonly StyleText[];
}

export interface Preview {
  bytes: ArrayBuffer;
  filename: string;
  warnings: readonly string[];
  /** From when it was asked for to when it was here. */
  ms: number;
  /** When the change was made that it shows, on the clock of `performance.now()`. */
  since: number;
}

const NO_TEXTS: Texts = { template: '', header: '', footer: '', styles: [] };

export class EditorModel {
  readonly id: string;
  readonly template = signal<Template | null>(null);
  readonly stored = signal<Texts>(NO_TEXTS);
  readonly texts = signal<Texts>(NO_TEXTS);
  readonly name = signal('');
  readonly options = signal<Readonly<Record<string, unknown>>>({});
  readonly images = signal<readonly { file: ImageFile; blob: Blob }[]>([]);
  /** Of an office template: the next file, dropped but not saved. */
  readonly replacement = signal<File | null>(null);
  readonly sample = signal('');
  readonly data = signal('{}');
  readonly storedData = signal('{}');
  /** JSON Schema that render data have to fit; empty for any data. */
  readonly schema = signal('');
  /** Changes whenever other data are opened, or another schema. */
  readonly dataRevision = signal(0);
  readonly preview = signal<Preview | null>(null);
  readonly rendering = signal(false);
  readonly faults = signal<readonly Fault[]>([]);
  /** Of a preview that failed. */
  readonly problem = signal<string | null>(null);
  readonly saving = signal(false);

  readonly isHtml = computed(() => this.template.value?.format === 'html');
  readonly engine = computed(() => shownValue(this.options.value['templating_engine']) || 'jinja2');
  readonly isChanged = computed(() => {
    const template = this.template.value;
    return (
      template !== null &&
      (this.texts.value !== this.stored.value ||
        this.replacement.value !== null ||
        this.name.value !== template.name ||
        this.schema.value !== this.storedSchema.value ||
        JSON.stringify(this.options.value) !== JSON.stringify(optionsOf(template)))
    );
  });
  readonly storedSchema = computed(() => {
    const schema = this.template.value?.data_schema ?? null;
    return schema === null ? '' : JSON.stringify(schema, null, 2);
  });
  readonly isDataChanged = computed(() => this.data.value !== this.storedData.value);
  readonly isDraft = computed(
    () => (this.template.value?.latest_version ?? 0) > (this.template.value?.published_version ?? 0),
  );
  /** The data as a value, as they last were when they were valid. */
  readonly dataValue = signal<Json>({});
  readonly faultsByPart = computed(() => Map.groupBy(this.faults.value, partOf));

  /** Looked for once for each text: data may have megabytes, and every key asks. */
  readonly #dataFault = computed(() => jsonFault(this.data.value));
  readonly #schemaFault = computed(() =>
    this.schema.value.trim() === '' ? null : jsonFault(this.schema.value, 'data_schema'),
  );
  readonly #pageOptions = computed(() =>
    JSON.stringify(Object.entries(this.options.value).filter(([name]) => !UNSEEN.has(name))),
  );
  readonly #latest = new Latest();
  #stop: (() => void) | null = null;

  constructor(id: string) {
    this.id = id;
  }

  faultsOf(part: Part): readonly Fault[] {
    return this.faultsByPart.value.get(part) ?? NO_FAULTS;
  }

  /**
   * Takes over what is stored, with all its files.
   *
   * @param saved the texts that were stored: what was typed while they were is kept
   * @throws PlatenError
   */
  async load(template: Template, saved?: Texts): Promise<void> {
    const version = template.latest_version;
    const [body, header, footer, styles, images] = await Promise.all([
      template.format === 'html' ? fileText(template.template_file.id, version) : '',
      template.header_file ? fileText(template.header_file.id, version) : '',
      template.footer_file ? fileText(template.footer_file.id, version) : '',
      Promise.all(
        template.style_files.map(async ({ id, filename }) => ({
          id,
          filename: filename ?? 'style.css',
          css: await styleText(id, version),
        })),
      ),
      Promise.all(
        template.image_files.map(async (file) => ({ file, blob: await imageBlob(file.id, version) })),
      ),
    ]);
    const texts: Texts = { template: body, header, footer, styles };
    batch(() => {
      this.template.value = template;
      this.stored.value = texts;
      if (saved === undefined || this.texts.value === saved) this.texts.value = texts;
      this.images.value = images;
      this.name.value = template.name;
      this.options.value = optionsOf(template);
      this.replacement.value = null;
      this.setSchema(this.storedSchema.value);
    });
    this.#stop ??= effect(() => this.#follow());
  }

  /** Takes over a stored sample; '' begins one that is not stored yet. @throws PlatenError */
  async openSample(name: string): Promise<void> {
    const text = name === '' ? '{}' : inLines(await sampleText(this.id, name));
    batch(() => {
      this.sample.value = name;
      this.dataRevision.value++;
      this.storedData.value = text;
      this.setData(text);
    });
  }

  imageAdded(file: ImageFile, blob: Blob): void {
    this.images.value = [...this.images.value, { file, blob }];
  }

  imageRemoved(id: string): void {
    this.images.value = this.images.value.filter(({ file }) => file.id !== id);
  }

  /** Versions were written or published beside the editor, whose texts stay as they are. */
  versionsMoved(template: Template): void {
    this.template.value = template;
  }

  /** A sample was stored: it is listed from now on, and what is in the editor. */
  sampleStored(name: string, json: string): void {
    const template = this.template.value;
    if (template === null) return;
    const others = template.samples.filter((sample) => sample.name !== name);
    const stored = { name, bytes: json.length, timestamp: new Date().toISOString() };
    batch(() => {
      this.template.value = { ...template, samples: [...others, stored] };
      this.sample.value = name;
      this.storedData.value = json;
    });
  }

  sampleDeleted(name: string): void {
    const template = this.template.value;
    if (template === null) return;
    const samples = template.samples.filter((sample) => sample.name !== name);
    this.template.value = { ...template, samples };
  }

  setData(text: string): void {
    batch(() => {
      this.data.value = text;
      if (this.#dataFault.value === null) this.dataValue.value = JSON.parse(text) as Json;
    });
  }

  /** Takes over another schema than the one that is being edited. */
  setSchema(text: string): void {
    batch(() => {
      if (text !== this.schema.value) this.dataRevision.value++;
      this.schema.value = text;
    });
  }

  /** The schema as `template_data` has it; null for none. @throws Error for a text that is no JSON object */
  schemaValue(): unknown {
    const fault = this.#schemaFault.value;
    if (fault !== null) throw new Error(fault.message);
    return this.schema.value.trim() === '' ? null : JSON.parse(this.schema.value);
  }

  change(part: Partial<Texts>): void {
    this.texts.value = { ...this.texts.value, ...part };
  }

  setOption(name: string, value: unknown): void {
    this.options.value = { ...this.options.value, [name]: value };
  }

  /** Renders again, although nothing was changed. */
  renderAgain(): void {
    this.#ask();
  }

  /** What is rendered: the template as it is in the editor. */
  sent(): SentTemplate {
    const { template, header, footer, styles } = this.texts.value;
    const format = this.template.value?.format ?? 'html';
    return {
      file: this.replacement.value ?? new File([template], 'template.html', { type: 'text/html' }),
      data: {
        name: this.name.value || 'Untitled',
        format,
        ...this.options.value,
        data_schema: this.schemaValue() ?? undefined,
      },
      header,
      footer,
      styles: styles.map(({ css }) => css).filter((css) => css.trim() !== ''),
      images: new Map(this.images.value.map(({ file, blob }) => [file.uri, blob])),
    };
  }

  /** The document, as the template is in the editor. @throws PlatenError */
  renderNow(signal?: AbortSignal): Promise<Document> {
    return this.#isAsStored
      ? renderStored(this.id, this.data.peek(), { version: 'latest', signal })
      : renderSent(this.sent(), this.data.peek(), signal);
  }

  /** What there is to say of it. @throws PlatenError */
  report(signal: AbortSignal): Promise<Report> {
    return this.#isAsStored
      ? reportStored(this.id, this.data.peek(), signal)
      : reportSent(this.sent(), this.data.peek(), signal);
  }

  /** An office file is only ever changed elsewhere: until another one is dropped, it is the one that is stored. */
  get #isAsStored(): boolean {
    return !this.isHtml.peek() && this.replacement.peek() === null;
  }

  close(): void {
    this.#stop?.();
    this.#latest.cancel();
  }

  #follow(): void {
    // What is read here is what a preview shows.
    void this.texts.value;
    void this.#pageOptions.value;
    void this.images.value;
    void this.replacement.value;
    void this.data.value;
    void this.schema.value;
    this.#ask();
  }

  #ask(): void {
    const fault = this.#dataFault.peek() ?? this.#schemaFault.peek();
    if (fault !== null) {
      this.#latest.cancel();
      batch(() => {
        this.rendering.value = false;
        this.faults.value = [fault];
        this.problem.value = fault.message ?? null;
      });
      return;
    }
    const since = performance.now();
    this.#latest.ask((signal) => this.#render(signal, since));
  }

  async #render(signal: AbortSignal, since: number): Promise<void> {
    this.rendering.value = true;
    try {
      const requestedAt = performance.now();
      const { blob, filename, warnings } = await this.renderNow(signal);
      const bytes = await blob.arrayBuffer();
      if (signal.aborted) return;
      batch(() => {
        this.preview.value = { bytes, filename, warnings, ms: performance.now() - requestedAt, since };
        this.faults.value = NO_FAULTS;
        this.problem.value = null;
        this.rendering.value = false;
      });
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      batch(() => {
        this.faults.value =
          error instanceof PlatenError
            ? (error.errors ?? NO_FAULTS).map((fault) => this.#placed(fault))
            : NO_FAULTS;
        this.problem.value = messageOf(error);
        this.rendering.value = false;
      });
    }
  }

  /** A fault of the data with its place in them. */
  #placed(fault: Fault): Fault {
    if (fault.pointer === undefined || fault.line !== undefined) return fault;
    return { ...fault, ...placeOfPointer(this.data.peek(), fault.pointer) };
  }
}

const NO_FAULTS: readonly Fault[] = [];
