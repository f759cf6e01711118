/** The parser and the generator alone: the whole package reads its tables of properties from files. */
declare module 'css-tree/parser' {
  import { parse } from 'css-tree';
  export default parse;
}

declare module 'css-tree/generator' {
  import { generate } from 'css-tree';
  export default generate;
}
