import {
  type DeleteMarkerEntry,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';

/** The prefix of templates' files. Other objects of the bucket expire within days. */
const PREFIX = 'tenants/';

export interface Undeleting {
  bucket: string;
  /** Files that were deleted before this time stay deleted. */
  since: Date;
  /** Changes nothing. */
  dryRun: boolean;
}

/**
 * Restores the files of templates that were deleted after a given time. Keys of files are never overwritten, so
 * existing files stay unchanged.
 *
 * @param found called with each key
 * @returns the number of files
 * @throws the error of S3; restored files stay, and a second run restores the others
 */
export async function undelete(
  client: S3Client,
  { bucket, since, dryRun }: Undeleting,
  found: (key: string) => void = () => {},
): Promise<number> {
  let count = 0;
  let position: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | null = {};
  while (position !== null) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: PREFIX, ...position }),
    );
    position =
      page.IsTruncated === true
        ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
        : null;
    const markers = (page.DeleteMarkers ?? []).filter((marker) => isDeletion(marker, since));
    for (const { Key = '' } of markers) found(Key);
    count += markers.length;
    if (dryRun || markers.length === 0) continue;
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({
        Bucket: bucket,
        Delete: { Objects: markers.map(({ Key, VersionId }) => ({ Key, VersionId })), Quiet: true },
      }),
    );
    const [first] = Errors;
    if (first) throw new Error(`${Errors.length} files stay deleted. ${first.Key}: ${first.Message}`);
  }
  return count;
}

/** Whether a delete marker hides a file and was created after that time. */
function isDeletion({ IsLatest, LastModified }: DeleteMarkerEntry, since: Date): boolean {
  return IsLatest === true && LastModified !== undefined && LastModified >= since;
}
