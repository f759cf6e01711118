export { inches, paperInches, paperPoints, type PaperSize } from '../../shared/paper.ts';
