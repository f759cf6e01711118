import { useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { deleteTemplate, listDeleted, restoreTemplate } from '../api/templates.ts';
import type { DeletedTemplate } from '../api/types.ts';
import { notify } from '../state/notices.ts';
import { hasScope } from '../state/session.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { FaultBox, Loading } from '../ui/empty.tsx';
import { useAttempt } from '../ui/use-attempt.ts';
import { useLoad } from '../ui/use-load.ts';
import { dateOf, timeOf } from '../ui/when.ts';

const words = text.deleted;

/** Lists deleted templates, to restore or remove them. @param onChange is called when the templates have changed */
export function DeletedDialog({ onChange, onClose }: { onChange: () => void; onClose: () => void }) {
  const { value: templates, fault, reload } = useLoad(listDeleted);
  const { busy, attempt } = useAttempt((error) => notify('fault', messageOf(error)));
  const [removing, setRemoving] = useState<DeletedTemplate | null>(null);
  const restore = ({ id, name }: DeletedTemplate): void =>
    void attempt(async () => {
      await restoreTemplate(id);
      notify('done', words.restored(name));
      onChange();
    }).then(reload);
  const remove = ({ id, name }: DeletedTemplate): void => {
    setRemoving(null);
    void attempt(async () => {
      await deleteTemplate(id, true);
      notify('done', words.removed(name));
    }).then(reload);
  };
  return (
    <Dialog title={words.title} onClose={onClose} wide>
      {fault !== null && <FaultBox message={fault} />}
      {templates === null && fault === null && <Loading label={text.loading} />}
      {templates?.length === 0 && <p>{words.none}</p>}
      <ul class="job-list">
        {templates?.map((template) => (
          <li key={template.id} class="card job">
            <span class="row job-head">
              <strong>{template.name}</strong>
              <span class="hint">
                <time dateTime={template.deleted}>{timeOf(template.deleted)}</time>
                {template.by !== null && <bdi class="by">{template.by}</bdi>}
              </span>
              <span class="space" />
              {hasScope('templates:write') && (
                <>
                  <Button disabled={busy} onClick={() => restore(template)}>
                    {words.restore(template.name)}
                  </Button>
                  <Button
                    kind="quiet"
                    icon="trash"
                    label={words.removeLabel(template.name)}
                    disabled={busy}
                    onClick={() => setRemoving(template)}
                  />
                </>
              )}
            </span>
            <span class="hint">{words.until(dateOf(template.expires))}</span>
          </li>
        ))}
      </ul>
      {removing !== null && (
        <Confirm
          title={words.removeTitle}
          question={words.removeQuestion(removing.name)}
          action={words.remove}
          onDo={() => remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
    </Dialog>
  );
}
