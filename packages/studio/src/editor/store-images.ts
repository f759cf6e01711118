import { messageOf } from '../api/problem.ts';
import { addImage, getTemplate } from '../api/templates.ts';
import { notify } from '../state/notices.ts';
import { text } from '../text.ts';
import { variableName } from './image-name.ts';
import type { EditorModel } from './model.ts';

/** Stores images of a template at once, as a draft. @returns their variables; what fails is told */
export async function storeImages(model: EditorModel, files: readonly File[]): Promise<string[]> {
  const added: string[] = [];
  try {
    for (const file of files) {
      const uri = variableName(
        file.name,
        model.images.value.map((image) => image.file.uri),
      );
      const stored = await addImage(model.id, file, uri, false);
      model.imageAdded(stored, file);
      added.push(stored.uri);
      notify('done', text.images.added(stored.uri));
    }
  } catch (error) {
    notify('fault', messageOf(error));
  }
  await refreshVersions(model);
  return added;
}

/** Adding and deleting files writes versions, so the next change needs the newest one. */
export async function refreshVersions(model: EditorModel): Promise<void> {
  try {
    model.versionsMoved(await getTemplate(model.id, 'latest'));
  } catch (error) {
    notify('fault', messageOf(error));
  }
}
