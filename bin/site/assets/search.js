/* The search of the documentation. The index is loaded when the field is used first; works from a disk too. */
(() => {
  const { root } = document.currentScript.dataset;
  const field = document.getElementById('search');
  const list = document.getElementById('results');
  let index;

  const load = (file) =>
    new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${root}assets/${file}`;
      script.addEventListener('load', resolve);
      script.addEventListener('error', reject);
      document.head.append(script);
    });

  const ready = () => {
    index ??= load('minisearch.js')
      .then(() => load('index.js'))
      .then(() => window.MiniSearch.loadJS(...window.platenIndex));
    return index;
  };

  const show = async () => {
    const query = field.value.trim();
    const found = query === '' ? [] : (await ready()).search(query).slice(0, 12);
    // Something else may have been typed meanwhile.
    if (query !== field.value.trim()) return;
    list.replaceChildren(
      ...found.map(({ id, title, page }) => {
        const link = document.createElement('a');
        link.href = root + id;
        link.textContent = title === page ? title : `${page}: ${title}`;
        const item = document.createElement('li');
        item.append(link);
        return item;
      }),
    );
  };

  field.addEventListener('focus', () => void ready());
  field.addEventListener('input', () => void show());
  if (window.matchMedia('(max-width: 50rem)').matches) document.querySelector('nav details').open = false;
})();
