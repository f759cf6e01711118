/** The one cipher of old PKCS #12 files that OpenSSL 3, and so Node, does not have any more. */

interface ForgeBuffer {
  getBytes(): string;
}

declare module 'node-forge/lib/rc2.js' {
  interface Cipher {
    output: ForgeBuffer;
    start(iv: string): void;
    update(input: ForgeBuffer): void;
    /** @returns whether the padding was right */
    finish(): boolean;
  }
  const rc2: { createDecryptionCipher(key: string, effectiveBits: number): Cipher };
  export default rc2;
}

declare module 'node-forge/lib/util.js' {
  const util: { createBuffer(bytes: string): ForgeBuffer };
  export default util;
}
