import { effect, signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { PlatenError } from '@platen/client/errors';
import { messageOf } from '../api/problem.ts';
import { getTemplate } from '../api/templates.ts';
import type { EditorRef } from '../editor/code-editor.tsx';
import { DataPane, type DataView } from '../editor/data-pane.tsx';
import { EditorModel } from '../editor/model.ts';
import type { Part } from '../editor/parts.ts';
import { PartsPane, type PartTab } from '../editor/parts-pane.tsx';
import { PreviewPane } from '../editor/preview-pane.tsx';
import { save } from '../editor/save.ts';
import { Shortcuts } from '../editor/shortcuts.tsx';
import { type Pane, PANES } from '../embed/protocol.ts';
import { embedding } from '../state/embedding.ts';
import { notify } from '../state/notices.ts';
import { addressOf, mayLeave } from '../state/router.ts';
import { hasScope } from '../state/session.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy.ts';
import { FaultBox, Loading } from '../ui/empty.tsx';
import { Icon } from '../ui/icon.tsx';
import { beside } from '../ui/split.tsx';

/** The labels of the panes are in text.ts. */
const LABELS = { text: 'edit', data: 'data', preview: 'preview' } as const;

/** Tells the page around an embedded editor that it is ready, and of each version that it writes or publishes. */
function followVersions(model: EditorModel): () => void {
  const { current } = embedding;
  if (current === null) return () => undefined;
  let [latest, published] = [0, 0];
  return effect(() => {
    const { latest_version = 0, published_version = 0 } = model.template.value ?? {};
    if (latest === 0) current.tell('ready', { template: model.id, version: latest_version });
    else {
      if (latest_version !== latest) current.tell('saved', { template: model.id, version: latest_version });
      if (published_version !== published)
        current.tell('published', { template: model.id, version: published_version });
    }
    [latest, published] = [latest_version, published_version];
  });
}

function tellFault(error: unknown): void {
  const code = error instanceof PlatenError ? error.code : 'failed';
  embedding.current?.tell('error', { code, message: messageOf(error) });
}

/** Opens the template with its first sample; leaving the screen asks if there are unsaved changes. */
function useModel(id: string) {
  const model = useMemo(() => new EditorModel(id), [id]);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    const open = async (): Promise<void> => {
      const template = await getTemplate(id, 'latest');
      const [first] = template.samples;
      await model.openSample(first?.name ?? '');
      if (first === undefined) await model.fields.load();
      await model.load(template);
      stop = followVersions(model);
    };
    let stop = (): void => undefined;
    open().catch((error: unknown) => {
      setFault(messageOf(error));
      tellFault(error);
    });
    mayLeave.ask = () => !model.isChanged.value || confirm(text.editor.leave);
    const warn = (event: BeforeUnloadEvent): void => {
      if (model.isChanged.value) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      stop();
      mayLeave.ask = null;
      removeEventListener('beforeunload', warn);
      model.close();
    };
  }, [model]);
  return { model, fault };
}

/** Shows one template: its parts and data on one side, its pages on the other. */
export function Editor({ id }: { id: string }) {
  const { model, fault } = useModel(id);
  const [tab, setTab] = useState<PartTab>('template');
  const panes = embedding.current?.panes ?? PANES;
  const [pane, setPane] = useState<Pane>(panes[0] ?? 'text');
  const [dataView, setDataView] = useState<DataView | null>(null);
  const editor = useMemo<EditorRef>(() => ({ current: null, wanted: signal(null) }), []);
  const dataEditor = useMemo<EditorRef>(() => ({ current: null, wanted: signal(null) }), []);

  if (fault !== null) {
    return (
      <div class="screen">
        <FaultBox message={fault} />
        {embedding.current === null && <a href={addressOf({ screen: 'templates' })}>{text.editor.back}</a>}
      </div>
    );
  }
  if (model.template.value === null) return <Loading label={text.loading} />;

  const showPane = (name: Pane): void => {
    if (panes.includes(name)) setPane(name);
  };

  const goToFault = (part: Part, line: number, column: number): void => {
    const isData = part === 'data' || part === 'schema';
    if (isData) {
      showPane('data');
      setDataView(part === 'schema' ? part : 'json');
    } else {
      showPane('text');
      setTab(part);
    }
    (isData ? dataEditor : editor).wanted.value = (shown) => shown.goTo(line, column);
  };

  /** Inserts a placeholder at the cursor; copies it to the clipboard instead if no text is shown. */
  const insert = (placeholder: string): void => {
    if (!model.isHtml.value || !panes.includes('text')) return void copyText(placeholder);
    showPane('text');
    if (editor.current === null) setTab('template');
    editor.wanted.value = (shown) => shown.insert(placeholder);
  };

  const shown = {
    text: <PartsPane model={model} tab={tab} onTab={setTab} editor={editor} />,
    data: (
      <DataPane
        model={model}
        view={dataView ?? (model.isHtml.value ? 'json' : 'form')}
        onView={setDataView}
        editor={dataEditor}
        onInsert={insert}
      />
    ),
    preview: <PreviewPane model={model} onFault={goToFault} />,
  };
  return (
    <div class="editor" data-pane={pane}>
      <Head model={model} />
      {panes.length > 1 && (
        <div class="pane-switch" role="group" aria-label={text.editor.panes}>
          {panes.map((name) => (
            <button
              key={name}
              type="button"
              class="segment"
              aria-pressed={pane === name}
              onClick={() => setPane(name)}
            >
              {text.editor[LABELS[name]]}
            </button>
          ))}
        </div>
      )}
      {beside({
        label: text.editor.split,
        axis: 'x',
        initial: 52,
        first: beside({
          label: text.editor.splitData,
          axis: 'y',
          initial: 64,
          first: panes.includes('text') && shown.text,
          second: panes.includes('data') && shown.data,
        }),
        second: panes.includes('preview') && shown.preview,
      })}
    </div>
  );
}

function Head({ model }: { model: EditorModel }) {
  const [note, setNote] = useState('');
  const [isHelping, setHelping] = useState(false);
  const template = model.template.value;
  const store = async (publish: boolean): Promise<void> => {
    model.saving.value = true;
    const saved = model.texts.value;
    try {
      const stored = await save(model, publish, note);
      await model.load(stored, saved);
      setNote('');
      const { latest_version } = stored;
      notify('done', publish ? text.editor.published(latest_version) : text.editor.saved(latest_version));
    } catch (error) {
      const conflict = error instanceof PlatenError && error.code === 'version_conflict';
      notify('fault', conflict ? text.editor.conflict : messageOf(error));
      tellFault(error);
    } finally {
      model.saving.value = false;
    }
  };
  const onKey = useRef<(event: KeyboardEvent) => void>(() => undefined);
  onKey.current = (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (model.isChanged.value && !model.saving.value) void store(event.shiftKey);
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey.current(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);

  const canWrite = hasScope('templates:write');
  return (
    <header class="editor-head">
      {embedding.current === null && (
        <a
          class="button quiet square"
          href={addressOf({ screen: 'templates' })}
          aria-label={text.editor.back}
        >
          <Icon name="back" />
        </a>
      )}
      <h1 class="visually-hidden">{model.name.value}</h1>
      <input
        class="name-input"
        aria-label={text.editor.name}
        value={model.name.value}
        maxLength={255}
        onInput={(event) => (model.name.value = event.currentTarget.value)}
      />
      <span class="badge">{template?.format}</span>
      <State model={model} />
      <span class="space" />
      <Button kind="quiet" icon="help" label={text.help.show} onClick={() => setHelping(true)} />
      {isHelping && <Shortcuts onClose={() => setHelping(false)} />}
      {canWrite && (
        <>
          {model.isChanged.value && (
            <input
              class="note-input"
              aria-label={text.editor.note}
              placeholder={text.editor.notePlaceholder}
              maxLength={1000}
              value={note}
              onInput={(event) => setNote(event.currentTarget.value)}
            />
          )}
          <Button
            disabled={!model.isChanged.value}
            busy={model.saving.value}
            onClick={() => void store(false)}
          >
            {text.editor.saveDraft}
          </Button>
          <Button
            kind="primary"
            disabled={!model.isChanged.value && !model.isDraft.value}
            busy={model.saving.value}
            onClick={() => void store(true)}
          >
            {text.editor.publish}
          </Button>
        </>
      )}
    </header>
  );
}

function State({ model }: { model: EditorModel }) {
  const { latest_version = 1 } = model.template.value ?? {};
  const [kind, label] = model.isChanged.value
    ? ['unsaved', text.editor.unsaved]
    : model.isDraft.value
      ? ['draft', text.editor.draft]
      : ['published', text.editor.publishedState];
  return (
    <span class="state">
      <span class={`badge ${kind}`}>{label}</span>
      <span class="version">v{latest_version}</span>
    </span>
  );
}
