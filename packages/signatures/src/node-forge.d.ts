/** RC2, the cipher of old PKCS #12 files that OpenSSL 3, and therefore Node, no longer supports. */

interface ForgeBuffer {
  getBytes(): string;
}

declare module 'node-forge/lib/rc2.js' {
  interface Cipher {
    output: ForgeBuffer;
    start(iv: string): void;
    update(input: ForgeBuffer): void;
    /** Returns whether the padding was valid. */
    finish(): boolean;
  }
  const rc2: { createDecryptionCipher(key: string, effectiveBits: number): Cipher };
  export default rc2;
}

declare module 'node-forge/lib/util.js' {
  const util: { createBuffer(bytes: string): ForgeBuffer };
  export default util;
}
