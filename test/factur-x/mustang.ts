import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Mustang's validator, which judges invoices, as XML and in PDFs. It needs a Java runtime, and Maven for the first time. */

export const MUSTANG = '2.25.0';
const JARS = 'node_modules/.cache/mustang';

export interface Verdict {
  isValid: boolean;
  /** The rules that it names. */
  rules: string[];
  /** All that it says. */
  report: string;
}

/** Has files judged. @returns what Mustang says, by the file */
export function judgeInvoices(files: readonly string[]): Map<string, Verdict> {
  fetchJars();
  const source = path.join(import.meta.dirname, 'Judge.java');
  const output = execFileSync('java', ['-Xmx900m', '-cp', `${JARS}/*`, source], {
    input: files.join('\n'),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const reports = output.matchAll(/^FILE (\S+) (true|false)\n([^]*?)^END$/gm);
  return new Map(
    Array.from(reports, ([, file = '', isValid, report = '']) => {
      const errors = Array.from(report.matchAll(/<error [^]*?<\/error>/g), ([error]) => error);
      const rules = errors.flatMap((error) =>
        Array.from(error.matchAll(/\[ID ([\w-]+)\]/g), ([, id = '']) => id),
      );
      return [file, { isValid: isValid === 'true', rules, report }];
    }),
  );
}

/** Gets the validator with all that it needs from Maven. */
function fetchJars(): void {
  if (existsSync(path.join(JARS, `validator-${MUSTANG}.jar`))) return;
  mkdirSync(JARS, { recursive: true });
  const work = mkdtempSync(path.join(tmpdir(), 'platen-maven-'));
  try {
    const dependency = `<groupId>org.mustangproject</groupId><artifactId>validator</artifactId><version>${MUSTANG}</version>`;
    writeFileSync(
      path.join(work, 'pom.xml'),
      '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>x</groupId>' +
        '<artifactId>x</artifactId><version>1</version>' +
        `<dependencies><dependency>${dependency}</dependency></dependencies></project>`,
    );
    execFileSync(
      'mvn',
      ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${path.resolve(JARS)}`],
      {
        cwd: work,
        stdio: 'inherit',
      },
    );
  } finally {
    rmSync(work, { recursive: true });
  }
}
