import { batch, computed, effect, signal } from '@preact/signals';
import { type ChangedParts, fieldsAfter, templateFields } from '../api/templates.ts';
import type { Schema } from '../api/types.ts';
import { Latest } from '../preview/latest.ts';
import { compareFields } from './fields.ts';
import type { EditorModel } from './model.ts';
import { changeOf } from './save.ts';
import { type KnownNames, nearestKnown, type UnknownName, unknownNames } from './unknown-names.ts';

/** Milliseconds without a change before the fields are requested. */
const PAUSE_MS = 300;

/** The fields that the template on the screen uses, with its header, footer and partials, beside the data. */
export class TemplateFields {
  /** Null while they are not known, because a text has an error. */
  readonly schema = signal<Schema | null>(null);
  /** Whether they are those of the texts on the screen, and not of earlier ones. */
  readonly isCurrent = signal(false);
  readonly comparison = computed(() => {
    const { schema } = this;
    const { dataValue, schemaObject } = this.#model;
    return schema.value && compareFields(schema.value, dataValue.value, schemaObject.value);
  });
  /** The missing fields, each with the nearest known name if it was probably meant. */
  readonly missing = computed(() => {
    const { missing, unknown } = this.comparison.value ?? { missing: [], unknown: new Set<string>() };
    return missing.map((path) => {
      const names = path.replaceAll('[]', '').split('.');
      const wrong = names.findIndex((_, last) => unknown.has(names.slice(0, last + 1).join('.')));
      return { path, near: wrong < 0 ? null : nearestKnown(names.slice(0, wrong + 1), this.#known.value) };
    });
  });
  readonly #known = computed((): KnownNames => {
    const { dataValue, schemaObject, images } = this.#model;
    const uris = images.value.map(({ file }) => file.uri);
    return { data: dataValue.value, declared: schemaObject.value, images: uris };
  });
  readonly #model: EditorModel;
  readonly #latest = new Latest(PAUSE_MS, PAUSE_MS);
  readonly #unknown: Record<TextPart, { readonly value: readonly UnknownName[] }>;
  /** The change whose fields are to be requested. */
  readonly #wanted = signal<ChangedParts | null>(null);
  #stops: readonly (() => void)[] = [];

  constructor(model: EditorModel) {
    this.#model = model;
    const unknownOf = (part: TextPart) =>
      computed(() => {
        const unknown = this.comparison.value?.unknown;
        if (unknown === undefined || unknown.size === 0) return NONE;
        return unknownNames(model.texts.value[part], unknown, this.#known.value);
      });
    this.#unknown = {
      template: unknownOf('template'),
      header: unknownOf('header'),
      footer: unknownOf('footer'),
    };
  }

  /** Returns the places of unknown names in a text. */
  unknownIn(part: TextPart): readonly UnknownName[] {
    return this.#unknown[part].value;
  }

  /** Requests the fields of the stored template, for data before the first preview. */
  async load(): Promise<void> {
    this.schema.value = await templateFields(this.#model.id).catch(() => null);
    this.#model.makeUp();
  }

  /** Requests the fields after each change of the template, when its preview is done: the preview comes first. */
  follow(): void {
    if (this.#stops.length > 0) return;
    const { id, images, rendering } = this.#model;
    const noteChange = effect(() => {
      void images.value;
      this.#wanted.value = changeOf(this.#model);
      this.isCurrent.value = false;
    });
    const request = effect(() => {
      const change = this.#wanted.value;
      if (change === null || rendering.value) return this.#latest.cancel();
      this.#latest.ask(async (signal) => {
        const schema = await fieldsAfter(id, change, signal).catch(() => null);
        if (signal.aborted) return;
        batch(() => {
          this.schema.value = schema;
          this.isCurrent.value = true;
          this.#wanted.value = null;
          this.#model.makeUp();
        });
      });
    });
    this.#stops = [noteChange, request];
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#latest.cancel();
  }
}

type TextPart = 'template' | 'header' | 'footer';

const NONE: readonly UnknownName[] = [];
