import { readFileSync } from 'node:fs';
import { run } from './fixtures.ts';

/** What a PDF holds, read with qpdf, poppler and their like, never with the code under test. */
export interface PdfDescription {
  title: string;
  xmp: string;
  pages: { text: string; links: (number | null)[] }[];
  labels: string[];
  outline: OutlineEntry[];
  destinations: Record<string, number | null>;
  fields: Record<string, { value: string; pages: number[] }>;
  attachments: { name: string; content: string }[];
  layers: Record<string, boolean>;
  /** For each document in the structure tree: text and page of each element with content. */
  tagged: { text: string; page: number }[][];
  /** Page objects that are in the file but not in the page tree. */
  orphanPages: number;
  catalog: Dict;
  /** What contradicts itself: links between entries, fields or tags that do not agree. */
  faults: string[];
}

export interface OutlineEntry {
  title: string;
  page: number | null;
  below: OutlineEntry[];
}

type Json = null | boolean | number | string | Json[] | Dict;
interface Dict {
  [key: string]: Json;
}

export function describePdf(path: string): PdfDescription {
  const json = JSON.parse(
    run('qpdf', '--json=2', '--json-stream-data=none', '--no-warn', '--warning-exit-0', path),
  ) as {
    qpdf: [Dict, Record<string, { value?: Json; stream?: { dict: Dict } }>];
    pages: { object: string; label: Json }[];
  };
  const objects = json.qpdf[1];
  const get = (value: Json | undefined): Json => {
    if (typeof value !== 'string' || !/^\d+ \d+ R$/.test(value)) return value ?? null;
    const object = objects[`obj:${value}`];
    return object?.value ?? object?.stream?.dict ?? null;
  };
  const dict = (value: Json | undefined): Dict => {
    const found = get(value);
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : {};
  };
  const array = (value: Json | undefined): Json[] => {
    const found = get(value);
    return Array.isArray(found) ? found : [];
  };
  const faults: string[] = [];
  const trailer = dict(objects['trailer']?.value);
  const catalog = dict(trailer['/Root']);
  const numbers = new Map(json.pages.map(({ object }, index) => [object, index + 1]));
  const pageNumber = (ref: Json | undefined): number | null => numbers.get(String(ref)) ?? null;

  const names = (root: Json | undefined): [string, Json][] => {
    const node = dict(root);
    const own = array(node['/Names']);
    const pairs = own.flatMap((key, at): [string, Json][] =>
      at % 2 === 0 ? [[String(key).slice(2), own[at + 1] ?? null]] : [],
    );
    return [...pairs, ...array(node['/Kids']).flatMap((kid) => names(kid))];
  };
  const destinations: Record<string, number | null> = {};
  const define = (name: string, value: Json): void => {
    const found = get(value);
    destinations[name] = pageNumber((Array.isArray(found) ? found : array(dict(found)['/D']))[0]);
  };
  for (const [name, value] of Object.entries(dict(catalog['/Dests']))) define(name.slice(1), value);
  for (const [name, value] of names(dict(catalog['/Names'])['/Dests'])) define(name, value);
  const leadsTo = (item: Dict): number | null => {
    const destination = get(item['/Dest'] ?? dict(item['/A'])['/D']);
    if (typeof destination === 'string') return destinations[destination.replace(/^(u:|\/)/, '')] ?? null;
    return pageNumber(array(destination)[0]);
  };

  const outlineOf = (parent: Json | undefined): OutlineEntry[] => {
    const entries: OutlineEntry[] = [];
    let previous: Json = null;
    for (let next = dict(parent)['/First']; next !== undefined && next !== null;) {
      const item = dict(next);
      if ((item['/Prev'] ?? null) !== previous) faults.push(`outline entry ${String(next)}: wrong /Prev`);
      entries.push({ title: String(item['/Title']).slice(2), page: leadsTo(item), below: outlineOf(next) });
      previous = next;
      next = item['/Next'] ?? null;
    }
    if ((dict(parent)['/Last'] ?? null) !== previous) faults.push('an outline has a wrong /Last');
    return entries;
  };

  const fields: PdfDescription['fields'] = {};
  const visit = (ref: Json, name: string, value: Json): void => {
    const field = dict(ref);
    const own =
      field['/T'] === undefined ? name : [name, String(field['/T']).slice(2)].filter(Boolean).join('.');
    const current = field['/V'] ?? value;
    const entry = (fields[own] ??= { value: String(current).slice(2), pages: [] });
    if (field['/Subtype'] === '/Widget') {
      const page = json.pages.findIndex(({ object }) => array(dict(object)['/Annots']).includes(ref));
      if (page !== -1) entry.pages.push(page + 1);
    }
    for (const kid of array(field['/Kids'])) {
      if (dict(kid)['/Parent'] !== ref) faults.push(`field ${own}: a kid has another parent`);
      visit(kid, own, current);
    }
  };
  for (const field of array(dict(catalog['/AcroForm'])['/Fields'])) visit(field, '', null);

  const content = dict(catalog['/OCProperties']);
  const config = dict(content['/D']);
  const layers = Object.fromEntries(
    array(content['/OCGs']).map((ref) => [
      String(dict(ref)['/Name']).slice(2),
      !array(config['/OFF']).includes(ref),
    ]),
  );

  return {
    title: String(dict(trailer['/Info'])['/Title'] ?? '').slice(2),
    xmp: run('pdfinfo', '-meta', path),
    pages: json.pages.map(({ object }, index) => ({
      text: run('pdftotext', '-f', String(index + 1), '-l', String(index + 1), '-layout', path, '-'),
      links: array(dict(object)['/Annots'])
        .map((annotation) => dict(annotation))
        .filter((annotation) => annotation['/Subtype'] === '/Link')
        .map(leadsTo),
    })),
    labels: labelsOf(array(dict(catalog['/PageLabels'])['/Nums']), json.pages.length, dict),
    outline: outlineOf(catalog['/Outlines']),
    destinations,
    fields,
    attachments: attachmentsOf(path),
    layers,
    tagged: taggedOf(),
    orphanPages:
      Object.values(objects).filter((object) => dict(object.value)['/Type'] === '/Page').length -
      json.pages.length,
    catalog,
    faults,
  };

  /** Follows the tags the way a screen reader does: from the marked content of a page to its element. */
  function taggedOf(): { text: string; page: number }[][] {
    const parents = new Map<number, Json>();
    const read = (node: Dict): void => {
      const nums = array(node['/Nums']);
      for (let at = 0; at + 1 < nums.length; at += 2) parents.set(Number(nums[at]), nums[at + 1] ?? null);
      for (const kid of array(node['/Kids'])) read(dict(kid));
    };
    const root = dict(catalog['/StructTreeRoot']);
    read(dict(root['/ParentTree']));
    const documents = new Map<string, { text: string; page: number }[]>();
    json.pages.forEach(({ object }, index) => {
      const key = dict(object)['/StructParents'];
      if (key === undefined) return;
      const element = array(parents.get(Number(key)))[0];
      const owner = dict(element);
      if (owner['/K'] !== 0 || pageNumber(owner['/Pg']) !== index + 1) {
        faults.push('an element has other content');
        return;
      }
      const document = String(owner['/P']);
      const kids = dict(document)['/K'];
      if (![...array(kids), kids].includes(element ?? null)) faults.push('an element is not its parent’s');
      const text =
        run('pdftotext', '-f', String(index + 1), '-l', String(index + 1), path, '-').split('\n')[0] ?? '';
      const list = documents.get(document) ?? [];
      documents.set(document, [...list, { text, page: index + 1 }]);
    });
    return [...documents.values()];
  }
}

function attachmentsOf(path: string): { name: string; content: string }[] {
  const list = run('pdfdetach', '-list', path);
  return [...list.matchAll(/^(\d+): (.*)$/gm)].map(([, number = '', name = '']) => {
    run('pdfdetach', '-save', number, '-o', `${path}.attachment`, path);
    return { name, content: readFileSync(`${path}.attachment`, 'utf8') };
  });
}

function labelsOf(nums: Json[], pages: number, dict: (value: Json | undefined) => Dict): string[] {
  const labels: string[] = [];
  for (let at = 0; at < nums.length; at += 2) {
    const style = dict(nums[at + 1]);
    const end = Number(nums[at + 2] ?? pages);
    for (let page = Number(nums[at]); page < end; page++) {
      const number = Number(style['/St'] ?? 1) + page - Number(nums[at]);
      const text = style['/S'] === '/r' ? ['i', 'ii', 'iii', 'iv', 'v'][number - 1] : String(number);
      labels.push(`${String(style['/P'] ?? 'u:').slice(2)}${text}`);
    }
  }
  return labels;
}
