/// <reference types="vite/client" />

/** The build of pdf.js for browsers of recent years; it has the same members. */
declare module 'pdfjs-dist/legacy/build/pdf.min.mjs' {
  export * from 'pdfjs-dist';
}
