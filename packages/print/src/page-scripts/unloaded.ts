/** Name of the window's property that holds what `UNLOADED` has noted. */
const NAME = '@platen/unloaded';

/** Maximum number of addresses that are noted. */
const MOST = 100;

/**
 * A script that notes the addresses that a document's scripts asked for in vain, by fetch, XMLHttpRequest or an element that
 * they made, for an engine that cannot report requests; it has to run before these.
 */
export const UNLOADED = `(() => {
  const noted = { requests: new Set(), elements: new Set() };
  Object.defineProperty(window, '${NAME}', { value: noted });
  const note = (address, kind = noted.requests) => {
    try { if (kind.size < ${MOST}) kind.add(new URL(address, document.baseURI).href); } catch {}
  };
  const { fetch } = window;
  window.fetch = function (...args) {
    const answer = fetch.apply(this, args), address = args[0] instanceof Request ? args[0].url : args[0];
    answer.then(({ ok }) => { if (!ok) note(address); }, () => note(address));
    return answer;
  };
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (...args) {
    this.addEventListener('loadend', () => { if (this.status === 0 || this.status >= 400) note(args[1]); }, { once: true });
    return open.apply(this, args);
  };
  addEventListener('error', ({ target }) => {
    if (target instanceof Element) note(target.currentSrc || target.src || target.href || target.data, noted.elements);
  }, true);
})();`;

/** Statements that store these addresses in `unloaded`: `requests`, and those of `elements`, whoever made them. */
export const UNLOADED_ADDRESSES = `
  const { requests = [], elements: failed = [] } = window['${NAME}'] ?? {};
  const unloaded = { requests: [...requests], elements: [...failed] };`;
