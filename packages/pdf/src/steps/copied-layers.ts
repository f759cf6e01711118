import type { PdfFile } from '../model/index.ts';
import { isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';

/**
 * Declares the layers (optional content groups, ISO 32000-1, 8.11.4) that came along with objects of another document.
 * Without it, readers show content of layers that are off.
 *
 * @param copies the new references of copied objects
 */
export function declareCopiedLayers(target: PdfFile, source: PdfFile, copies: ReadonlyMap<Ref, Ref>): void {
  const theirs = source.dict(source.catalog['/OCProperties']);
  const copied = (layers: PdfValue | undefined): Ref[] =>
    source.array(layers).flatMap((layer) => (isRef(layer) ? (copies.get(layer) ?? []) : []));
  const groups = copied(theirs['/OCGs']);
  const own = target.dict(target.catalog['/OCProperties']);
  const known = new Set(target.array(own['/OCGs']));
  const added = groups.filter((group) => !known.has(group));
  if (added.length === 0) return;
  const theirConfig = source.dict(theirs['/D']);
  const on = new Set(copied(theirConfig['/ON']));
  const off = theirConfig['/BaseState'] === '/OFF' ? groups.filter((group) => !on.has(group)) : [];
  const isNew = new Set<PdfValue>(added);
  const lists = {
    '/OFF': [...off, ...copied(theirConfig['/OFF'])],
    '/ON': added,
    '/Order': added,
    '/Locked': copied(theirConfig['/Locked']),
  };
  const config: PdfDict = { ...target.dict(own['/D']) };
  for (const [name, layers] of Object.entries(lists)) {
    const wanted = new Set(layers.filter((layer) => isNew.has(layer)));
    // Layers are on unless a list says otherwise; only a document that turns all of them off lists those that are on.
    if (wanted.size === 0 || (name === '/ON' && config['/BaseState'] !== '/OFF')) continue;
    const hidden = name === '/ON' ? new Set(lists['/OFF']) : new Set<Ref>();
    config[name] = [...target.array(config[name]), ...[...wanted].filter((layer) => !hidden.has(layer))];
  }
  const usage = source.array(theirConfig['/AS']).flatMap((entry): PdfDict[] => {
    const dict = source.dict(entry);
    const layers = copied(dict['/OCGs']).filter((layer) => isNew.has(layer));
    return layers.length === 0 ? [] : [{ ...dict, '/OCGs': layers }];
  });
  if (usage.length > 0) config['/AS'] = [...target.array(config['/AS']), ...usage];
  const properties = { ...own, '/OCGs': [...target.array(own['/OCGs']), ...added], '/D': config };
  target.set(target.catalogRef, { ...target.catalog, '/OCProperties': properties });
}
