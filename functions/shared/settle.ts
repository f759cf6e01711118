/**
 * Body of an asynchronous function that waits, inside a document, for late images and fonts. It returns at once when
 * there is nothing to wait for. `fonts.ready` alone would never come in a document that navigated away while it loaded.
 */
export const SETTLE = `
  const late = [...document.images].filter((image) => !image.complete);
  const arrival = (image) => new Promise((done) => {
    image.addEventListener('load', done);
    image.addEventListener('error', done);
    image.loading = 'eager';
  });
  if (late.length > 0) await Promise.all(late.map(arrival));
  // What scripts left to the next frame: charts above all. A page that gets no frames is printed without.
  if (document.scripts.length > 0) {
    await Promise.race([
      new Promise((done) => requestAnimationFrame(() => setTimeout(done))),
      new Promise((done) => setTimeout(done, 100)),
    ]);
  }
  document.documentElement?.getBoundingClientRect();
  while (document.fonts.status === 'loading') await document.fonts.ready;
`;
