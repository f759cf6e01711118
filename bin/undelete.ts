import {
  type DeleteMarkerEntry,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';

/** Files of templates: what lies elsewhere in the bucket is gone within days, whatever happens. */
const PREFIX = 'tenants/';

export interface Undeleting {
  bucket: string;
  /** What was deleted before this stays deleted. */
  since: Date;
  /** Nothing is changed. */
  dryRun: boolean;
}

/**
 * Restores the files of templates that were deleted since a moment. Keys of files are never overwritten, so
 * an existing file is unchanged.
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

/** True for what makes a file one that is not there, and has done so since then. */
function isDeletion({ IsLatest, LastModified }: DeleteMarkerEntry, since: Date): boolean {
  return IsLatest === true && LastModified !== undefined && LastModified >= since;
}
