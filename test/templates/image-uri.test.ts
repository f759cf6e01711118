import { describe, expect, it } from 'vitest';
import { checkImageUri, defaultImageUri } from '../../packages/contract/src/image-uri.ts';
import { keptFilename } from '../../functions/templates/upload.ts';

describe('the uri of an image (I-11)', () => {
  it.each(['logo', 'company.logo', '_x', 'größe', 'логотип', '図', 'a1.b2'])(
    '%s is taken as given',
    (uri) => {
      expect(checkImageUri(uri)).toBe(uri);
    },
  );

  it.each([
    ['my-logo', 'my_logo'],
    ['my logo', 'my_logo'],
    ['2nd', '_2nd'],
    ['a..b', 'a.b'],
    ['.a', 'a'],
    ['images/logo', 'images_logo'],
    ['true', 'true_'],
    ['logo.if', 'logo.if_'],
    ['__class__', 'class'],
    ['{{x}}', 'x'],
  ])('%s is refused, and %s is proposed', (uri, proposal) => {
    expect(() => checkImageUri(uri)).toThrow(`(for example "${proposal}")`);
    expect(checkImageUri(proposal)).toBe(proposal);
  });

  it('a text without letters is refused without a proposal', () => {
    expect(() => checkImageUri('***')).toThrow(/nested names\.$/);
  });

  it.each([
    ['logo.png', 'logo'],
    ['Logo', 'Logo'],
    ['logo.v2.png', 'logo.v2'],
    ['photo.2024.jpg', 'photo._2024'],
    ['Company logo (2).png', 'Company_logo_2'],
    ['über.png', 'über'],
    ['u\u0308ber.png', 'über'],
    ['.png', 'png'],
    ['none.gif', 'none_'],
    ['2.png', '_2'],
  ])('%s becomes %s', (filename, uri) => {
    expect(defaultImageUri(filename, [])).toBe(uri);
    expect(checkImageUri(uri)).toBe(uri);
  });

  it('a file without a usable name is image, image2 and so on', () => {
    expect(defaultImageUri(null, [])).toBe('image');
    expect(defaultImageUri('---.png', ['logo', 'image'])).toBe('image2');
    expect(defaultImageUri(null, ['image', 'image2', 'image4'])).toBe('image3');
  });

  it('every name in the world gives a uri that is a variable', () => {
    for (let code = 0; code < 0x3000; code += 1) {
      const uri = defaultImageUri(`${String.fromCodePoint(code)}a${String.fromCodePoint(code)}.x.png`, []);
      expect(checkImageUri(uri)).toBe(uri);
    }
    expect([...defaultImageUri('𝒳'.repeat(300), [])].length).toBe(255);
  });
});

describe('the name kept of a file', () => {
  it.each([
    ['a.html', 'a.html'],
    ['C:\\Users\\x\\a.html', 'a.html'],
    ['/etc/passwd', 'passwd'],
    ['../..', null],
    ['a\r\nSet-Cookie: x.html', 'aSet-Cookie: x.html'],
    ['  ', null],
    [null, null],
  ])('%j becomes %j', (name, kept) => {
    expect(keptFilename(name)).toBe(kept);
  });

  it('the first name given counts, and a long one keeps its ending', () => {
    expect(keptFilename(undefined, '', 'b.css', 'c.css')).toBe('b.css');
    const long = keptFilename(`${'x'.repeat(400)}.css`);
    expect([long?.length, long?.endsWith('x.css')]).toEqual([255, true]);
  });
});
