import { useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { fileText, getTemplate, listVersions, publishVersion } from '../api/templates.ts';
import { notify } from '../state/notices.ts';
import { hasScope } from '../state/session.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FaultBox, Loading } from '../ui/empty.tsx';
import { useLoad } from '../ui/use-load.ts';
import { timeOf } from '../ui/when.ts';
import { DiffView } from './diff-view.tsx';
import { History } from './history.tsx';
import type { EditorModel } from './model.ts';
import { VisualDiff } from './visual-diff.tsx';

/** Lists earlier versions, to compare and restore them. */
export function VersionsPane({ model }: { model: EditorModel }) {
  const latest = model.template.value?.latest_version ?? 0;
  const published = model.template.value?.published_version ?? 0;
  const { value: versions, fault } = useLoad(() => listVersions(model.id), `${latest}-${published}`);
  const [isHistory, setIsHistory] = useState(false);
  const [seen, setSeen] = useState<number | null>(null);
  const [compared, setCompared] = useState<{ version: number; text: string } | null>(null);

  const compare = async (version: number): Promise<void> => {
    try {
      const { template_file } = await getTemplate(model.id, String(version));
      setCompared({ version, text: await fileText(template_file.id, version) });
    } catch (error) {
      notify('fault', messageOf(error));
    }
  };
  const publish = async (version: number): Promise<void> => {
    try {
      await publishVersion(model.id, version);
      model.versionsMoved(await getTemplate(model.id, 'latest'));
      notify('done', text.versions.restored(version));
    } catch (error) {
      notify('fault', messageOf(error));
    }
  };

  if (fault !== null) return <FaultBox message={fault} />;
  if (versions === null) return <Loading label={text.loading} />;
  return (
    <div class="scroll">
      <ol class="versions">
        {versions.map(({ version, timestamp, by, note, published: isPublished, changes }) => (
          <li key={version}>
            <span class="version-number">v{version}</span>
            <span class="version-text">
              <span>
                {isPublished && <span class="badge published">{text.versions.published}</span>}
                {version === latest && <span class="badge">{text.versions.latest}</span>}
                <time dateTime={timestamp}>{timeOf(timestamp)}</time>
                {by !== null && <bdi class="hint by">{by}</bdi>}
              </span>
              {note !== null && <span class="version-note">{note}</span>}
              {changes.length > 0 && <span class="hint">{text.versions.changes(changes)}</span>}
            </span>
            <span class="row">
              {model.isHtml.value && (
                <Button kind="quiet" onClick={() => void compare(version)}>
                  {text.versions.compare}
                </Button>
              )}
              <Button kind="quiet" onClick={() => setSeen(version)}>
                {text.versions.comparePages}
              </Button>
              {!isPublished && hasScope('templates:write') && (
                <Button kind="quiet" onClick={() => void publish(version)}>
                  {text.versions.publishThis(version)}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ol>
      <Button kind="quiet" onClick={() => setIsHistory(true)}>
        {text.history.title}
      </Button>
      {isHistory && (
        <Dialog title={text.history.title} onClose={() => setIsHistory(false)}>
          <History id={model.id} />
        </Dialog>
      )}
      {seen !== null && (
        <Dialog title={text.versions.pagesTitle(seen)} onClose={() => setSeen(null)} wide>
          <VisualDiff model={model} version={seen} />
        </Dialog>
      )}
      {compared !== null && (
        <Dialog title={text.versions.diffTitle(compared.version)} onClose={() => setCompared(null)} wide>
          <DiffView before={compared.text} now={model.texts.value.template} />
        </Dialog>
      )}
    </div>
  );
}
