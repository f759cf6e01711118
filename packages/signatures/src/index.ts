export { certificateInfo, type CertificateInfo, readCertificates } from './certificate.ts';
export { kmsSigner } from './kms.ts';
export { type KeyPair, readPkcs12 } from './pkcs12.ts';
export { checkSigning, type SignOptions, signPdf } from './sign.ts';
export { keySigner, type Signer } from './signer.ts';
export { type Signature, verifyPdf, type VerifyOptions } from './verify.ts';
