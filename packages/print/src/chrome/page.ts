import type { Protocol } from 'devtools-protocol';
import { NAMED_FACES } from '../named-faces.ts';
import { CLOCK } from '../page-scripts/clock.ts';
import { SIGHT } from '../page-scripts/sight.ts';
import { WEB_GL } from '../page-scripts/web-gl.ts';
import { afterRunning } from '@platen/core/processes';
import { type PageRules, pageRulesOf, PIXELS_OF_INCH, sizesPages } from '../page-rules.ts';
import {
  CONTENT_HEIGHT,
  longer,
  longSheetOf,
  coveredText,
  roomOf,
  type Sheet,
  sheetOf,
  withRoomFor,
} from '../sheet.ts';
import { inches, type PaperSize } from '../paper.ts';
import type { ConsoleMessage } from '../observer.ts';
import type { WaitFor } from '../browser-options.ts';
import type { HtmlDocument, PrintOptions } from '../print.ts';
import type { Connection, Result } from './connection.ts';
import { correct } from './corrections.ts';
import { type Gate, verdictOnEmpty } from './gate.ts';
import { SCRIPT_LANGUAGE } from './made-up-language.ts';
import { Navigation } from './navigation.ts';
import type { EmptyDocument } from './own-origin.ts';
import { platformFonts } from './platform-fonts.ts';
import { PageSettings, type PageState } from './page-settings.ts';
import { UNHEARD_PRINTS } from './before-print.ts';
import { restyling, STYLE_TEXTS } from './own-styles.ts';
import { hasViewport, pageFacts, pageScript, readyForPaper } from './page-script.ts';
import { printParams, sheetSizes } from './print-params.ts';
import { settling } from './settling.ts';
import { prepareTab } from './tab-setup.ts';
import { PageCrashed, Tab } from './tab.ts';

/** One tab of a browser, which prints documents one after the other. */
export class ChromePage {
  readonly #tab: Tab;
  readonly #navigation: Navigation;
  #gate: Gate | undefined;
  #separates = false;
  #isSpent = false;
  #waiting: AbortController | null = null;
  #room = { width: 0, height: 0, deviceScaleFactor: 1 };
  /** The document's own page settings. */
  readonly #settings = new PageSettings((method, params) => this.#tab.send(method, params));
  #rules: PageRules | null = null;
  #console: ((message: ConsoleMessage) => void) | null = null;
  /** Measured heights of its header and footer. */
  #heights: unknown = null;
  /** Height in CSS pixels of a document that is printed on one page. */
  #content: number | null = null;
  /** Whether it was checked that Chromium has not scaled it down. */
  #isWidthKnown = false;
  /** The origin of the document that it has left. */
  #origin: string | null = null;
  /** The document that is loaded for the content of the next one. */
  #empty: EmptyDocument | null = null;
  /** Changes each PDF as Chromium writes it. */
  finish: ((pdf: Buffer) => Buffer) | null = null;

  /** Opens a page. @param ownContext as for `Tab.open` */
  static async open(connection: Connection, ownContext: boolean): Promise<ChromePage> {
    const page = new ChromePage(await Tab.open(connection, ownContext));
    await page.#tab.unlessGone(() => page.#prepare());
    return page;
  }

  private constructor(tab: Tab) {
    this.#tab = tab;
    this.#navigation = new Navigation(tab);
    tab.onGone((reason) => this.#waiting?.abort(reason));
  }

  async #prepare(): Promise<void> {
    this.#tab.on('Fetch.requestPaused', (event) => void this.#judge(event));
    this.#tab.on('Runtime.consoleAPICalled', ({ type, args }) =>
      this.#said(type, args.map((arg) => String(arg.value ?? arg.description ?? arg.type)).join(' ')),
    );
    this.#tab.on('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception } }) =>
      this.#said('error', exception?.description ?? text),
    );
    // What Chromium refuses by itself is never requested.
    this.#tab.on('Log.entryAdded', ({ entry }) => this.#gate?.noteRefusal(entry.text));
    await prepareTab(this.#tab);
  }

  /**
   * Loads the gate's document for printing, and waits until all visible content is loaded.
   *
   * @param pixelRatio device pixels per CSS pixel: with several, letters have the same positions as on paper
   * @param isTransparent whether a picture of the document has no background
   */
  async load(gate: Gate, options: PrintOptions, pixelRatio = 1, isTransparent = false): Promise<void> {
    const { browser } = options;
    const settings: PageState = {
      media: browser?.media ?? 'print',
      features: JSON.stringify(browser?.mediaFeatures ?? {}),
      javascript: browser?.javascript ?? true,
      hears: this.#console !== null || (gate.faults?.message ?? null) !== null,
      transparent: isTransparent,
    };
    gate.runsScripts = settings.javascript;
    this.#gate = gate;
    this.#empty = null;
    this.finish = null;
    this.#rules = null;
    this.#waiting = null;
    this.#heights = null;
    this.#content = null;
    this.#isWidthKnown = false;
    await this.#tab.unlessGone(async () => {
      const room = browser?.viewport ?? roomOf(this.#sheetOf(options), null, options.scale);
      const isSet = Promise.all([this.#settings.set(settings), this.#resize(room, pixelRatio)]);
      // A navigation takes longer than these; content that is written would begin to load before they apply.
      if (gate.isWritten) await isSet;
      await Promise.all([
        isSet,
        this.#tab.send('Page.resetNavigationHistory'),
        ...(gate.facts.hasScripts ? [this.#separate()] : []),
        gate.isWritten ? this.#navigation.write(gate.html) : this.#navigation.go(gate.url),
      ]);
      // Requests in it could not be waited for either. The policy of the document prevents its scripts from
      // running.
      if (browser?.javascript === false) await this.#settings.setScripts(true);
      if (browser !== null && browser.waitFor !== null) await this.#waitFor(browser.waitFor);
      const { comesLate, mayRulePages, mayAskForWidth } = gate.facts;
      if (comesLate || mayRulePages || mayAskForWidth || options.roomFor !== null)
        await this.#settle(gate, options);
    });
  }

  /** Makes bold text of the loaded document use bold faces: see `NAMED_FACES`. */
  async nameFaces(): Promise<void> {
    if (this.#gate?.facts.mayLackFaces !== true) return;
    await this.#tab.unlessGone(() => this.#tab.send('Runtime.evaluate', { expression: `{${NAMED_FACES}}` }));
  }

  /** Waits for late resources, and applies the document's `@page` rules. */
  async #settle({ facts, html, isAsWritten }: Gate, options: PrintOptions): Promise<void> {
    const ready = readyForPaper(facts, options);
    const before = isAsWritten
      ? restyling(html, await this.#evaluate(ready + STYLE_TEXTS)) + settling(facts)
      : ready;
    const found = await this.#evaluate(pageScript(before, facts, options));
    const { rules: said, heights: measured, hasOtherWidths } = pageFacts(found);
    this.#rules = pageRulesOf(said);
    this.#heights = measured;
    // Other rules apply, which may need resources that are not loaded yet.
    if (hasOtherWidths) await this.#evaluate(settling({ ...facts, comesLate: true }));
    if ((this.#rules === null && measured === null) || hasViewport(options)) return;
    const room = this.#room;
    await this.#resize(
      roomOf(this.#sheetOf(options), this.#rules, options.scale),
      this.#room.deviceScaleFactor,
    );
    // Scripts that fit drawings to the available width are notified of the new one.
    if (room !== this.#room && facts.hasScripts) await this.#evaluate(settling(facts));
  }

  /** Runs the body of an asynchronous function in the loaded document. @returns its result as JSON */
  async evaluate(body: string): Promise<unknown> {
    return this.#tab.unlessGone(async () => {
      await this.#settings.setScripts(true);
      return await this.#evaluate(body);
    });
  }

  async #evaluate(body: string): Promise<unknown> {
    const { result } = await this.#tab.send('Runtime.evaluate', {
      expression: `(async () => {${body}})()`,
      awaitPromise: true,
      returnByValue: true,
    });
    return result.value;
  }

  /** Whether a condition of the options is still awaited. */
  get isWaiting(): boolean {
    return this.#waiting !== null;
  }

  async #waitFor(what: WaitFor): Promise<void> {
    const { waitFor } = await import('./wait.ts');
    this.#waiting = new AbortController();
    await waitFor(what, (method, params) => this.#tab.send(method, params), this.#waiting.signal);
    this.#waiting = null;
  }

  #sheetOf(options: PrintOptions): Sheet {
    const choice = withRoomFor(options, this.#heights);
    if (options.fitsContent) return longSheetOf(choice, this.#rules, this.#content, options.scale);
    return sheetOf(choice, this.#rules);
  }

  /** Sentences about headers and footers that reach into the text of the loaded document. */
  coveredText(options: PrintOptions): string[] {
    return coveredText(this.#sheetOf(options), options.roomFor, this.#heights);
  }

  /** Sets the length of a single-page document to that of its content, or slightly more than the last time. */
  async fitContent(): Promise<void> {
    this.#content =
      this.#content === null
        ? Number(await this.evaluate(`${CONTENT_HEIGHT} return content;`))
        : longer(this.#content);
  }

  /** The sheet of the loaded document, and its page rules. */
  sheet(options: PrintOptions): { sheet: Sheet; rules: PageRules | null } {
    return { sheet: this.#sheetOf(options), rules: this.#rules };
  }

  /** The own files of the loaded document, by path. */
  get resources(): HtmlDocument['resources'] {
    return this.#gate?.resources ?? new Map();
  }

  /** Prints the loaded document. */
  async pdf(options: PrintOptions, pageRange: string): Promise<Buffer> {
    const print = (): Promise<Buffer> => this.#print(options, pageRange);
    const pdf = await print();
    if (this.#isWidthKnown || options.fitsContent) return pdf;
    this.#isWidthKnown = true;
    // Loaded on demand: few renderings need it.
    const { inFullSize } = await import('./shrinking.ts');
    return await inFullSize(pdf, {
      scale: options.scale,
      isSized: sizesPages(this.#rules),
      margin: (inches(this.#sheetOf(options).margins.right) * PIXELS_OF_INCH) / options.scale,
      evaluate: (body) => this.evaluate(body),
      print,
      warn: (text) => this.#gate?.warn(text),
    });
  }

  async #print(options: PrintOptions, pageRange: string): Promise<Buffer> {
    return this.#tab.unlessGone(async () => {
      await this.#settings.setScripts(this.#gate?.runsScripts ?? true);
      const sheet = this.#sheetOf(options);
      const pdf = await this.#tab.data(
        'Page.printToPDF',
        printParams(options, pageRange, {
          sheet,
          rules: this.#rules,
          followsRules: !options.fitsContent && this.#followsRules(),
        }),
      );
      const sizes = sheetSizes(sheet, options.fitsContent ? null : this.#rules);
      correct(pdf, sizes, this.#gate?.isForeign === false ? this.#gate.origin : null);
      return this.finish?.(pdf) ?? pdf;
    });
  }

  /** Whether pages follow rules of the document: the others were removed. */
  #followsRules(): boolean {
    return this.#rules !== null || this.#gate?.hasForeignPageRules === true;
  }

  /**
   * The fonts of the text of elements.
   *
   * @param lists expression of an array of arrays of elements
   * @returns the fonts of each of the arrays
   */
  async platformFonts(lists: string): Promise<Protocol.CSS.PlatformFontUsage[][]> {
    return this.#tab.unlessGone(() =>
      platformFonts((method, params) => this.#tab.send(method, params), lists),
    );
  }

  /** Reports console messages and exceptions of scripts of the next document; null: nothing. */
  listen(console: ((message: ConsoleMessage) => void) | null): void {
    this.#console = console;
  }

  #said(level: string, text: string): void {
    if (level === 'error' || level === 'assert') this.#gate?.faults?.message?.(text);
    const origin = this.#gate?.isForeign === false ? `${this.#gate.origin}/` : null;
    this.#console?.({ level, text: origin === null ? text : text.replaceAll(origin, '') });
  }

  /** Number of elements of the document, counted in an isolated world, without interference by its scripts. */
  async countElements(): Promise<number> {
    return this.#tab.unlessGone(async () => {
      const { executionContextId } = await this.#tab.send('Page.createIsolatedWorld', {
        frameId: this.#tab.id,
      });
      const { result } = await this.#tab.send('Runtime.evaluate', {
        expression: "document.getElementsByTagName('*').length",
        contextId: executionContextId,
        returnByValue: true,
      });
      return Number(result.value);
    });
  }

  /** Every element with some of its computed styles, its position, and the lines of its text. */
  async snapshot(computedStyles: readonly string[]): Promise<Result<'DOMSnapshot.captureSnapshot'>> {
    return this.#tab.unlessGone(() =>
      this.#tab.send('DOMSnapshot.captureSnapshot', { computedStyles: [...computedStyles] }),
    );
  }

  /** The bytes of a resource of the document. @throws ProtocolError if the document has not loaded it */
  async resource(url: string): Promise<Buffer> {
    return this.#tab.unlessGone(async () => {
      const params = { frameId: this.#tab.id, url };
      const { content, base64Encoded } = await this.#tab.send('Page.getResourceContent', params);
      return Buffer.from(content, base64Encoded ? 'base64' : 'utf8');
    });
  }

  /** An image of a part of the document, by default as PNG. @param clip in CSS pixels from its beginning */
  async screenshot(
    clip: Omit<Protocol.Page.Viewport, 'scale'>,
    scale: number,
    as: Pick<Protocol.Page.CaptureScreenshotRequest, 'format' | 'quality'> = { format: 'png' },
  ): Promise<Buffer> {
    // For an image, Chromium sets preferences and then restores its own, without the families of
    // `Page.setFontFamilies`.
    this.#isSpent = true;
    return this.#tab.unlessGone(async () => {
      await this.#settings.setScripts(this.#gate?.runsScripts ?? true);
      const params = { ...as, clip: { ...clip, scale }, captureBeyondViewport: true };
      return await this.#tab.data('Page.captureScreenshot', params);
    });
  }

  /** Whether its process has ended, or it is closed. */
  get isGone(): boolean {
    return this.#tab.isGone;
  }

  /** See `Tab.ended`. */
  ended(): ReturnType<Tab['ended']> {
    return this.#tab.ended();
  }

  /** Whether its state has changed, so that no other document may be loaded in it. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** The loaded document into which the content of the next one can be written, if there is one. */
  get empty(): EmptyDocument | null {
    return this.#empty;
  }

  /** Replaces the document by an empty one for the content of the next. @throws after `timeout` milliseconds */
  async loadEmpty(empty: EmptyDocument, timeout: number): Promise<void> {
    await this.#within(timeout, async () => {
      this.#leave();
      this.#empty = empty;
      await this.#navigation.go(empty.url);
    });
  }

  /** Frees the memory that documents have left. @throws after `timeout` milliseconds */
  async collectGarbage(timeout: number): Promise<void> {
    await this.#within(timeout, async () => await this.#tab.send('HeapProfiler.collectGarbage'));
  }

  /** Ends the document's scripts, and removes its data and history. @throws after `timeout` milliseconds */
  async reset(timeout: number): Promise<void> {
    await this.#within(timeout, async () => {
      this.#leave();
      if (this.#empty === null) await this.#navigation.go('about:blank');
      const origin = this.#origin;
      await Promise.all([
        this.#settings.setHearing(false),
        this.#tab.send('Page.resetNavigationHistory'),
        ...(origin === null
          ? []
          : [this.#tab.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })]),
      ]);
    });
  }

  #leave(): void {
    this.#origin = this.#gate?.origin ?? this.#origin;
    this.#gate = undefined;
    this.#console = null;
  }

  /** Ends the tab if work in it takes too long. */
  async #within(timeout: number, work: () => Promise<void>): Promise<void> {
    const clear = afterRunning(timeout, () => this.#tab.end(new PageCrashed('the page does not react')));
    await this.#tab.unlessGone(work).finally(clear);
  }

  /** Closes the page and its context. Does nothing if the browser has ended. */
  async close(): Promise<void> {
    await this.#tab.close();
  }

  /** Gives documents the same width on screen as on paper, because scripts measure it. */
  async #resize({ width, height }: PaperSize, deviceScaleFactor: number): Promise<void> {
    const room = this.#room;
    if (room.width === width && room.height === height && room.deviceScaleFactor === deviceScaleFactor)
      return;
    this.#room = { width, height, deviceScaleFactor };
    const metrics = { width, height, deviceScaleFactor, mobile: false };
    await this.#tab.send('Emulation.setDeviceMetricsOverride', metrics);
  }

  /**
   * Prevents scripts from leaving data to later documents: the window keeps its name, and cookies can be those of
   * a whole domain; and gives them a clock without real waiting. On demand, because a script context costs time
   * for every document.
   */
  async #separate(): Promise<void> {
    if (this.#separates) return;
    this.#separates = true;
    const source = `if (window === top) name = ''; delete window.cookieStore; ${CLOCK}${SIGHT}${WEB_GL}${SCRIPT_LANGUAGE}${UNHEARD_PRINTS}`;
    await Promise.all([
      this.#tab.send('Page.addScriptToEvaluateOnNewDocument', { source }),
      this.#tab.send('Emulation.setDocumentCookieDisabled', { disabled: true }),
    ]);
  }

  async #judge(event: Protocol.Fetch.RequestPausedEvent): Promise<void> {
    const { requestId } = event;
    // The id of a page's main frame is the id of its target.
    const verdict = await (this.#gate?.decide(event, this.#tab.id) ??
      verdictOnEmpty(this.#empty, event.request.url));
    await this.#tab.answer(requestId, verdict);
  }
}
