import { json, noContent, type Operations } from '../shared/http/index.ts';
import { writeOf } from '../shared/template-files/version.ts';
import { addImage } from './add-image.ts';
import { addStylesheet } from './add-stylesheet.ts';
import { imageJson, styleJson } from './json.ts';
import { idOf } from './file-operations.ts';
import type { TemplateStore } from '../shared/store/templates.ts';

/** The operations that add and delete the style sheet and the images of a template (I-11, I-12). */
export function attachmentOperations(
  templates: TemplateStore,
): Pick<Operations<'templates'>, 'addStylesheet' | 'deleteStylesheet' | 'addImage' | 'deleteImage'> {
  return {
    addStylesheet: async (request) => {
      const { tenant, params, form, file } = request;
      const id = idOf(params);
      const { template_data: data, publish } = form;
      const how = writeOf(request, publish, data.note);
      return json(styleJson(id, await addStylesheet(templates, tenant, id, data, file('file_data'), how)));
    },

    deleteStylesheet: async (request) => {
      const { tenant, params, query } = request;
      await templates.removeFile(tenant, 'style', idOf(params), writeOf(request, query.publish));
      return noContent();
    },

    addImage: async (request) => {
      const { tenant, params, form, file, warnings } = request;
      const id = idOf(params);
      const { template_data: data, publish } = form;
      const how = writeOf(request, publish, data.note);
      const image = await addImage(templates, tenant, id, data, file('file_data'), how, warnings);
      return json(imageJson(id, image));
    },

    deleteImage: async (request) => {
      const { tenant, params, query } = request;
      await templates.removeFile(tenant, 'image', idOf(params), writeOf(request, query.publish));
      return noContent();
    },
  };
}
