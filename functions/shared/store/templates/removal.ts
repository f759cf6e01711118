import { isTemplateId } from '../storage/ids.ts';
import type { DeletedTemplates } from './deleted.ts';
import { notFound } from './drafts.ts';
import type { TemplateItems } from './items.ts';
import { CorruptRecordError } from './record.ts';
import { demand, type VersionStorage, type VersionWrite } from './versions.ts';

/** Deletes templates: so that they can come back, or with everything that is stored of them. */
export class TemplateRemoval {
  private readonly storage: VersionStorage;
  private readonly deleted: DeletedTemplates;

  constructor(storage: VersionStorage, deleted: DeletedTemplates) {
    this.storage = storage;
    this.deleted = deleted;
  }

  /** @throws PlatenError `not_found`, `version_conflict` */
  async delete(tenant: string, id: string, how: Pick<VersionWrite, 'expects' | 'by'>): Promise<void> {
    if (!isTemplateId(id)) notFound('template', id);
    if (this.deleted.days === 0) return await this.remove(tenant, id, how.expects);
    try {
      if (!(await this.deleted.move(tenant, id, how))) notFound('template', id);
    } catch (error) {
      if (!(error instanceof CorruptRecordError)) throw error;
      await this.remove(tenant, id, null);
    }
  }

  /** @throws PlatenError `not_found`, `version_conflict` */
  async remove(tenant: string, id: string, expects: VersionWrite['expects']): Promise<void> {
    if (!isTemplateId(id)) notFound('template', id);
    const { items, files, history, writeLock } = this.storage;
    // First, so that a call that fails midway leaves nothing that comes back.
    const wasDeleted = await this.deleted.remove(tenant, id);
    const hadItem = await removeItem(items, tenant, id, expects);
    const versions = await items.removeVersions(tenant, id);
    await history.removeAll(tenant, id);
    await writeLock.remove(tenant, id);
    const count = await files.removeAll(tenant, id);
    if (!hadItem && !wasDeleted && count === 0 && versions === 0) notFound('template', id);
  }
}

async function removeItem(
  items: TemplateItems,
  tenant: string,
  id: string,
  expects: VersionWrite['expects'],
): Promise<boolean> {
  if (expects === null) return (await items.remove(tenant, id)) != null;
  for (;;) {
    const head = await items.get(tenant, id);
    if (head === null) return false;
    demand(expects, head.template.latest);
    const removed = await items.remove(tenant, id, head.revision);
    // If it was changed meanwhile, it may have another version now.
    if (removed !== null) return removed !== undefined;
  }
}
