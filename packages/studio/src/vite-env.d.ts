/// <reference types="vite/client" />

/** The build for browsers of the last years; it has the same members. */
declare module 'pdfjs-dist/legacy/build/pdf.min.mjs' {
  export * from 'pdfjs-dist';
}
