import { CLOCK_NAME } from './clock.ts';

/** Number of times a document is checked again after something in it has changed. */
const ROUNDS = 20;

/**
 * Body of an asynchronous function that runs inside a document and waits for late images and fonts, for work
 * that scripts left to timers and frames (`CLOCK`), and for animations and transitions. It moves finite
 * animations to their end and infinite ones to their beginning. It returns at once when there is nothing to
 * wait for.
 */
export const SETTLE = `
  const documents = [];
  const addDocuments = (document) => {
    documents.push(document);
    for (const frame of document.querySelectorAll('iframe, frame, object, embed')) {
      // Null where it is of another origin.
      const inner = frame.contentDocument;
      if (inner?.defaultView) addDocuments(inner);
    }
  };
  addDocuments(document);

  const arrival = (image) => new Promise((done) => {
    image.addEventListener('load', done);
    image.addEventListener('error', done);
    image.loading = 'eager';
  });
  const arrived = async () => {
    const late = [...document.images].filter((image) => !image.complete);
    if (late.length > 0) await Promise.all(late.map(arrival));
    document.documentElement?.getBoundingClientRect();
    // It would never come in a document that navigated away while it loaded.
    while (document.fonts.status === 'loading') await document.fonts.ready;
  };

  const bringToRest = (animation) => {
    if (animation.playState !== 'running' && animation.playState !== 'idle') return false;
    const end = animation.effect?.getComputedTiming().endTime;
    if (typeof end !== 'number' || animation.playbackRate === 0) return false;
    if (end !== Infinity) animation.finish();
    else {
      animation.pause();
      animation.currentTime = 0;
    }
    return true;
  };
  const endOf = (element) => {
    try {
      const count = element.getAttribute('repeatCount');
      if (count === 'indefinite' || element.hasAttribute('repeatDur')) return 0;
      return element.getStartTime() + element.getSimpleDuration() * (Number(count) || 1);
    } catch {
      // It never begins, or never ends.
      return 0;
    }
  };
  const bringDrawingToRest = (drawing) => {
    if (drawing.ownerSVGElement !== null || drawing.animationsPaused()) return;
    const animated = drawing.querySelectorAll('animate, animateTransform, animateMotion, set');
    if (animated.length === 0) return;
    drawing.pauseAnimations();
    drawing.setCurrentTime(Math.max(...[...animated].map(endOf)));
  };

  for (let round = 0; round < ${ROUNDS}; round += 1) {
    await arrived();
    const clock = window[${JSON.stringify(CLOCK_NAME)}];
    // Observers are heard in a frame; what is finished tells its listeners in the next one.
    if (clock !== undefined && document.scripts.length > 0) await clock.frame();
    let moved = false;
    for (const document of documents) {
      moved = (await document.defaultView?.[${JSON.stringify(CLOCK_NAME)}]?.run()) || moved;
      for (const animation of document.getAnimations()) {
        if (animation.timeline === document.timeline) moved = bringToRest(animation) || moved;
        else if (animation.timeline !== null) {
          // It follows the scrolling, of which paper has none.
          animation.timeline = document.timeline;
          animation.effect?.updateTiming({ duration: 1 });
          animation.finish();
          moved = true;
        }
      }
      for (const drawing of document.querySelectorAll('svg')) bringDrawingToRest(drawing);
    }
    if (!moved || clock === undefined) break;
  }
  await arrived();
`;
