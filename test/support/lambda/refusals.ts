import { arch } from 'node:process';

/**
 * The system calls that Lambda refuses to functions, as a filter of seccomp(2) (classic BPF). It refuses prctl(2) with
 * all its options, which is more than Lambda does: code that works here works if any of them is refused.
 */

interface Calls {
  /** AUDIT_ARCH_…: calls with the numbers of another architecture are refused. */
  audit: number;
  /** The calls that fail with EPERM. */
  refused: Readonly<Record<string, number>>;
  /** The calls that fail with ENOSYS, as with a kernel that does not know them: Lambda's is older than landlock(7). */
  unknown: Readonly<Record<string, number>>;
  clone: number;
}

const LANDLOCK = { landlock_create_ruleset: 444, landlock_add_rule: 445, landlock_restrict_self: 446 };
/** C libraries fall back to clone(2), whose flags a filter can check. */
const CLONE3 = { clone3: 435 };

const CALLS: Readonly<Record<string, Calls>> = {
  x64: {
    audit: 0xc000003e,
    refused: { prctl: 157, seccomp: 317, ptrace: 101, unshare: 272, setns: 308, mount: 165, chroot: 161 },
    unknown: { ...LANDLOCK, ...CLONE3 },
    clone: 56,
  },
  arm64: {
    audit: 0xc00000b7,
    refused: { prctl: 167, seccomp: 277, ptrace: 117, unshare: 97, setns: 268, mount: 40, chroot: 51 },
    unknown: { ...LANDLOCK, ...CLONE3 },
    clone: 220,
  },
};

const [LOAD, EQUAL, ANY_BIT, RETURN] = [0x20, 0x15, 0x45, 0x06];
const [ALLOW, REFUSE] = [0x7fff0000, 0x00050000];
const [EPERM, ENOSYS] = [1, 38];
/** Offsets in struct seccomp_data: the number of the call, its architecture, and half of its first argument. */
const [NUMBER, ARCHITECTURE, ARGUMENT] = [0, 4, 16];
const CLONE_NEWUSER = 0x10000000;

type Instruction = [code: number, jumpTrue: number, jumpFalse: number, value: number];

/** Returns the filter as bubblewrap takes it (`--seccomp`). @throws on an architecture that Lambda does not have */
export function lambdaRefusals(): Buffer {
  const calls = CALLS[arch];
  if (calls === undefined) throw new Error(`Lambda has no ${arch}.`);
  const answer = (numbers: Readonly<Record<string, number>>, error: number): Instruction[] =>
    Object.values(numbers).flatMap((number): Instruction[] => [
      [EQUAL, 0, 1, number],
      [RETURN, 0, 0, REFUSE | error],
    ]);
  return encoded([
    [LOAD, 0, 0, ARCHITECTURE],
    [EQUAL, 1, 0, calls.audit],
    [RETURN, 0, 0, REFUSE | EPERM],
    [LOAD, 0, 0, NUMBER],
    ...answer(calls.refused, EPERM),
    ...answer(calls.unknown, ENOSYS),
    [EQUAL, 0, 3, calls.clone],
    [LOAD, 0, 0, ARGUMENT],
    [ANY_BIT, 0, 1, CLONE_NEWUSER],
    [RETURN, 0, 0, REFUSE | EPERM],
    [RETURN, 0, 0, ALLOW],
  ]);
}

function encoded(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * program.length);
  program.forEach(([code, jumpTrue, jumpFalse, value], index) => {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(jumpTrue, 8 * index + 2);
    bytes.writeUInt8(jumpFalse, 8 * index + 3);
    bytes.writeUInt32LE(value, 8 * index + 4);
  });
  return bytes;
}
