import { describe, expect, it } from 'vitest';
import {
  isTemplateId,
  newFileId,
  newTemplateId,
  templateIdOfFile,
} from '../../functions/shared/store/storage/ids.ts';
import { fileKey, keptKey, parseFileKey } from '../../functions/shared/store/templates/keys.ts';

describe('ids (I-5)', () => {
  it('ids made one after another sort in that order, also within a millisecond and when the clock goes back', () => {
    const later = Date.now() + 1000;
    const ids = [
      newTemplateId(),
      newTemplateId(),
      newTemplateId(later),
      newTemplateId(later - 500),
      newTemplateId(),
    ];
    for (let i = 0; i < 1000; i += 1) ids.push(newTemplateId());
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('ids are URL-safe, and a file id contains that of its template', () => {
    const id = newTemplateId();
    const file = newFileId(id);
    expect(id).toMatch(/^[0-9a-z]{26}$/);
    expect(encodeURIComponent(file)).toBe(file);
    expect([isTemplateId(id), isTemplateId(file)]).toEqual([true, false]);
    expect([templateIdOfFile(file), templateIdOfFile(id)]).toEqual([id, null]);
    expect(newFileId(id)).not.toBe(file);
  });

  it.each(['', 'batch', 'img', '../../x', 'z'.repeat(26), 'TEMPLATE#x', 'a'.repeat(10_000)])(
    'an invalid id is not accepted: %.20s',
    (text) => {
      expect([isTemplateId(text), templateIdOfFile(text)]).toEqual([false, null]);
    },
  );

  it('a tenant name with a slash or a dot stays one segment of a key', () => {
    const file = newFileId(newTemplateId());
    for (const tenant of ['acme', 'a/b', '../x', 'ä c', '%2F']) {
      const key = fileKey(tenant, file);
      expect(key.split('/')).toHaveLength(5);
      const parts = { tenant, templateId: file.slice(0, 26), fileId: file };
      expect(parseFileKey(key)).toEqual({ ...parts, isKept: false });
      expect(parseFileKey(keptKey(tenant, file))).toEqual({ ...parts, isKept: true });
    }
  });
});
