import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { HostProcess, ProcessEnded } from '../../functions/convert/host-process.ts';
import { CONFINED } from '../support/confined.ts';

class Program extends HostProcess {
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
    return 0;
  }

  protected override endEngine(): void {
    // It starts no other process.
  }
}

test('an answer of some megabytes arrives', async () => {
  const program = new Program('print(\'"\' + "x" * 5_000_000 + \'"\')');
  expect(await program.ask()).toHaveLength(5_000_000);
  expect(await program.ask()).toHaveLength(5_000_000);
  await program.kill();
});

test('a program that writes a line without end is killed, before it fills the memory', async () => {
  const program = new Program('while True: sys.stdout.write("x" * 1_000_000)');
  await expect(program.ask()).rejects.toThrow(ProcessEnded);
  expect(program.alive).toBe(false);
});
