/** The used parts of `hyphen`, which has no declarations. */
declare module 'hyphen' {
  /** Hyphenates words by patterns, which it may extend. */
  export default function createHyphenator(
    patterns: unknown,
    options: { html: boolean; minWordLength: number },
  ): (text: string) => string;
}
declare module 'hyphen/patterns/*.js' {
  import type { Patterns } from './languages.ts';

  const patterns: Patterns;
  export default patterns;
}
