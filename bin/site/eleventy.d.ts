/** The used parts of Eleventy, which has no types of its own. */
declare module '@11ty/eleventy' {
  export interface EleventyConfig {
    setLibrary(name: 'md', library: { render: (text: string, env: PageData) => string }): void;
    addGlobalData(name: string, value: unknown): void;
    addTemplate(path: string, content: string): void;
    addPassthroughCopy(paths: Readonly<Record<string, string>>): void;
    addTransform(name: string, transform: (this: { page: Page }, content: string) => string): void;
    setTemplateFormats(formats: string[]): void;
    setUseGitIgnore(use: boolean): void;
  }
  export interface Page {
    /** Such as `./docs/pdf.md`. */
    inputPath: string;
    outputPath: string;
  }
  export interface PageData {
    page: Page;
  }
  export class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; configPath: null; config: (config: EleventyConfig) => void },
    );
    write(): Promise<unknown>;
  }
}
