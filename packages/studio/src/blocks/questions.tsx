import type { Command, EditorState } from 'prosemirror-state';
import type { EditorModel } from '../editor/model.ts';
import { storeImages } from '../editor/store-images.ts';
import { blocks as text } from '../text/blocks.ts';
import { text as texts } from '../text.ts';
import { loopName } from '../editor/fields.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DropZone } from '../ui/drop.tsx';
import { Chooser } from './chooser.tsx';
import { wrap } from './commands.ts';
import { pageField } from './kinds.ts';
import { knownFields } from './known-fields.ts';
import { linkAt, setLink } from './links.ts';
import { barcode, image, repeatedTable, SNIPPETS, type SnippetName, totals, WIDE } from './snippets.ts';

/** What is asked for before something is inserted or changed. */
export type Question =
  'add' | 'field' | 'barcode' | 'items' | 'total' | 'image' | 'link' | 'repeat' | 'condition';

interface QuestionsProps {
  question: Question;
  model: EditorModel;
  /** Whether it is a header or footer, which know their pages. */
  isFurniture: boolean;
  state: EditorState;
  /** @param isWide see `neighbourOf` */
  insert: (html: string, isWide?: boolean) => void;
  run: (command: Command) => void;
  ask: (question: Question | null) => void;
}

export function Questions({ question, model, isFurniture, state, insert, run, ask }: QuestionsProps) {
  const { values, lists } = knownFields(model.dataValue.value, state);
  const onClose = (): void => ask(null);
  const fields = values.map(({ path, detail }) => ({ value: path, detail }));
  const listed = lists.map(({ path, detail }) => ({ value: path, detail }));
  const common = { onClose, action: text.insert };
  switch (question) {
    case 'add':
      return <Kinds onClose={onClose} insert={insert} ask={ask} />;
    case 'field': {
      const pages = Object.entries(isFurniture ? text.pageFields : {}).map(([name, shown]) => ({
        value: pageField(name),
        shown,
        detail: '',
      }));
      return (
        <Chooser
          {...common}
          title={text.fieldTitle}
          label={text.fieldLabel}
          options={[...pages, ...fields]}
          formats={{ label: text.format, choices: text.formats }}
          onChoose={(path, format) => insert(path.startsWith('<') ? path : fieldOf(path, format))}
        />
      );
    }
    case 'barcode':
      return (
        <Chooser
          {...common}
          title={text.barcodeTitle}
          label={text.fieldLabel}
          options={fields}
          formats={{ label: text.format, choices: text.barcodes }}
          onChoose={(path, format) => insert(barcode(path, format))}
        />
      );
    case 'items':
      return (
        <Chooser
          {...common}
          title={text.listTitle}
          label={text.listLabel}
          options={listed}
          onChoose={(path) =>
            insert(repeatedTable(path, lists.find((list) => list.path === path)?.fields ?? []), true)
          }
        />
      );
    case 'total': {
      const sums = lists.flatMap(({ path, fields: names }) => names.map((name) => `${path}.${name}`));
      return (
        <Chooser
          {...common}
          title={text.kinds.total}
          label={text.sumLabel}
          options={sums.map((value) => ({ value, detail: '' }))}
          onChoose={(path) => {
            const at = path.lastIndexOf('.');
            insert(totals(path.slice(0, Math.max(0, at)) || path, path.slice(at + 1)), true);
          }}
        />
      );
    }
    case 'repeat':
      return (
        <Chooser
          {...common}
          action={text.apply}
          title={text.listTitle}
          label={text.listLabel}
          options={listed}
          onChoose={(path) =>
            run(wrap(`{% for ${loopName(path.split('.').at(-1) ?? path)} in ${path} %}`, '{% endfor %}'))
          }
        />
      );
    case 'condition':
      return (
        <Chooser
          {...common}
          action={text.apply}
          title={text.conditionTitle}
          label={text.fieldLabel}
          options={[...fields, ...listed]}
          onChoose={(path) => run(wrap(`{% if ${path} %}`, '{% endif %}'))}
        />
      );
    case 'link':
      return (
        <Chooser
          {...common}
          action={text.apply}
          title={text.linkTitle}
          label="https://…"
          initial={linkAt(state) ?? 'https://'}
          options={[]}
          onChoose={(href) => run(setLink(href))}
        />
      );
    case 'image':
      return <Images model={model} onClose={onClose} insert={insert} />;
  }
}

function fieldOf(path: string, format: string): string {
  return format === '' ? `{{ ${path} }}` : `{{ ${path} | ${format} }}`;
}

/** Kinds about which something is to be asked first. */
const ASKED = ['items', 'total', 'image', 'barcode'] as const;

function Kinds({ onClose, insert, ask }: Pick<QuestionsProps, 'insert' | 'ask'> & { onClose: () => void }) {
  const kinds = Object.entries(text.kinds) as [SnippetName | (typeof ASKED)[number], string][];
  return (
    <Dialog title={text.addTitle} onClose={onClose}>
      <ul class="kinds">
        {kinds.map(([kind, label]) => (
          <li key={kind}>
            <button
              type="button"
              class="button plain"
              onClick={() => {
                const asked = ASKED.find((name) => name === kind);
                ask(asked ?? null);
                if (asked === undefined) insert(SNIPPETS[kind as SnippetName], WIDE.has(kind));
              }}
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Images({
  model,
  onClose,
  insert,
}: Pick<QuestionsProps, 'model' | 'insert'> & { onClose: () => void }) {
  const use = (uri: string): void => {
    onClose();
    insert(image(uri));
  };
  return (
    <Dialog title={text.imageTitle} onClose={onClose}>
      <ul class="kinds">
        {model.images.value.map(({ file }) => (
          <li key={file.id}>
            <button type="button" class="button plain" onClick={() => use(file.uri)}>
              {file.uri}
            </button>
          </li>
        ))}
      </ul>
      <DropZone
        label={texts.images.drop}
        hint={texts.images.hint}
        small
        onFiles={(files) => void storeImages(model, files).then(([uri]) => uri !== undefined && use(uri))}
      />
    </Dialog>
  );
}
