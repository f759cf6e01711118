/**
 * A script that shows a document's scripts everything that is on paper; it has to run before these. Pages that load
 * or reveal content on scrolling hear of each element once that it is in sight, whether it is on the first screen or
 * not (Intersection Observer, 2.2). Elements that have no box stay out of sight.
 */
export const SIGHT = `(() => {
  const Observer = window.IntersectionObserver, Entry = window.IntersectionObserverEntry;
  if (Observer === undefined || Entry === undefined) return;
  const inSight = ({ time, target, rootBounds, boundingClientRect }) => {
    const known = { time, target, rootBounds, boundingClientRect, intersectionRect: boundingClientRect,
      isIntersecting: true, intersectionRatio: 1, isVisible: false };
    const properties = Object.entries(known).map(([name, value]) => [name, { value, enumerable: true }]);
    return Object.create(Entry.prototype, Object.fromEntries(properties));
  };
  window.IntersectionObserver = class IntersectionObserver extends Observer {
    constructor(callback, options) {
      const told = new WeakSet();
      super((entries, observer) => {
        callback.call(observer, entries, observer);
        const others = entries.filter(({ isIntersecting, target }) =>
          !isIntersecting && !told.has(target) && target.isConnected && target.getClientRects().length > 0);
        for (const { target } of others) told.add(target);
        if (others.length > 0) callback.call(observer, others.map(inSight), observer);
      }, options);
      if (typeof callback !== 'function') new Observer(callback, options);
    }
  };
})();`;
