export { inches, paperInches, paperPoints, type PaperSize } from '../paper.ts';
