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
import type { Fault, ImageFile, Json, Report, Schema, Template } from '../api/types.ts';
import { Latest } from '../preview/latest.ts';
import { madeUpText } from './made-up.ts';
import { changedOptions, optionsOf, shownValue, UNSEEN } from './options.ts';
import { inLines, jsonFault, type Part, partOf, placeOfPointer } from './parts.ts';
import { styleSteps, type StyleText } from './styles.ts';
import { TemplateFields } from './template-fields.ts';

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
  /** Milliseconds from the request to the response. */
  ms: number;
  /** The time of the change that it shows, from `performance.now()`. */
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
  /** For an office template: the next file, dropped but not saved. */
  readonly replacement = signal<File | null>(null);
  readonly sample = signal('');
  readonly data = signal('{}');
  readonly storedData = signal('{}');
  /** JSON Schema for render data; empty for any data. */
  readonly schema = signal('');
  /** Changes whenever other data or another schema is opened. */
  readonly dataRevision = signal(0);
  /** Whether the data were made up from the fields, and nobody has changed them. */
  readonly isMadeUp = signal(false);
  readonly preview = signal<Preview | null>(null);
  readonly rendering = signal(false);
  readonly faults = signal<readonly Fault[]>([]);
  /** The error of a failed preview. */
  readonly problem = signal<string | null>(null);
  /** The code of that error, if the service refused the preview. */
  readonly problemCode = signal<string | null>(null);
  readonly saving = signal(false);
  readonly fields = new TemplateFields(this);

  readonly isHtml = computed(() => this.template.value?.format === 'html');
  readonly engine = computed(() => shownValue(this.options.value['templating_engine']) || 'jinja2');
  readonly isChanged = computed(() => {
    const template = this.template.value;
    return (
      template !== null &&
      (!isSameText(this.texts.value, this.stored.value) ||
        this.replacement.value !== null ||
        this.name.value !== template.name ||
        this.schema.value !== this.storedSchema.value ||
        Object.keys(changedOptions(optionsOf(template), this.options.value)).length > 0)
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
  /** The last valid data, as a value. */
  readonly dataValue = signal<Json>({});
  readonly faultsByPart = computed(() => Map.groupBy(this.faults.value, partOf));

  /** Parsed once for each text, because data may have megabytes and every key reads it. */
  readonly #dataFault = computed(() => jsonFault(this.data.value));
  readonly #schemaFault = computed(() =>
    this.schema.value.trim() === '' ? null : jsonFault(this.schema.value, 'data_schema'),
  );
  /** The schema for render data as a value; null for none, and while its text is not JSON. */
  readonly schemaObject = computed(() =>
    this.schema.value.trim() === '' || this.#schemaFault.value !== null
      ? null
      : (JSON.parse(this.schema.value) as Schema),
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
   * Replaces the state with the stored template and all its files.
   *
   * @param saved the texts that were stored: changes that were typed meanwhile are kept
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
    this.fields.follow();
  }

  /** Opens a stored sample; '' begins a new one with data that are made up. @throws PlatenError */
  async openSample(name: string): Promise<void> {
    const text = name === '' ? '{}' : inLines(await sampleText(this.id, name));
    batch(() => {
      this.sample.value = name;
      this.dataRevision.value++;
      this.storedData.value = text;
      this.setData(text);
      this.isMadeUp.value = name === '';
      this.makeUp();
    });
  }

  /** Makes up data for the fields that the template uses now, unless somebody has changed the data. */
  makeUp(): void {
    const { fields, isMadeUp, schemaObject } = this;
    if (!isMadeUp.peek() || fields.schema.peek() === null) return;
    const text = madeUpText(fields.schema.peek(), schemaObject.peek());
    if (text === this.data.peek()) return;
    batch(() => {
      this.dataRevision.value++;
      this.storedData.value = text;
      this.setData(text);
      this.isMadeUp.value = true;
    });
  }

  /** Makes up what the data lack. */
  fillIn(): void {
    const { fields, schemaObject, dataValue } = this;
    this.dataRevision.value++;
    this.setData(madeUpText(fields.schema.peek(), schemaObject.peek(), dataValue.peek()));
  }

  imageAdded(file: ImageFile, blob: Blob): void {
    this.images.value = [...this.images.value, { file, blob }];
  }

  imageRemoved(id: string): void {
    this.images.value = this.images.value.filter(({ file }) => file.id !== id);
  }

  /** Updates the versions after one was written or published elsewhere; the edited texts stay. */
  versionsMoved(template: Template): void {
    this.template.value = template;
  }

  /** Lists a stored sample and opens it in the editor. */
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
      this.isMadeUp.value = false;
      this.data.value = text;
      if (this.#dataFault.value === null) this.dataValue.value = JSON.parse(text) as Json;
    });
  }

  /** Replaces the edited schema. */
  setSchema(text: string): void {
    batch(() => {
      if (text !== this.schema.value) this.dataRevision.value++;
      this.schema.value = text;
    });
  }

  /** Returns the schema as `template_data` has it; null for none. @throws Error for a text that is not a JSON object */
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

  /** Renders again without a change. */
  renderAgain(): void {
    this.#ask();
  }

  /** Returns the template as it is in the editor, for rendering. */
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

  /** Renders the template as it is in the editor. @throws PlatenError */
  renderNow(signal?: AbortSignal): Promise<Document> {
    return this.#isAsStored
      ? renderStored(this.id, this.data.peek(), { version: 'latest', signal })
      : renderSent(this.sent(), this.data.peek(), signal);
  }

  /** Returns the report on that document. @throws PlatenError */
  report(signal: AbortSignal): Promise<Report> {
    return this.#isAsStored
      ? reportStored(this.id, this.data.peek(), signal)
      : reportSent(this.sent(), this.data.peek(), signal);
  }

  /** Whether the stored file of an office template is rendered, because no other one was dropped. */
  get #isAsStored(): boolean {
    return !this.isHtml.peek() && this.replacement.peek() === null;
  }

  close(): void {
    this.#stop?.();
    this.#latest.cancel();
    this.fields.close();
  }

  #follow(): void {
    // Reading the state here makes the preview depend on it.
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
        this.problemCode.value = null;
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
        this.problemCode.value = error instanceof PlatenError && error.requestId !== null ? error.code : null;
        this.rendering.value = false;
      });
    }
  }

  /** Returns a fault of the data with its position in them. */
  #placed(fault: Fault): Fault {
    if (fault.pointer === undefined || fault.line !== undefined) return fault;
    return { ...fault, ...placeOfPointer(this.data.peek(), fault.pointer) };
  }
}

function isSameText(one: Texts, other: Texts): boolean {
  return (
    one.template === other.template &&
    one.header === other.header &&
    one.footer === other.footer &&
    styleSteps(other.styles, one.styles).length === 0
  );
}

const NO_FAULTS: readonly Fault[] = [];
