import { useMemo, useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { renderStored } from '../api/render.ts';
import { deleteTemplate, listTemplates, sampleText } from '../api/templates.ts';
import type { Template } from '../api/types.ts';
import { notify } from '../state/notices.ts';
import { addressOf, go } from '../state/router.ts';
import { hasScope } from '../state/session.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { DropArea } from '../ui/drop.tsx';
import { Empty, FaultBox, Loading } from '../ui/empty.tsx';
import { Icon } from '../ui/icon.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { useLoad } from '../ui/use-load.ts';
import { dateOf } from '../ui/when.ts';
import { Gallery } from './gallery.tsx';
import { isTemplateFile, templateOfFile } from './new-template.ts';

export function Templates() {
  const { value: templates, fault, loading, reload } = useLoad(listTemplates);
  const [words, setWords] = useState('');
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Template | null>(null);
  const shown = useMemo(() => matching(templates ?? [], words), [templates, words]);

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

  return (
    <DropArea label={text.templates.drop} onFiles={(files) => void addFiles(files).then(reload)}>
      <div class="screen">
        <header class="screen-head">
          <h1>{text.templates.title}</h1>
          <label class="search">
            <Icon name="search" />
            <input
              type="search"
              placeholder={text.templates.search}
              aria-label={text.templates.search}
              value={words}
              onInput={(event) => setWords(event.currentTarget.value)}
            />
          </label>
          {hasScope('templates:write') && (
            <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
              {text.templates.add}
            </Button>
          )}
        </header>
        {fault !== null && <FaultBox message={fault} />}
        {templates === null && loading && <Loading label={text.loading} />}
        {templates?.length === 0 && (
          <Empty icon="template" title={text.templates.none}>
            <p>{text.templates.noneLead}</p>
            <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
              {text.templates.fromGallery}
            </Button>
          </Empty>
        )}
        {templates !== null && templates.length > 0 && (
          <p class="count-line" role="status">
            {shown.length === 0 ? text.templates.noMatch(words) : text.templates.count(shown.length)}
          </p>
        )}
        <ul class="cards">
          {shown.map((template) => (
            <Card key={template.id} template={template} onDelete={() => setDeleting(template)} />
          ))}
        </ul>
      </div>
      {adding && <Gallery onClose={() => setAdding(false)} />}
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

/** Templates of files; a single one is opened. */
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

function Card({ template, onDelete }: { template: Template; onDelete: () => void }) {
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
      {hasScope('templates:write') && (
        <span class="card-action">
          <Button kind="quiet" icon="trash" label={text.templates.deleteLabel(name)} onClick={onDelete} />
        </span>
      )}
    </li>
  );
}

/** The newest version with its first sample. */
async function picture({ id, samples }: Template): Promise<ArrayBuffer> {
  const [first] = samples;
  const data = first === undefined ? '{}' : await sampleText(id, first.name);
  return (await renderStored(id, data, { version: 'latest' })).blob.arrayBuffer();
}

/** Templates whose name, description or format have all the words. */
function matching(templates: readonly Template[], words: string): Template[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return templates.filter(({ name, description, format }) => {
    const all = `${name} ${description ?? ''} ${format}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
}
