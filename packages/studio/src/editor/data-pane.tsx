import { useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { deleteSample, saveSample } from '../api/templates.ts';
import type { Json } from '../api/types.ts';
import { notify } from '../state/notices.ts';
import { hasScope } from '../state/session.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Segments } from '../ui/segments.tsx';
import { CodeEditor, type EditorRef } from './code-editor.tsx';
import { DataForm } from './data-form.tsx';
import { merged } from './made-up.ts';
import type { EditorModel } from './model.ts';
import { SchemaForm } from './schema-form.tsx';

/** Most fields in the list; a template with more is probably wrong. */
const LISTED = 12;

/** The stored samples and their actions; errors appear as notices. */
function useSamples(model: EditorModel) {
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      notify('fault', messageOf(error));
      return false;
    }
  };
  return {
    open: (name: string) => attempt(() => model.openSample(name)),
    store: (name: string) =>
      attempt(async () => {
        await saveSample(model.id, name, model.data.value);
        model.sampleStored(name, model.data.value);
        notify('done', text.data.saved(name));
      }),
    remove: () =>
      attempt(async () => {
        await deleteSample(model.id, model.sample.value);
        model.sampleDeleted(model.sample.value);
        await model.openSample(model.template.value?.samples[0]?.name ?? '');
      }),
  };
}

const DATA_VIEWS = ['form', 'json', 'schema'] as const;
export type DataView = (typeof DATA_VIEWS)[number];

interface DataPaneProps {
  model: EditorModel;
  view: DataView;
  onView: (view: DataView) => void;
  /** The error in the visible text. */
  editor: EditorRef;
  onInsert: (text: string) => void;
}

/**
 * The data that the preview uses: by name, as JSON or as a tree that fields are inserted from; and the schema that all
 * data must match.
 */
export function DataPane({ model, view, onView, editor, onInsert }: DataPaneProps) {
  const part = view === 'schema' ? view : 'data';
  const [asForm, setAsForm] = useState(false);
  // A schema with a fault is shown as text, where its line is marked.
  const isSchemaForm = view === 'schema' && asForm && model.faultsOf('schema').length === 0;
  return (
    <section class="pane data-pane" aria-label={text.data.title}>
      <div class="pane-bar">
        <h2>{text.data.title}</h2>
        {model.isMadeUp.value && (
          <span class="badge draft" title={text.data.madeUpHint}>
            {text.data.madeUp}
          </span>
        )}
        <Samples model={model} />
        <span class="space" />
        <Segments
          label={text.data.view}
          choices={DATA_VIEWS.map((name) => ({ name, label: text.data[name] }))}
          chosen={view}
          onChoose={onView}
        />
      </div>
      {view === 'schema' && <SchemaNotes model={model} asForm={isSchemaForm} onForm={setAsForm} />}
      {view === 'form' ? (
        <div class="scroll">
          <FieldNotes model={model} />
          <p class="hint">{text.data.formHint(model.isHtml.value)}</p>
          <DataForm
            key={model.sample.value}
            schema={merged(model.fields.schema.value ?? {}, model.schemaObject.value ?? {})}
            value={model.dataValue.value}
            onChange={(value: Json) => model.setData(JSON.stringify(value, null, 2))}
            onInsert={onInsert}
          />
        </div>
      ) : isSchemaForm ? (
        <div class="scroll">
          <SchemaForm
            schema={model.schemaObject.value ?? {}}
            onChange={(schema) => model.setSchema(JSON.stringify(schema, null, 2))}
          />
        </div>
      ) : (
        <CodeEditor
          identity={`${model.id}-${view}-${model.dataRevision.value}`}
          label={view === 'schema' ? text.data.schemaLabel : text.data.title}
          value={model[part].value}
          language="json"
          faults={model.faultsOf(part)}
          handle={editor}
          onChange={(value) => {
            if (view === 'schema') model.schema.value = value;
            else model.setData(value);
          }}
        />
      )}
    </section>
  );
}

interface SchemaNotesProps {
  model: EditorModel;
  asForm: boolean;
  onForm: (asForm: boolean) => void;
}

/** Explains schemas and offers an initial one, and a form. */
function SchemaNotes({ model, asForm, onForm }: SchemaNotesProps) {
  return (
    <div class="row schema-notes">
      <span class="hint">{text.data.schemaHint}</span>
      {model.schema.value.trim() === '' && model.fields.schema.value !== null && (
        <Button
          kind="quiet"
          onClick={() => model.setSchema(JSON.stringify(model.fields.schema.value, null, 2))}
        >
          {text.data.schemaBegin}
        </Button>
      )}
      <Button kind="quiet" pressed={asForm} onClick={() => onForm(!asForm)}>
        {text.schema.asForm}
      </Button>
    </div>
  );
}

function Samples({ model }: { model: EditorModel }) {
  const { open, store, remove } = useSamples(model);
  const [naming, setNaming] = useState<string | null>(null);
  const [wanted, setWanted] = useState<string | null>(null);
  const names = model.template.value?.samples.map(({ name }) => name) ?? [];
  const current = model.sample.value;
  return (
    <>
      <select
        aria-label={text.data.sample}
        value={current}
        onChange={({ currentTarget }) => {
          if (!model.isDataChanged.value) return void open(currentTarget.value);
          setWanted(currentTarget.value);
          currentTarget.value = current;
        }}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        <option value="">{text.data.unsaved}</option>
      </select>
      {wanted !== null && (
        <Confirm
          title={text.data.leaveTitle}
          question={text.data.leave}
          action={text.data.leaveAction}
          onDo={() => {
            setWanted(null);
            void open(wanted);
          }}
          onClose={() => setWanted(null)}
        />
      )}
      {hasScope('templates:write') && naming === null && (
        <>
          {(model.isDataChanged.value || current === '') && (
            <Button
              kind="quiet"
              onClick={() => (current === '' ? setNaming('example') : void store(current))}
            >
              {text.data.save}
            </Button>
          )}
          {current !== '' && (
            <Button kind="quiet" icon="trash" label={text.data.deleteLabel} onClick={() => void remove()} />
          )}
        </>
      )}
      {naming !== null && (
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            void store(naming).then((isStored) => isStored && setNaming(null));
          }}
        >
          <input
            aria-label={text.data.saveAs}
            value={naming}
            maxLength={100}
            onInput={(event) => setNaming(event.currentTarget.value)}
          />
          <Button type="submit" disabled={naming.trim() === ''}>
            {text.data.save}
          </Button>
        </form>
      )}
    </>
  );
}

/** Shows the fields of the template on the screen that the data lack, and the fields of the data without a use. */
export function FieldNotes({ model }: { model: EditorModel }) {
  const { comparison, isCurrent } = model.fields;
  if (comparison.value === null) return null;
  const { unused } = comparison.value;
  const missing = model.fields.missing.value;
  if (missing.length > 0 || unused.length > 0)
    return (
      <div class="field-notes">
        <FieldList label={text.data.missing} kind="missing" fields={missing} />
        <FieldList
          label={text.data.unused}
          kind="unused"
          fields={unused.map((path) => ({ path, near: null }))}
        />
        {missing.length > 0 && <Button onClick={() => model.fillIn()}>{text.data.fillIn}</Button>}
      </div>
    );
  return isCurrent.value ? <p class="hint">{text.data.complete}</p> : null;
}

interface FieldListProps {
  label: string;
  kind: string;
  fields: readonly { path: string; near: string | null }[];
}

function FieldList({ label, kind, fields }: FieldListProps) {
  if (fields.length === 0) return null;
  return (
    <p>
      <span class={`badge ${kind}`}>{label}</span>
      {fields.slice(0, LISTED).map(({ path, near }) => (
        <span key={path}>
          <code>{path}</code>
          {near !== null && ` ${text.data.meant(near)}`}
        </span>
      ))}
      {fields.length > LISTED && text.data.more(fields.length - LISTED)}
    </p>
  );
}
