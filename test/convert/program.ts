import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HostProcess } from '../../functions/convert/host-process.ts';
import { CONFINED } from '../support/confined.ts';

/** A small program instead of an engine. */
export class Program extends HostProcess {
  /** The bytes of memory that it seems to have. */
  resident = 0;

  /** @param text of a Python program that answers an order */
  constructor(text: string) {
    const folder = mkdtempSync(path.join(tmpdir(), 'platen-host-test-'));
    const script = path.join(folder, 'program.py');
    writeFileSync(script, `import sys\nfor line in sys.stdin:\n    ${text}\n    sys.stdout.flush()\n`);
    super({ name: 'The program', script, args: [], folder, confinement: CONFINED, env: {} });
  }

  ask(): Promise<unknown> {
    return this.order({});
  }

  residentBytes(): number {
    return this.resident;
  }

  protected override endEngine(): void {
    this.signalGroups();
  }
}
