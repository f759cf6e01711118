import sharp from 'sharp';
import { LETTER } from '../../bench/office-templates.ts';
import { INVOICE_TEMPLATE, invoiceData } from './invoice.ts';

/** A document of a load, and a text that only this one contains; null if it has no text of its own. */
export interface Loaded {
  pdf: Buffer;
  mark: string | null;
}

/** Makes the document with a number. @throws Error for any status but 200 */
export type Load = (number: number) => Promise<Loaded>;

/** Returns requests of the kinds html, office, PDF and images to a service, for measurements and long runs. */
export async function loadsOf({
  url,
  token,
}: {
  url: string;
  token: string;
}): Promise<Readonly<Record<'html' | 'office' | 'PDF' | 'images', Load>>> {
  const post = async (
    route: string,
    fields: Record<string, string | [Uint8Array<ArrayBuffer> | string, string]>,
  ): Promise<Buffer> => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'string') body.append(name, value);
      else body.append(name, new Blob([value[0]]), value[1]);
    }
    const response = await fetch(`${url}/v1/${route}`, {
      method: 'POST',
      headers: { authorization: token },
      body,
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`${route}: ${response.status} ${bytes.toString()}`);
    return bytes;
  };
  const letter = new Uint8Array(await LETTER());
  const items = [{ name: 'Paper', count: 2, price: 4.5 }];
  const photo = new Uint8Array(
    await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#48a' } })
      .jpeg()
      .toBuffer(),
  );
  const html: Load = async (number) => {
    const render_data = JSON.stringify(invoiceData(number));
    const pdf = await post('render/pdf', { file_data: [INVOICE_TEMPLATE, 'invoice.html'], render_data });
    return { pdf, mark: `Invoice ${number}` };
  };
  const printed = new Uint8Array((await html(1)).pdf);
  return {
    html,
    office: async (number) => {
      const mark = `Ada${number}`;
      const render_data = JSON.stringify({ name: mark, items });
      return { pdf: await post('render/pdf', { file_data: [letter, 'letter.docx'], render_data }), mark };
    },
    PDF: async () => ({ pdf: await post('pdf/compress', { file: [printed, 'invoice.pdf'] }), mark: null }),
    images: async () => ({ pdf: await post('render/img', { image: [photo, 'photo.jpg'] }), mark: null }),
  };
}

/** Returns requests of all kinds in turns. */
export function mixed(loads: Readonly<Record<string, Load>>): Load {
  const kinds = Object.values(loads);
  return async (number) => {
    const load = kinds[number % kinds.length];
    if (load === undefined) throw new Error('There is no load.');
    return await load(number);
  };
}
