import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { undelete } from '../../bin/undelete.ts';

/** Part of docs/runbook.md: files back to one moment. The local S3 keeps no versions, so S3 is told here. */

const AT = new Date('2026-11-22T10:00:00Z');
const marker = (key: string, time: string, latest = true) => ({
  Key: key,
  VersionId: `marker of ${key}`,
  IsLatest: latest,
  LastModified: new Date(time),
});
const PAGES = [
  {
    IsTruncated: true,
    NextKeyMarker: 'tenants/b',
    DeleteMarkers: [
      marker('tenants/a/1', '2026-11-22T10:00:00Z'),
      marker('tenants/a/2', '2026-11-22T09:59:59Z'),
    ],
  },
  {
    IsTruncated: false,
    DeleteMarkers: [
      marker('tenants/b/1', '2026-11-23T00:00:00Z'),
      // Deleted, and brought back since.
      marker('tenants/b/2', '2026-11-23T00:00:00Z', false),
    ],
  },
];

function bucket(answer: object = {}) {
  const listed: unknown[] = [];
  const deleted: unknown[] = [];
  const send = async (command: object) => {
    if (command instanceof ListObjectVersionsCommand) {
      listed.push(command.input.Prefix);
      return PAGES[command.input.KeyMarker === undefined ? 0 : 1];
    }
    if (command instanceof DeleteObjectsCommand) deleted.push(...(command.input.Delete?.Objects ?? []));
    return answer;
  };
  const client = Object.assign(Object.create(S3Client.prototype) as S3Client, { send });
  return { client, listed, deleted };
}

describe('files of templates that were deleted since a moment', () => {
  test('come back, and no others: their delete markers go, by their version', async () => {
    const { client, listed, deleted } = bucket();
    const keys: string[] = [];
    const count = await undelete(client, { bucket: 'files', since: AT, dryRun: false }, (key) =>
      keys.push(key),
    );
    expect([count, keys]).toEqual([2, ['tenants/a/1', 'tenants/b/1']]);
    expect(deleted).toEqual([
      { Key: 'tenants/a/1', VersionId: 'marker of tenants/a/1' },
      { Key: 'tenants/b/1', VersionId: 'marker of tenants/b/1' },
    ]);
    expect(new Set(listed)).toEqual(new Set(['tenants/']));
  });

  test('are named and left alone in a dry run', async () => {
    const { client, deleted } = bucket();
    expect(await undelete(client, { bucket: 'files', since: AT, dryRun: true })).toBe(2);
    expect(deleted).toEqual([]);
  });

  test('are reported if S3 does not restore them', async () => {
    const { client } = bucket({ Errors: [{ Key: 'tenants/a/1', Message: 'Access Denied' }] });
    await expect(undelete(client, { bucket: 'files', since: AT, dryRun: false })).rejects.toThrow(
      '1 files stay deleted. tenants/a/1: Access Denied',
    );
  });
});
