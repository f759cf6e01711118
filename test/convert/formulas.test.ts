import { expect, test } from 'vitest';
import { readsOutside } from '../../functions/convert/libreoffice/contained/formulas.ts';

/** Formulas that read something besides their workbook (I-22), and those that only look like it. */

test.each([
  "'file:///tmp/x.ods'#$Sheet1.A1",
  "of:='file:///a b''c.ods'#$S.A1",
  'file:///tmp/x.ods#$S.A1',
  '[Book.xlsx]S!A1',
  "'[Book.xlsx]S 1'!A1",
  "'C:\\[b.xlsx]S'!A1",
  "'[1]S'!A1+'[B.xlsx]S'!A1",
  'WEBSERVICE("http://x")',
  '_xlfn.WEBSERVICE(A1)',
  'DDE ("a","b")',
  'EXTERN.X(1)',
  "excel|'c:\\x.xls'!r1c1",
  "cmd|'/c calc'!A0",
  "\"a'b\"&'file:///x'#A1",
  "\"not closed 'file:///x'#A1",
])('%s reads outside', (formula) => expect(readsOutside(formula)).toBe(true));

test.each([
  'SUM(A1:B2)',
  "'My Sheet'!A1/2",
  "'It''s'!A1",
  '[1]S!A1',
  "'[1]S 1'!A1",
  'Table1[[#This Row],[Col]]',
  '{1|2;3|4}+Sheet1!A1',
  '"file:///x#"&A1',
  "of:=[$'Sheet 1'.A1]",
  'IF(A1="it\'s",1,2)',
  'HYPERLINK("http://a#b")',
])('%s does not', (formula) => expect(readsOutside(formula)).toBe(false));
