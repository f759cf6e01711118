import {
  addImage,
  addStyle,
  addTemplate,
  endingOf,
  fileBlob,
  fileText,
  FORMATS,
  imageBlob,
  sampleText,
  saveSample,
  styleText,
} from '../api/templates.ts';
import type { Template } from '../api/types.ts';
import { optionsOf } from '../editor/options.ts';
import type { Sample } from '../samples.ts';
import { view } from '../state/view.ts';
import { text } from '../text.ts';

/** Creates templates from files, samples and an empty page. */

export function isTemplateFile(name: string): boolean {
  return (FORMATS as readonly string[]).includes(endingOf(name));
}

/** Creates a template from a file in any of the seven formats. @throws PlatenError */
export function templateOfFile(file: File): Promise<Template> {
  const format = endingOf(file.name);
  const name = file.name.slice(0, file.name.lastIndexOf('.')).slice(0, 255) || file.name;
  return addTemplate({ data: { name, format }, file });
}

/** Creates a template from a sample with its stylesheet, images and data. @throws PlatenError */
export async function templateOfSample(sample: Sample): Promise<Template> {
  const template = await addTemplate({
    data: { name: sample.title, format: 'html', ...sample.options },
    file: new File([sample.template], `${sample.name}.html`, { type: 'text/html' }),
    header: sample.header,
    footer: sample.footer,
  });
  // The files are sent in turn, because each makes a version, and the last one is published.
  for (const [uri, svg] of sample.images)
    await addImage(template.id, new File([svg], `${uri}.svg`, { type: 'image/svg+xml' }), uri, true);
  if (sample.style !== '') await addStyle(template.id, sample.style, 'style.css', true);
  await saveSample(template.id, 'example', sample.data);
  return template;
}

/** Creates a copy of the newest version of a template, with its files and samples. @throws PlatenError */
export async function copyOfTemplate(template: Template): Promise<Template> {
  const { name, format, data_schema, latest_version: version, template_file, samples } = template;
  const furniture = (file: { id: string } | null | undefined) => file && fileText(file.id, version);
  const copy = await addTemplate({
    data: {
      ...optionsOf(template),
      name: text.templates.copyOf(name).slice(0, 255),
      format,
      data_schema: data_schema ?? undefined,
    },
    file: new File([await fileBlob(template_file.id, version)], `${name}.${format}`),
    header: (await furniture(template.header_file)) ?? undefined,
    footer: (await furniture(template.footer_file)) ?? undefined,
  });
  for (const { id, uri, filename, format: ending } of template.image_files)
    await addImage(
      copy.id,
      new File([await imageBlob(id, version)], filename ?? `${uri}.${ending}`),
      uri,
      true,
    );
  for (const { id, filename } of template.style_files)
    await addStyle(copy.id, await styleText(id, version), filename ?? 'style.css', true);
  for (const sample of samples)
    await saveSample(copy.id, sample.name, await sampleText(template.id, sample.name));
  return copy;
}

const BLANK = `<!doctype html>
<html lang="en">
  <head>
    <title>Untitled</title>
  </head>
  <body>
    <p></p>
  </body>
</html>
`;

/** Creates a template with an empty page, which is written in blocks. Its data are made up. @throws PlatenError */
export function blankTemplate(): Promise<Template> {
  view.value = 'blocks';
  return addTemplate({
    data: { name: 'Untitled', format: 'html' },
    file: new File([BLANK], 'untitled.html', { type: 'text/html' }),
  });
}
