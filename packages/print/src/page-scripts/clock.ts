/**
 * A script that replaces a document's clock; it has to run before the document's own scripts. While the
 * document loads, nothing changes. `run` then fires the waiting timers and animation frames without waiting
 * for them, each at its own time, and the clock stands still afterwards until the document is left.
 */

/** Name of the window's property that holds the clock. */
export const CLOCK_NAME = '@platen/clock';

/**
 * Milliseconds of document time within which a document has to settle. After that it is printed in its
 * current state.
 */
const LONGEST = 10_000;
/** Milliseconds of real time within which the document has to settle. */
const PATIENCE = 2_000;
/**
 * Milliseconds of real time within which workers have to answer before timers go on, so that a timer that gives up on a
 * worker is not ahead of it. After the timers, the rest of `PATIENCE` is left for them.
 */
const WORKERS_FIRST = 1_000;
/** A timer with at least this delay in milliseconds that restarts itself is a poll, which never settles. */
const WATCH = 1_000;

/**
 * Number of times a script may read the stopped clock before it advances: a busy wait would never end
 * otherwise.
 */
const LOOKS = 1_000;

export const CLOCK = `(() => {
  const { setTimeout, clearTimeout, setInterval, clearInterval, requestAnimationFrame, cancelAnimationFrame } = window;
  const { Date, Performance, XMLHttpRequest, MessageChannel, Map, Worker } = window;
  const realNow = Performance.prototype.now;
  const realDate = Date.now;
  const elapsed = () => realNow.call(performance);

  // By the identifier that the engine gave them. Those of frames are numbers apart.
  const timers = new Map();
  let frames = new Map();
  let level = 0;
  let requests = 0;
  // Moment of the document's time at which it stands still; null while it goes on by itself.
  let standing = null;
  let begun = null;
  let real = 0;

  let looks = 0;
  let looked = null;

  const now = () => {
    if (standing === null) return elapsed();
    looks += 1;
    if (looks > ${LOOKS}) {
      const moment = elapsed();
      standing += moment - (looked ?? moment);
      looked = moment;
    }
    return standing;
  };
  const guarded = (callback, self, args) => {
    try { callback.apply(self, args); } catch (error) { reportError(error); }
  };
  const fire = (timer) => {
    level = timer.level + 1;
    guarded(timer.callback, window, timer.args);
    level = 0;
  };

  const timed = (start, repeats) => (callback, delay = 0, ...args) => {
    // A text is compiled by the engine.
    if (typeof callback !== 'function') return start.call(window, callback, delay, ...args);
    // As short as engines have it.
    const wait = Math.max(Number(delay) || 0, repeats || level >= 5 ? 4 : 0);
    const timer = { callback, args, wait, repeats, level, due: now() + wait };
    const id = start.call(window, () => {
      if (standing !== null) return;
      if (repeats) timer.due = now() + wait;
      else timers.delete(id);
      fire(timer);
    }, wait);
    timers.set(id, timer);
    return id;
  };
  const cleared = (clear) => (id) => {
    timers.delete(id);
    clear.call(window, id);
  };
  window.setTimeout = timed(setTimeout, false);
  window.setInterval = timed(setInterval, true);
  window.clearTimeout = cleared(clearTimeout);
  window.clearInterval = cleared(clearInterval);
  window.requestAnimationFrame = (callback) => {
    const id = requestAnimationFrame.call(window, (time) => {
      if (standing === null && frames.delete(id)) callback(time);
    });
    if (typeof callback === 'function') frames.set(id, callback);
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    frames.delete(id);
    cancelAnimationFrame.call(window, id);
  };

  const shifted = () => realDate.call(Date) + Math.round(now() - elapsed());
  Performance.prototype.now = function () { return now() + realNow.call(this) - elapsed(); };
  Date.now = shifted;
  window.Date = new Proxy(Date, {
    construct: (target, args, self) =>
      Reflect.construct(target, args.length === 0 ? [shifted()] : args, self === window.Date ? target : self),
    apply: (target) => new target(shifted()).toString(),
  });
  Date.prototype.constructor = window.Date;

  // What comes over the network takes real time, for which the document's own waits.
  const { fetch } = window;
  window.fetch = (...args) => {
    requests += 1;
    return fetch.apply(window, args).finally(() => { requests -= 1; });
  };
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (...args) {
    requests += 1;
    this.addEventListener('loadend', () => { requests -= 1; }, { once: true });
    try { return send.apply(this, args); } catch (error) { requests -= 1; throw error; }
  };

  // As does the work of workers: those that were started, or sent something, and have not answered.
  const asked = new Set();
  if (Worker !== undefined) {
    const { postMessage, terminate } = Worker.prototype;
    window.Worker = new Proxy(Worker, {
      construct: (target, args, self) => {
        const worker = Reflect.construct(target, args, self === window.Worker ? target : self);
        asked.add(worker);
        for (const kind of ['message', 'messageerror', 'error']) worker.addEventListener(kind, () => asked.delete(worker));
        return worker;
      },
    });
    Worker.prototype.constructor = window.Worker;
    Worker.prototype.postMessage = function (...args) {
      postMessage.apply(this, args);
      asked.add(this);
    };
    Worker.prototype.terminate = function () {
      asked.delete(this);
      terminate.call(this);
    };
  }

  const { port1, port2 } = new MessageChannel();
  // A task, and not only what follows from promises: what was posted comes in.
  const task = () => new Promise((done) => {
    port1.onmessage = () => done();
    port2.postMessage(null);
  });
  const pause = (milliseconds) => new Promise((done) => { setTimeout.call(window, done, milliseconds); });

  const isWaitedFor = ({ wait, repeats, level }) => wait < ${WATCH} || !(repeats || level > 0);
  /** The next moment at which something happens; null where nothing does that is waited for. */
  const next = () => {
    let due = frames.size > 0 ? standing + 1000 / 60 : Infinity;
    let timer = null;
    let waits = frames.size > 0;
    for (const candidate of timers) {
      waits ||= isWaitedFor(candidate[1]);
      if (candidate[1].due < due) [timer, due] = [candidate, candidate[1].due];
    }
    return waits ? { timer, due } : null;
  };
  const step = (timer) => {
    looks = 0;
    looked = null;
    if (timer === null) {
      const batch = frames;
      frames = new Map();
      for (const [id, callback] of batch) {
        cancelAnimationFrame.call(window, id);
        guarded(callback, window, [standing]);
      }
      return;
    }
    const [id, { repeats, wait }] = timer;
    if (repeats) timer[1].due = standing + wait;
    else {
      timers.delete(id);
      clearTimeout.call(window, id);
    }
    fire(timer[1]);
  };

  Object.defineProperty(window, ${JSON.stringify(CLOCK_NAME)}, {
    value: {
      /** Resolves at the next frame of the engine, or soon where it draws none. */
      frame: () => Promise.race([new Promise((done) => requestAnimationFrame.call(window, () => done())).then(task), pause(100)]),
      /** Resolves when nothing is left to wait for, with whether anything ran. */
      async run() {
        standing ??= elapsed();
        begun ??= standing;
        let ran = false;
        const since = elapsed();
        while (real + elapsed() - since < ${PATIENCE}) {
          await task();
          const coming = next();
          const isLast = coming === null || coming.due > begun + ${LONGEST};
          const mayAnswer = isLast || real + elapsed() - since < ${WORKERS_FIRST};
          if (requests > 0 || (asked.size > 0 && mayAnswer)) {
            ran ||= asked.size > 0;
            await pause(5);
            continue;
          }
          if (isLast) break;
          standing = Math.max(standing, coming.due);
          step(coming.timer);
          ran = true;
        }
        real += elapsed() - since;
        return ran;
      },
    },
  });
})();`;
