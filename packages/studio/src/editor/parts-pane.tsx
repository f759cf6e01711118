import type { ComponentChildren } from 'preact';
import { text } from '../text.ts';
import { Segments } from '../ui/segments.tsx';
import { lazy } from '../ui/lazy.tsx';
import { TabPanel, type Tab, Tabs } from '../ui/tabs.tsx';
import { embedding } from '../state/embedding.ts';
import { view } from '../state/view.ts';
import { AsCode } from './as-code-pane.tsx';
import { CodeEditor, type EditorRef } from './code-editor.tsx';
import { ImagesPane } from './images-pane.tsx';
import type { Language, Surroundings } from './languages.ts';
import type { EditorModel } from './model.ts';
import { OfficePane } from './office-pane.tsx';
import { jsonFault } from './parts.ts';
import { OptionsPane } from './options-pane.tsx';
import { StylesPane } from './styles-pane.tsx';
import { styleSteps } from './styles.ts';
import { VersionsPane } from './versions-pane.tsx';

const BlocksPane = lazy(async () => (await import('../blocks/blocks-pane.tsx')).BlocksPane);

export type PartTab =
  'template' | 'header' | 'footer' | 'styles' | 'images' | 'options' | 'versions' | 'code';

interface PartsPaneProps {
  model: EditorModel;
  tab: PartTab;
  onTab: (tab: PartTab) => void;
  editor: EditorRef;
}

interface TextPaneProps {
  model: EditorModel;
  tab: 'template' | 'header' | 'footer';
  editor: EditorRef;
}

/** Shows the parts of a template, with a tab for each. */
export function PartsPane({ model, tab, onTab, editor }: PartsPaneProps) {
  const texts = model.texts.value;
  const stored = model.stored.value;
  const isHtml = model.isHtml.value;
  const tabs: Tab<PartTab>[] = [
    faulty(model, 'template', isHtml ? text.editor.template : text.editor.office, [
      texts.template !== stored.template || model.replacement.value !== null,
    ]),
    ...(isHtml
      ? [
          faulty(model, 'header', text.editor.header, [texts.header !== stored.header]),
          faulty(model, 'footer', text.editor.footer, [texts.footer !== stored.footer]),
          faulty(model, 'styles', text.editor.styles, [styleSteps(stored.styles, texts.styles).length > 0]),
        ]
      : []),
    { name: 'images', label: text.editor.images, count: model.images.value.length },
    { name: 'options', label: text.editor.options },
    { name: 'versions', label: text.editor.versions },
    ...(embedding.current === null ? [{ name: 'code' as const, label: text.editor.code }] : []),
  ];
  return (
    <section class="pane parts-pane" aria-label={text.editor.files}>
      <Tabs id="parts" label={text.editor.files} tabs={tabs} selected={tab} onSelect={onTab} />
      <TabPanel id="parts" selected={tab}>
        {content(model, tab, editor)}
      </TabPanel>
    </section>
  );
}

function faulty(
  model: EditorModel,
  name: 'template' | 'header' | 'footer' | 'styles',
  label: string,
  [changed]: [boolean],
): Tab<PartTab> {
  return { name, label, changed, count: model.faultsOf(name).length, fault: true };
}

function content(model: EditorModel, tab: PartTab, editor: EditorRef): ComponentChildren {
  switch (tab) {
    case 'images':
      return <ImagesPane model={model} />;
    case 'options':
      return <OptionsPane model={model} />;
    case 'versions':
      return <VersionsPane model={model} />;
    case 'code':
      return <AsCode model={model} />;
    case 'styles':
      return <StylesPane model={model} editor={editor} />;
    case 'template':
    case 'header':
    case 'footer':
      return model.isHtml.value ? (
        <TextPane model={model} tab={tab} editor={editor} />
      ) : (
        <OfficePane model={model} />
      );
  }
}

/** Edits html as code or, if it is Jinja2, in blocks. */
function TextPane({ model, tab, editor }: TextPaneProps) {
  const engine = model.engine.value as Language;
  // Headers and footers by page are JSON.
  const isJson = tab !== 'template' && jsonFault(model.texts.value[tab]) === null;
  const hasBlocks = (engine === 'jinja2' || engine === 'flask') && !isJson;
  const shown = hasBlocks ? view.value : 'code';
  return (
    <div class={`text-pane in-${shown}`}>
      {hasBlocks && (
        <Segments
          label={text.blocks.view}
          choices={(['code', 'blocks'] as const).map((name) => ({ name, label: text.blocks.views[name] }))}
          chosen={shown}
          onChoose={(name) => (view.value = name)}
        />
      )}
      {shown === 'blocks' ? (
        <BlocksPane key={tab} model={model} part={tab} editor={editor} />
      ) : (
        <CodeEditor
          identity={`${model.id}-${tab}`}
          label={text.editor[tab]}
          value={model.texts.value[tab]}
          language={engine}
          surroundings={surroundingsOf(model)}
          faults={model.faultsOf(tab)}
          unknown={model.fields.unknownIn(tab)}
          handle={editor}
          onChange={(value) => model.change({ [tab]: value })}
        />
      )}
    </div>
  );
}

export function surroundingsOf(model: EditorModel): Surroundings {
  return {
    data: () => model.dataValue.peek(),
    images: () => model.images.peek().map(({ file }) => file.uri),
  };
}
