/** Starts the download of a file, under a name without folders. */
export function download(blob: Blob, filename: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = filename.replace(/[/\\\0]/g, '_');
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
