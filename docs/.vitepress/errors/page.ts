/** What the page of an error code says beside the code, its status and its title. */
export interface ErrorPage {
  cause: string;
  remedy: string;
  /** A shell command that gets the error; test/docs/errors.test.ts runs it. */
  request?: string;
  /** The `detail` of an answer: of the request, if there is one. */
  detail: string;
}

/** A call as the documentation writes it. @param path below `/v1` */
export function call(path: string, ...lines: string[]): string {
  return [`curl -sS $PLATEN/${path} -H "Authorization: $TOKEN"`, ...lines].join(' \\\n  ');
}

/** A rendering of a template that comes along. */
export function render(template: string, ...lines: string[]): string {
  return `echo '${template}' > page.html\n${call('render/pdf', '-F file_data=@page.html', ...lines)}`;
}
