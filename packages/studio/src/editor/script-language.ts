import { LanguageSupport, type StreamParser, StreamLanguage } from '@codemirror/language';

/**
 * Replaces `@codemirror/lang-javascript`, a dependency of the html language: its grammar alone would be a
 * fifth of the Studio, for scripts in templates that have a few lines at most. Here scripts are highlighted
 * by words. The html language requires these export names.
 */

const KEYWORDS =
  /^(?:async|await|break|case|catch|class|const|continue|default|delete|do|else|export|extends|finally|for|from|function|if|import|in|instanceof|let|new|of|return|static|super|switch|this|throw|try|typeof|var|void|while|yield)\b/;

const script: StreamParser<{ comment: boolean }> = {
  name: 'script',
  startState: () => ({ comment: false }),
  token: (stream, state) => {
    if (state.comment || stream.match('/*')) {
      state.comment = !stream.match(/^[^*]*(?:\*(?!\/)[^*]*)*\*\//);
      if (state.comment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(/^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/)) return 'string';
    if (stream.match(/^\d[\w.]*/)) return 'number';
    if (stream.match(/^(?:true|false|null|undefined)\b/)) return 'atom';
    if (stream.match(KEYWORDS)) return 'keyword';
    if (stream.match(/^[\w$]+/)) return 'variableName';
    stream.next();
    return null;
  },
};

const language = StreamLanguage.define(script);

/** The html language configures this parser for JSON in scripts, for which the same words suffice. */
export const javascriptLanguage = Object.assign(language, {
  parser: Object.assign(language.parser, { configure: () => language.parser }),
});
export const jsxLanguage = javascriptLanguage;
export const typescriptLanguage = javascriptLanguage;
export const tsxLanguage = javascriptLanguage;

export const javascript = (): LanguageSupport => new LanguageSupport(javascriptLanguage);
