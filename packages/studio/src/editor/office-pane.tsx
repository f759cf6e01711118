import { messageOf } from '../api/problem.ts';
import { endingOf, fileBlob } from '../api/templates.ts';
import { notify } from '../state/notices.ts';
import { hasScope } from '../state/session.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { download } from '../ui/download.ts';
import { DropZone } from '../ui/drop.tsx';
import { FieldNotes } from './data-pane.tsx';
import type { EditorModel } from './model.ts';

/** Shows the file of an office template, to be downloaded, edited in another program, and dropped here again. */
export function OfficePane({ model }: { model: EditorModel }) {
  const template = model.template.value;
  if (template === null) return null;
  const { format, template_file, latest_version } = template;
  const save = async (): Promise<void> => {
    try {
      download(await fileBlob(template_file.id, latest_version), `${template.name}.${format}`);
    } catch (error) {
      notify('fault', messageOf(error));
    }
  };
  return (
    <div class="scroll office-pane">
      <p>{text.office.lead}</p>
      <Button icon="download" onClick={save}>
        {text.office.download}
      </Button>
      {hasScope('templates:write') && (
        <DropZone
          label={text.office.drop}
          hint={format}
          accept={`.${format}`}
          onFiles={([file]) => {
            if (file === undefined) return;
            if (endingOf(file.name) !== format) return notify('fault', text.office.wrong(format));
            model.replacement.value = file;
            notify('done', text.office.replaced(file.name));
          }}
        />
      )}
      <h2>{text.office.fields}</h2>
      <FieldNotes model={model} />
    </div>
  );
}
