/** The used parts of `highlight.js/lib/common`: its own declarations depend on those of browsers. */
declare const highlighter: {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals?: boolean }): { value: string };
};
export default highlighter;
