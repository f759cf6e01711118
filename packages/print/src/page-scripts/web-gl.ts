/** Name of the window's property that holds what `WEB_GL` has noted. */
export const WEB_GL_NAME = '@platen/webgl';

/**
 * A script that notes what a document's scripts could not draw, because engines have no WebGL here; it has to run before
 * these. It notes the canvases for which they asked for it (WebGL 1.0, 2.1) and got no other context since, and the
 * message of the first error that mentions it and that they did not handle. Who only asks what there is, in a canvas
 * outside of the document, loses nothing.
 */
export const WEB_GL = `(() => {
  const noted = { canvases: new Set(), error: null };
  Object.defineProperty(window, ${JSON.stringify(WEB_GL_NAME)}, { value: noted });
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (...args) {
    const context = getContext.apply(this, args);
    if (context !== null) noted.canvases.delete(this);
    else if (/webgl/.test(args[0])) noted.canvases.add(this);
    return context;
  };
  const note = (text) => { if (/webgl|gpu/i.test(text)) noted.error ??= String(text); };
  addEventListener('error', ({ message }) => note(message));
  addEventListener('unhandledrejection', ({ reason }) => note(reason?.message ?? reason));
})();`;
