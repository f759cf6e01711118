import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fontConfiguration } from '../../../functions/convert/fonts.ts';
import { buildFontsLayer } from '../../../layers/fonts/build.ts';
import type { HtmlPrinter } from '../../../packages/print/src/print.ts';
import { printOnce, startEngine } from '../../chrome/engine.ts';
import type { Random } from '../../support/random.ts';
import { startWebKit } from '../../webkit/engine.ts';

/** Documents of many scripts and layouts, by several programs, out of which words are redacted. */

export interface Script {
  name: string;
  language: string;
  words: readonly string[];
  /** A font of the fonts layer with its letters, for programs that choose none themselves. */
  font: string;
}

/** Scripts without blanks between words: phrases are joined. */
const UNSPACED = new Set(['ja', 'zh-CN', 'th', 'lo', 'km', 'my', 'bo']);

const ROWS: readonly (readonly [name: string, language: string, font: string, words: string])[] = [
  ['Latin', 'de', 'NotoSans-Regular', 'Mustermann Straße Köln Müller Rechnung Auftraggeber O’Neil Lieferung Öffnung Zahlung naïve Büro'],
  ['Vietnamese', 'vi', 'NotoSans-Regular', 'Nguyễn Tiếng Việt Trần Phương Đặng Huỳnh Nghĩa Quỳnh Hằng Thuý Đường'],
  ['Czech', 'cs', 'NotoSans-Regular', 'žluťoučký kůň příliš Dvořák Novotný Řehoř Šťastný účtenka objednávka částka dodavatel'],
  ['Turkish', 'tr', 'NotoSans-Regular', 'İstanbul Ağrı Güneş Öztürk Yıldırım Şahin ılık çiçek müşteri sözleşme fatura'],
  ['Greek', 'el', 'NotoSans-Regular', 'Παπαδόπουλος Αθήνα Ελλάδα τιμολόγιο πελάτης Γεώργιος λογαριασμός ἀρχὴ οδός Θεσσαλονίκη'],
  ['Cyrillic', 'ru', 'NotoSans-Regular', 'Иванов Москва договор Ёлкин счёт Йошкар покупатель Щербаков объект Юлия подпись'],
  ['Arabic', 'ar', 'NotoSansArabic-Regular', 'محمد الفاتورة العربية الرياض عبدالله سلام كتاب مدرسة لأحمد المملكة خالد'],
  ['Persian', 'fa', 'NotoSansArabic-Regular', 'پارسی تهران فاکتور چهارشنبه گزارش ژاله رضا شیراز مشتری کتابخانه'],
  ['Urdu', 'ur', 'NotoSansArabic-Regular', 'اردو لاہور پاکستان ٹیلی ڈاکٹر ہمارے بھائی گاڑی خریدار دستخط'],
  ['Hebrew', 'he', 'NotoSansHebrew-Regular', 'שלום ישראל חשבונית חברת תאריך אביב כתובת לקוח סוגריים ירושלים מספר'],
  ['Armenian', 'hy', 'NotoSansArmenian-Regular', 'Հայերեն Երևան պայմանագիր Գրիգորյան հաշիվ Սարգսյան հասցե գնորդ'],
  ['Georgian', 'ka', 'NotoSansGeorgian-Regular', 'ქართული თბილისი ხელშეკრულება გიორგი ანგარიში მისამართი ბათუმი მყიდველი'],
  ['Ethiopic', 'am', 'NotoSansEthiopic-Regular', 'አማርኛ ፊደል አበበ አድራሻ ኢትዮጵያ ደረሰኝ ከተማ ውል'],
  ['Devanagari', 'hi', 'NotoSansDevanagari_400Regular', 'हिन्दी राष्ट्र क्षत्रिय विद्यार्थी शर्मा दिल्ली कार्यालय प्रार्थना मुंबई श्रीमती किताब'],
  ['Marathi', 'mr', 'NotoSansDevanagari_400Regular', 'मराठी पुणे महाराष्ट्र कुलकर्णी पाटील ग्राहक पत्ता स्वाक्षरी वर्ष'],
  ['Bengali', 'bn', 'NotoSansBengali-Regular', 'বাংলা কলকাতা ক্ষত্রিয় রবীন্দ্রনাথ ঢাকা চট্টোপাধ্যায় ঠিকানা গ্রাহক স্বাক্ষর'],
  ['Gujarati', 'gu', 'NotoSansGujarati-Regular', 'ગુજરાતી ક્ષત્રિય અમદાવાદ પટેલ શ્રીમતી ગ્રાહક સરનામું હસ્તાક્ષર'],
  ['Gurmukhi', 'pa', 'NotoSansGurmukhi-Regular', 'ਪੰਜਾਬੀ ਪ੍ਰੇਮ ਸਿੰਘ ਅੰਮ੍ਰਿਤਸਰ ਗਾਹਕ ਦਸਤਖਤ ਕਿਤਾਬ ਪਤਾ'],
  ['Oriya', 'or', 'NotoSansOriya-Regular', 'ଓଡ଼ିଆ କ୍ଷତ୍ର ଭୁବନେଶ୍ୱର ଗ୍ରାହକ ଠିକଣା ପଟ୍ଟନାୟକ ସ୍ୱାକ୍ଷର'],
  ['Tamil', 'ta', 'NotoSansTamil-Regular', 'தமிழ் சென்னை கொழும்பு முருகன் ஸ்ரீதர் முகவரி கையொப்பம் வாடிக்கையாளர்'],
  ['Telugu', 'te', 'NotoSansTelugu-Regular', 'తెలుగు హైదరాబాద్ స్త్రీ రెడ్డి వినియోగదారు చిరునామా సంతకం క్షమ'],
  ['Kannada', 'kn', 'NotoSansKannada-Regular', 'ಕನ್ನಡ ಬೆಂಗಳೂರು ಕ್ಷತ್ರಿಯ ಗ್ರಾಹಕ ವಿಳಾಸ ಸಹಿ ಹೆಗ್ಡೆ ಕೃಷ್ಣ'],
  ['Malayalam', 'ml', 'NotoSansMalayalam-Regular', 'മലയാളം കൊച്ചി സ്ത്രീ കൃഷ്ണൻ വിലാസം ഉപഭോക്താവ് ഒപ്പ് നമ്പൂതിരി'],
  ['Sinhala', 'si', 'NotoSansSinhala-Regular', 'සිංහල ශ්‍රී කොළඹ ලිපිනය අත්සන පෙරේරා ගනුදෙනුකරු'],
  ['Thai', 'th', 'NotoSansThai_400Regular', 'ภาษาไทย กรุงเทพฯ สมชาย ที่อยู่ ลูกค้า น้ำดื่ม ใบแจ้งหนี้ เชียงใหม่'],
  ['Lao', 'lo', 'NotoSansLao-Regular', 'ພາສາລາວ ວຽງຈັນ ນ້ຳດື່ມ ທີ່ຢູ່ ລູກຄ້າ ສົມຊາຍ'],
  ['Khmer', 'km', 'NotoSansKhmer-Regular', 'ភាសាខ្មែរ ស្ត្រី ភ្នំពេញ អាសយដ្ឋាន អតិថិជន ហត្ថលេខា'],
  ['Myanmar', 'my', 'NotoSansMyanmar-Regular', 'မြန်မာ ကြွေး ရန်ကုန် လိပ်စာ ဖောက်သည် လက်မှတ်'],
  ['Han', 'zh-CN', 'NotoSansSC_400Regular', '简体中文 北京市 王小明 合同编号 发票 客户地址 签名 上海浦东'],
  ['Japanese', 'ja', 'NotoSansJP_400Regular', '山田太郎 ひらがな カタカナ がぎぐげ 東京都 請求書 髙橋 お客様 住所'],
  ['Hangul', 'ko', 'NotoSansKR_400Regular', '한국어 서울특별시 김철수 계약서 주소 고객 서명 부산광역시'],
]; // prettier-ignore

export const SCRIPTS: readonly Script[] = ROWS.map(([name, language, font, words]) => ({
  name,
  language,
  font,
  words: words.split(' '),
}));

const RTL = new Set(['ar', 'fa', 'ur', 'he']);
const LATIN = ['Smith', 'Garcia', '(2020)', 'No. 17', 'Nowak', '12/05/2025'];

/** Text of some words with foreign names and numbers, and its words. */
export class Text {
  readonly words: string[] = [];
  readonly phrases: string[] = [];
  /** Words of two cells side by side or one above the other, which a reader may take for a phrase. */
  readonly besides = new Set<string>();
  readonly #random: Random;
  readonly #script: Script;

  constructor(script: Script, random: Random) {
    this.#script = script;
    this.#random = random;
  }

  get gap(): string {
    return UNSPACED.has(this.#script.language) ? '' : ' ';
  }

  word(): string {
    const { words } = this.#script;
    const word =
      this.#random.below(8) === 0
        ? (LATIN[this.#random.below(LATIN.length)] ?? '')
        : (words[this.#random.below(words.length)] ?? '');
    this.words.push(word);
    return word;
  }

  some(count: number): string {
    const words = Array.from({ length: count }, () => this.word());
    // Readers read a text that is drawn twice twice, so the same word is no phrase with itself.
    for (const [at, word] of words.slice(1).entries())
      if (words[at] !== word) this.phrases.push(`${words[at] ?? ''}${this.gap}${word}`);
    return words.join(this.gap);
  }
}

/** Ten layouts as html. */
export const LAYOUTS: Readonly<Record<string, (text: Text) => string>> = {
  paragraph: (text) => `<p>${text.some(24)}</p>`,
  list: (text) => `<ul>${Array.from({ length: 24 }, () => `<li>${text.some(2)}</li>`).join('')}</ul>`,
  lines: (text) => Array.from({ length: 24 }, () => `<div>${text.some(2)}</div>`).join(''),
  table: (text) => table(text, 2, 25),
  wide: (text) => table(text, 4, 12),
  centred: (text) => `<div style="text-align:center">${Array.from({ length: 20 }, () => `<div>${text.some(2)}</div>`).join('')}</div>`,
  rotated: (text) => `<div style="height:9cm"><div style="width:8cm;transform:rotate(30deg);transform-origin:0 100%;padding-top:5cm">${text.some(6)}</div></div><div style="writing-mode:vertical-rl;transform:rotate(180deg);height:8cm">${text.some(6)}</div>`,
  justified: (text) => `<p style="text-align:justify;width:9cm">${text.some(30)}</p>`,
  spread: (text) => `<p style="letter-spacing:.22em">${text.some(8)}</p><p><b>${text.some(3)}</b><span style="text-shadow:1px 1px 2px #999">${text.some(4)}</span> <span style="-webkit-text-stroke:.4px #333">${text.some(3)}</span></p>`,
  columns: (text) => `<div style="columns:3;column-gap:8mm">${text.some(40)}</div>`,
}; // prettier-ignore

function table(text: Text, columns: number, rows: number): string {
  const cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => text.word()));
  for (const [at, row] of cells.entries()) {
    for (const [column, word] of row.entries())
      for (const next of [row[column + 1], cells[at + 1]?.[column]])
        if (next !== undefined) text.besides.add(`${word}${text.gap}${next}`);
  }
  const html = cells.map((row) => `<tr>${row.map((word) => `<td>${word}</td>`).join('')}</tr>`);
  return `<table style="width:100%">${html.join('')}</table>`;
}

/** A document with a page for each layout. */
export function htmlOf(
  script: Script,
  random: Random,
  names = Object.keys(LAYOUTS),
): { html: string; text: Text } {
  const text = new Text(script, random);
  const pages = names.map(
    (name) => `<section style="break-after:page">${LAYOUTS[name]?.(text) ?? ''}</section>`,
  );
  const dir = RTL.has(script.language) ? 'rtl' : 'ltr';
  const html = `<!doctype html><html lang="${script.language}" dir="${dir}"><meta charset="utf-8"><title>t</title><style>body{font-size:12pt}</style><body>${pages.join('')}`;
  return { html, text };
}

/** Words and phrases of a text, each once, without phrases that are also words of neighbouring cells. */
export function wantedOf({ words, phrases, besides }: Text, random: Random, count: number): string[] {
  const all = [...new Set([...words, ...phrases.filter((phrase) => !besides.has(phrase))])];
  const chosen: string[] = [];
  while (chosen.length < count && all.length > 0) chosen.push(...all.splice(random.below(all.length), 1));
  return chosen;
}

/** Prints html, or a text letter by letter. */
export type Print = (html: string, text: Text, script: Script) => Promise<Uint8Array>;

export interface Printers {
  print: Readonly<Record<string, Print>>;
  stop(): Promise<void>;
}

/** @param python an interpreter with reportlab; undefined leaves that out */
export async function startPrinters(
  scratch: string,
  programs: readonly string[],
  python?: string,
): Promise<Printers> {
  const engines = { chrome: startEngine, webkit: startWebKit };
  const { dist } = await buildFontsLayer();
  const print: Record<string, Print> = {};
  const stops: (() => Promise<void>)[] = [];
  for (const [name, start] of Object.entries(engines)) {
    if (!programs.includes(name)) continue;
    const { printer, stop }: { printer: HtmlPrinter; stop(): Promise<void> } = await start();
    print[name] = (html) => printOnce(printer, html);
    stops.push(stop);
  }
  if (programs.includes('libreoffice'))
    print['libreoffice'] = byLibreOffice(scratch, path.join(dist, 'fonts'));
  if (programs.includes('reportlab') && python !== undefined)
    print['reportlab'] = byReportlab(scratch, path.join(dist, 'fonts', 'files'), python);
  return {
    print,
    stop: async () => {
      for (const stop of stops) await stop();
    },
  };
}

function byLibreOffice(scratch: string, fonts: string): Print {
  const folder = path.join(scratch, 'fontconfig');
  mkdirSync(folder, { recursive: true });
  const { file: configuration } = fontConfiguration(folder, true, fonts);
  return async (html) => {
    const source = path.join(scratch, 'document.html');
    writeFileSync(source, html);
    const filter = [
      '--infilter=HTML (StarWriter)',
      '--convert-to',
      'pdf:writer_pdf_Export',
      '--outdir',
      scratch,
    ];
    const { status, stderr } = spawnSync(
      'soffice',
      [`-env:UserInstallation=file://${path.join(scratch, 'profile')}`, '--headless', ...filter, source],
      { encoding: 'utf8', timeout: 180_000, env: { ...process.env, FONTCONFIG_FILE: configuration } },
    );
    if (status !== 0) throw new Error(`soffice: ${stderr}`);
    return await readFile(path.join(scratch, 'document.pdf'));
  };
}

const REPORTLAB = `
import sys, json
from reportlab.pdfgen import canvas
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
path, font, words, seed = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), int(sys.argv[4])
import random
random.seed(seed)
pdfmetrics.registerFont(TTFont('F', font))
c = canvas.Canvas(path)
width = lambda text: pdfmetrics.stringWidth(text, 'F', 12)
def lines(step):
    for at in range(0, len(words), step): yield words[at:at + step]
for layout in range(4):
    c.setFont('F', 12)
    if layout == 3: c.rotate(20); c.translate(80, -120)
    y = 780
    for line in list(lines(3))[layout * 12:layout * 12 + 24]:
        if layout == 0: c.drawString(50, y, ' '.join(line))
        elif layout == 1:
            for column, word in enumerate(line): c.drawString(50 + 170 * column, y, word)
        elif layout == 2:
            x, places = 50, []
            for char in ' '.join(line):
                places.append((x, char)); x += width(char)
            random.shuffle(places)
            for x, char in places: c.drawString(x, y, char)
        else: c.drawCentredString(280, y, ' '.join(line))
        y -= 16
    c.showPage()
c.save()
`;

function byReportlab(scratch: string, fonts: string, python: string): Print {
  return async (_, { words }, { font }) => {
    const output = path.join(scratch, 'reportlab.pdf');
    const args = [
      '-c',
      REPORTLAB,
      output,
      path.join(fonts, `${font}.ttf`),
      JSON.stringify(words.slice(0, 150)),
      '1',
    ];
    const { status, stderr } = spawnSync(python, args, { encoding: 'utf8', timeout: 60_000 });
    if (status !== 0) throw new Error(`reportlab: ${stderr}`);
    return await readFile(output);
  };
}
