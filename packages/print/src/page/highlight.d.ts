/** What is used of `highlight.js/lib/common`: its own declarations bring those of browsers along. */
declare const highlighter: {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals?: boolean }): { value: string };
};
export default highlighter;
