import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { deleteSample, saveSample, templateFields } from '../api/templates.ts';
import type { Schema } from '../api/types.ts';
import { notify } from '../state/notices.ts';
import { hasScope } from '../state/session.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { Segments } from '../ui/segments.tsx';
import { CodeEditor, type EditorRef } from './code-editor.tsx';
import { DataTree } from './data-tree.tsx';
import { compareFields } from './fields.ts';
import type { EditorModel } from './model.ts';

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

export const DATA_VIEWS = ['json', 'tree', 'schema'] as const;
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
  return (
    <section class="pane data-pane" aria-label={text.data.title}>
      <div class="pane-bar">
        <h2>{text.data.title}</h2>
        <Samples model={model} />
        <span class="space" />
        <Segments
          label={text.data.view}
          choices={DATA_VIEWS.map((name) => ({ name, label: text.data[name] }))}
          chosen={view}
          onChoose={onView}
        />
      </div>
      {view === 'schema' && <SchemaNotes model={model} />}
      {view === 'tree' ? (
        <div class="scroll">
          <FieldNotes model={model} />
          <p class="hint">{text.data.treeHint(model.isHtml.value)}</p>
          <DataTree value={model.dataValue.value} onInsert={onInsert} />
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

/** Explains schemas and offers an initial one. */
function SchemaNotes({ model }: { model: EditorModel }) {
  const begin = async (): Promise<void> => {
    try {
      model.setSchema(JSON.stringify(await templateFields(model.id), null, 2));
    } catch (error) {
      notify('fault', messageOf(error));
    }
  };
  return (
    <div class="row schema-notes">
      <span class="hint">{text.data.schemaHint}</span>
      {model.schema.value.trim() === '' && (
        <Button kind="quiet" onClick={begin}>
          {text.data.schemaBegin}
        </Button>
      )}
    </div>
  );
}

function Samples({ model }: { model: EditorModel }) {
  const { open, store, remove } = useSamples(model);
  const [naming, setNaming] = useState<string | null>(null);
  const names = model.template.value?.samples.map(({ name }) => name) ?? [];
  const current = model.sample.value;
  return (
    <>
      <select
        aria-label={text.data.sample}
        value={current}
        onChange={({ currentTarget }) => {
          if (!model.isDataChanged.value || confirm(text.data.leave)) void open(currentTarget.value);
          else currentTarget.value = current;
        }}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        <option value="">{text.data.unsaved}</option>
      </select>
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

/** Shows the fields of the stored template that the data lack, and the unused fields of the data. */
export function FieldNotes({ model }: { model: EditorModel }) {
  const [schema, setSchema] = useState<Schema | null>(null);
  const version = model.template.value?.latest_version;
  useEffect(() => {
    let current = true;
    templateFields(model.id).then(
      (fields) => current && setSchema(fields),
      // If the fields cannot be loaded, no hint is shown.
      () => current && setSchema(null),
    );
    return () => {
      current = false;
    };
  }, [model.id, version]);
  if (schema === null) return null;
  const { missing, unused } = compareFields(schema, model.dataValue.value);
  if (missing.length === 0 && unused.length === 0) return <p class="hint">{text.data.complete}</p>;
  return (
    <div class="field-notes">
      <FieldList label={text.data.missing} kind="missing" paths={missing} />
      <FieldList label={text.data.unused} kind="unused" paths={unused} />
    </div>
  );
}

function FieldList({ label, kind, paths }: { label: string; kind: string; paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <p>
      <span class={`badge ${kind}`}>{label}</span>
      {paths.slice(0, LISTED).map((path) => (
        <code key={path}>{path}</code>
      ))}
      {paths.length > LISTED && text.data.more(paths.length - LISTED)}
    </p>
  );
}
