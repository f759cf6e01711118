import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Downloads the source package of a program from the machine's own archives and unpacks it, without changing apt's
 * lists.
 *
 * @param files patterns of the requested files; all of them if there is none
 * @returns a folder that is removed when this process ends
 */
export function debianSource(name: string, files: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), `platen-${name}-source-`));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const script = `
    mkdir -p lists/partial cache/archives/partial parts
    for f in /etc/apt/sources.list.d/*.sources; do sed 's/^Types:.*/Types: deb-src/' "$f" > parts/$(basename "$f"); done
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list > source.list 2>/dev/null || true
    apt="apt-get -qq -o Dir::Etc::sourcelist=$PWD/source.list -o Dir::Etc::sourceparts=$PWD/parts -o Dir::State::lists=$PWD/lists -o Dir::Cache=$PWD/cache"
    $apt update && $apt source --download-only "$1" && shift && tar xf "$(ls *.orig.tar.*z)" --wildcards "$@"
    rm -f *.tar.*`;
  execFileSync('bash', ['-ec', script, 'bash', name, ...files], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}
