import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { renderStored } from '../api/render.ts';
import {
  deleteTemplate,
  exportTemplates,
  listTemplates,
  sampleText,
  templateFields,
} from '../api/templates.ts';
import type { Template } from '../api/types.ts';
import { notify } from '../state/notices.ts';
import { addressOf, go } from '../state/router.ts';
import { hasScope } from '../state/session.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { download } from '../ui/download.ts';
import { DropArea } from '../ui/drop.tsx';
import { Empty, FaultBox, Loading } from '../ui/empty.tsx';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { useAttempt } from '../ui/use-attempt.ts';
import { useLoad } from '../ui/use-load.ts';
import { dateOf } from '../ui/when.ts';
import { Gallery } from './gallery.tsx';
import { copyOfTemplate, isTemplateFile, templateOfFile } from './new-template.ts';
import { matching, tagsOf } from './template-search.ts';

const DeletedDialog = lazy(async () => (await import('./deleted.tsx')).DeletedDialog);
const ImportDialog = lazy(async () => (await import('./import.tsx')).ImportDialog);

export function Templates() {
  const { value: templates, fault, loading, reload } = useLoad(listTemplates);
  const [words, setWords] = useState('');
  const [adding, setAdding] = useState(false);
  const [isDeletedOpen, setIsDeletedOpen] = useState(false);
  const [deleting, setDeleting] = useState<Template | null>(null);
  /** `given` is the dropped ZIP to import; null if the user must choose one. Without an import, all of it is null. */
  const [importing, setImporting] = useState<{ given: File | null } | null>(null);
  const tags = useMemo(() => tagsOf(templates ?? []), [templates]);
  const [pressed, setPressed] = useState<readonly string[]>([]);
  // A tag that no template has any more cannot be selected.
  const chosen = pressed.filter((tag) => tags.includes(tag));
  const shown = useMemo(() => matching(templates ?? [], words, chosen), [templates, words, chosen.join()]);
  const press = (tag: string): void =>
    setPressed(chosen.includes(tag) ? chosen.filter((other) => other !== tag) : [...chosen, tag]);

  const remove = async ({ id, name }: Template): Promise<void> => {
    setDeleting(null);
    try {
      await deleteTemplate(id);
      notify('done', text.templates.deleted(name));
    } catch (error) {
      notify('fault', messageOf(error));
    }
    reload();
  };

  const copy = async (template: Template): Promise<void> => {
    try {
      await copyOfTemplate(template);
      notify('done', text.templates.copied(template.name));
    } catch (error) {
      notify('fault', messageOf(error));
    }
    reload();
  };

  const dropped = (files: readonly File[]): void => {
    const zip = files.find(({ name }) => /\.zip$/i.test(name));
    if (zip === undefined) void addFiles(files).then(reload);
    else setImporting({ given: zip });
  };

  return (
    <DropArea label={text.templates.drop} onFiles={dropped}>
      <div class="screen">
        <Head
          words={words}
          onWords={setWords}
          onAdd={() => setAdding(true)}
          onImport={() => setImporting({ given: null })}
        >
          {templates !== null && <Export shown={shown} all={templates} />}
        </Head>
        {fault !== null && <FaultBox message={fault} />}
        {templates === null && loading && <Loading label={text.loading} />}
        {templates?.length === 0 && <NoneYet onAdd={() => setAdding(true)} />}
        {templates !== null && templates.length > 0 && (
          <p class="count-line" role="status">
            {countLine(shown.length, [words, ...chosen])}
          </p>
        )}
        {tags.length > 0 && (
          <div class="tags" role="group" aria-label={text.templates.tags}>
            <Tags tags={tags} chosen={chosen} onPress={press} />
          </div>
        )}
        <ul class="cards">
          {shown.map((template) => (
            <Card
              key={template.id}
              template={template}
              onCopy={() => copy(template)}
              onDelete={() => setDeleting(template)}
            >
              <Tags tags={template.tags} chosen={chosen} onPress={press} />
            </Card>
          ))}
        </ul>
        <p>
          <Button kind="quiet" icon="trash" onClick={() => setIsDeletedOpen(true)}>
            {text.deleted.title}
          </Button>
        </p>
      </div>
      {isDeletedOpen && <DeletedDialog onChange={reload} onClose={() => setIsDeletedOpen(false)} />}
      {adding && <Gallery onClose={() => setAdding(false)} />}
      {importing !== null && (
        <ImportDialog given={importing.given} onDone={reload} onClose={() => setImporting(null)} />
      )}
      {deleting !== null && (
        <Confirm
          title={text.templates.deleteTitle}
          question={text.templates.deleteQuestion(deleting.name)}
          action={text.delete}
          onDo={() => void remove(deleting)}
          onClose={() => setDeleting(null)}
        />
      )}
    </DropArea>
  );
}

function countLine(count: number, words: readonly string[]): string {
  return count === 0 ? text.templates.noMatch(words.join(' ').trim()) : text.templates.count(count);
}

function NoneYet({ onAdd }: Pick<HeadProps, 'onAdd'>) {
  return (
    <Empty icon="template" title={text.templates.none}>
      <p>{text.templates.noneLead}</p>
      <Button kind="primary" icon="plus" onClick={onAdd}>
        {text.templates.fromGallery}
      </Button>
    </Empty>
  );
}

/** Shows the search, and the ways to create a template. */
function Head({ words, onWords, onAdd, onImport, children }: HeadProps) {
  return (
    <header class="screen-head">
      <h1>{text.templates.title}</h1>
      <label class="search">
        <Icon name="search" />
        <input
          type="search"
          placeholder={text.templates.search}
          aria-label={text.templates.search}
          value={words}
          onInput={(event) => onWords(event.currentTarget.value)}
        />
      </label>
      {children}
      {hasScope('templates:write') && (
        <>
          <Button icon="upload" onClick={onImport}>
            {text.import.title}
          </Button>
          <Button kind="primary" icon="plus" onClick={onAdd}>
            {text.templates.add}
          </Button>
        </>
      )}
    </header>
  );
}

interface HeadProps {
  words: string;
  onWords: (words: string) => void;
  onAdd: () => void;
  onImport: () => void;
  children: ComponentChildren;
}

/** Creates templates from files; opens a single one. */
async function addFiles(files: readonly File[]): Promise<void> {
  for (const file of files) {
    if (!isTemplateFile(file.name)) {
      notify('fault', text.templates.wrongFormat(file.name));
      continue;
    }
    try {
      const { id } = await templateOfFile(file);
      if (files.length === 1) go({ screen: 'template', id });
    } catch (error) {
      notify('fault', `${file.name}: ${messageOf(error)}`);
    }
  }
}

/** Exports the visible templates as a ZIP; if all are visible, with the resources that templates share. */
function Export({ shown, all }: { shown: readonly Template[]; all: readonly Template[] }) {
  const { busy, attempt } = useAttempt((error) => notify('fault', messageOf(error)));
  const some = shown.length < all.length ? shown.map(({ id }) => id) : null;
  const save = (): Promise<boolean> =>
    attempt(async () => {
      const zip = await exportTemplates(some);
      download(zip, zip.name);
    });
  return (
    <Button icon="download" busy={busy} disabled={shown.length === 0} onClick={save}>
      {text.templates.export(some?.length ?? null)}
    </Button>
  );
}

interface TagsProps {
  tags: readonly string[];
  chosen: readonly string[];
  onPress: (tag: string) => void;
}

/** Shows tags as buttons; the pressed ones are those that all visible templates have. */
function Tags({ tags, chosen, onPress }: TagsProps) {
  return (
    <>
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          class="badge tag"
          aria-pressed={chosen.includes(tag)}
          onClick={() => onPress(tag)}
        >
          {tag}
        </button>
      ))}
    </>
  );
}

interface CardProps {
  template: Template;
  onCopy: () => unknown;
  onDelete: () => void;
  /** Shows the tags of a template. */
  children: ComponentChildren;
}

function Card({ template, onCopy, onDelete, children }: CardProps) {
  const { id, name, format, published_version, latest_version, timestamp } = template;
  return (
    <li class="card template-card">
      <a class="card-link" href={addressOf({ screen: 'template', id })}>
        <Thumbnail identity={`${id}-${latest_version}`} load={() => picture(template)} />
        <span class="card-title">{name}</span>
        <span class="card-text">
          <span class="badge">{format}</span>
          {text.templates.version(published_version)}
          {latest_version > published_version && <span class="badge draft">{text.templates.draft}</span>}
          <time dateTime={timestamp}>{dateOf(timestamp)}</time>
        </span>
      </a>
      {template.tags.length > 0 && <span class="tags">{children}</span>}
      {hasScope('templates:write') && (
        <span class="card-action">
          <Button kind="quiet" icon="copy" label={text.templates.copyLabel(name)} onClick={onCopy} />
          <Button kind="quiet" icon="trash" label={text.templates.deleteLabel(name)} onClick={onDelete} />
        </span>
      )}
    </li>
  );
}

/** Shows the newest version with its first sample, or with made-up data. */
async function picture({ id, samples, data_schema: declared }: Template): Promise<ArrayBuffer> {
  const [first] = samples;
  const madeUp = async (): Promise<string> =>
    (await import('../editor/made-up.ts')).madeUpText(await templateFields(id), declared);
  const data = first === undefined ? await madeUp() : await sampleText(id, first.name);
  return (await renderStored(id, data, { version: 'latest' })).blob.arrayBuffer();
}
