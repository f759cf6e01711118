import {
  addStyle,
  type ChangedParts,
  changeTemplate,
  deleteStyle,
  getTemplate,
  publishVersion,
} from '../api/templates.ts';
import type { Template } from '../api/types.ts';
import type { EditorModel } from './model.ts';
import { changedOptions, optionsOf } from './options.ts';
import { styleSteps } from './styles.ts';

/**
 * Writes the changes as the next version: the template first, on the condition that no other version was
 * written meanwhile, then the stylesheets; the last step publishes.
 *
 * @returns the template as it is stored now
 * @throws PlatenError `version_conflict` if another version was written meanwhile
 */
export async function save(model: EditorModel, publish: boolean, note: string): Promise<Template> {
  const template = model.template.value;
  if (template === null) throw new Error('no template is open');
  if (!model.isChanged.value) {
    if (publish && model.isDraft.value) await publishVersion(model.id, template.latest_version);
    return getTemplate(model.id, 'latest');
  }
  const steps = styleSteps(model.stored.value.styles, model.texts.value.styles);
  const schema = model.schema.value === model.storedSchema.value ? undefined : model.schemaValue();
  const change = changeOf(model);
  const removed = schema === null ? { remove: [...change.data.remove, 'data_schema'] } : {};
  await changeTemplate(model.id, {
    ...change,
    data: {
      ...change.data,
      ...(model.name.value === template.name ? {} : { name: model.name.value }),
      ...(schema == null ? {} : { data_schema: schema }),
      ...(note === '' ? {} : { note }),
      ...removed,
    },
    publish: publish && steps.length === 0,
    readVersion: template.latest_version,
  });
  for (const [index, step] of steps.entries()) {
    const last = publish && index === steps.length - 1;
    if (step.do === 'delete') await deleteStyle(step.id, last);
    else await addStyle(model.id, step.style.css, step.style.filename, last);
  }
  return getTemplate(model.id, 'latest');
}

/** Returns the changes to the files of a template and to its options. */
export function changeOf(model: EditorModel): ChangedParts & { data: { remove: string[] } } {
  const { template: text, header, footer } = model.texts.value;
  const before = model.stored.value;
  const template = model.template.value;
  const options = template === null ? {} : changedOptions(optionsOf(template), model.options.value);
  const remove = [
    ...((options['remove'] as string[] | undefined) ?? []),
    ...(header === '' && before.header !== '' ? ['header'] : []),
    ...(footer === '' && before.footer !== '' ? ['footer'] : []),
  ];
  return {
    data: { ...options, remove },
    file: model.replacement.value ?? (text === before.template ? undefined : htmlFile(text)),
    header: header === before.header ? undefined : header,
    footer: footer === before.footer ? undefined : footer,
  };
}

function htmlFile(text: string): File {
  return new File([text], 'template.html', { type: 'text/html' });
}
