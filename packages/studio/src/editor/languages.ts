import type { Completion, CompletionContext, CompletionSource } from '@codemirror/autocomplete';
import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { closePercentBrace, jinja } from '@codemirror/lang-jinja';
import { json } from '@codemirror/lang-json';
import { liquid } from '@codemirror/lang-liquid';
import { EditorState, type Extension } from '@codemirror/state';
import type { Json } from '../api/types.ts';
import { loopVariables, membersAt, type Name, resolvePath } from './completion.ts';
import { JINJA_FILTERS, LIQUID_FILTERS } from './names.ts';

export type Language = 'jinja2' | 'flask' | 'liquid' | 'none' | 'css' | 'json' | 'plain';

/** Provides the current data when completion asks for them. */
export interface Surroundings {
  data: () => Json;
  /** Variables that the service adds for images. */
  images: () => readonly string[];
}

/** Characters before the cursor that are searched for loops, and for the beginning of the tag. */
const SEARCHED_LOOPS = 100_000;
const SEARCHED_TAG = 2_000;

/** Returns highlighting, closing of tags and completion for a language. */
export function languageOf(language: Language, surroundings: Surroundings): Extension {
  switch (language) {
    case 'css':
      return css();
    case 'json':
      return json();
    case 'none':
      return html();
    case 'plain':
      return [];
    case 'liquid':
      return [
        liquid({ base: html(), properties: properties(surroundings) }),
        closePercentBrace,
        completing(names(surroundings, LIQUID_FILTERS)),
      ];
    case 'jinja2':
    case 'flask':
      return [
        jinja({ base: html(), properties: properties(surroundings) }),
        closePercentBrace,
        completing(names(surroundings, JINJA_FILTERS)),
      ];
  }
}

function completing(source: CompletionSource): Extension {
  return EditorState.languageData.of(() => [{ autocomplete: source }]);
}

/** Completes the members after a dot. */
function properties({ data }: Surroundings) {
  return (path: readonly string[], state: EditorState, context: CompletionContext): Completion[] =>
    membersAt(data(), resolvePath(path, loopsBefore(state, context.pos))).map(option);
}

/** Completes names of data, loops and images at the beginning of an expression, and filters after a bar. */
function names({ data, images }: Surroundings, filters: readonly string[]): CompletionSource {
  return (context) => {
    if (!isInTag(context)) return null;
    const filter = context.matchBefore(/\|\s*\w*/);
    if (filter !== null) {
      const typed = filter.text.replace(/^\|\s*/, '');
      if (typed === '' && !context.explicit) return null;
      const options = filters.map((label) => ({ label, type: 'function' }));
      return { from: context.pos - typed.length, options, validFor: /^\w*$/ };
    }
    const word = context.matchBefore(/[\w.]*/);
    if (word === null || word.text.includes('.') || (word.text === '' && !context.explicit)) return null;
    const options: Completion[] = [
      ...membersAt(data(), []).map(option),
      ...Array.from(loopsBefore(context.state, context.pos).keys(), (label) => ({
        label,
        type: 'variable',
        detail: 'loop',
      })),
      ...images().map((label) => ({ label, type: 'variable', detail: 'image' })),
    ];
    return { from: word.from, options, validFor: /^\w*$/ };
  };
}

function loopsBefore(state: EditorState, position: number): Map<string, string[]> {
  return loopVariables(state.sliceDoc(Math.max(0, position - SEARCHED_LOOPS), position));
}

/** Returns whether the cursor is within `{{ … }}` or `{% … %}`. */
function isInTag({ state, pos }: CompletionContext): boolean {
  const before = state.sliceDoc(Math.max(0, pos - SEARCHED_TAG), pos);
  const opened = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  return opened >= 0 && opened > Math.max(before.lastIndexOf('}}'), before.lastIndexOf('%}'));
}

function option({ label, detail }: Name): Completion {
  return { label, detail, type: 'property', boost: 1 };
}
