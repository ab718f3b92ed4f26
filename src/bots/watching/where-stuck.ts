import { Session } from "node:inspector";
import { SourceMap } from "node:module";
import * as z from "zod";
import { OwnTime } from "./own-time.ts";
import { isAuthors, pathOf } from "./places.ts";
import type { ThreadUsage } from "./thread-usage.ts";
import { inRealTime, TICK_MS, type Ticking } from "./ticking.ts";

/** Schemas for messages of V8's inspector. */
const attached = z.object({ sessionId: z.string(), workerInfo: z.object({ title: z.string() }) });
const received = z.object({ sessionId: z.string(), message: z.string() });
const script = z.object({ scriptId: z.string(), url: z.string(), sourceMapURL: z.string() });
const frame = z.object({
  location: z.object({
    scriptId: z.string(),
    lineNumber: z.number(),
    columnNumber: z.number().default(0),
  }),
});
const said = z.union([
  z.object({ method: z.literal("Debugger.scriptParsed"), params: script }),
  z.object({
    method: z.literal("Debugger.paused"),
    params: z.object({ callFrames: z.array(frame) }),
  }),
  z.object({ id: z.number() }),
]);

type Script = z.infer<typeof script>;

/** Id of the last inspector command that is sent to a thread, `Debugger.disable`. */
const LAST_ID = 3;

/** Maximum time for locating the code in milliseconds, even if the thread could not run in it. */
const MAX_SEARCH_MS = 30_000;

export interface SearchLimits {
  /** Time for which the thread may run before the search ends without a place, in milliseconds. */
  readonly ownMs: number;
  /** Returns the processor usage of the thread; undefined if unknown. */
  readonly usage: () => ThreadUsage | undefined;
  readonly ticking?: Ticking | undefined;
}

/**
 * Locates the code that blocks a thread, as `file:line:column` in the author's file.
 *
 * Only V8's inspector can interrupt such code, and only while the thread has the processor. A thread that is stuck has
 * the lowest priority, so on a busy machine the search takes longer. The thread is ended afterwards.
 */
export function whereStuck(
  threadId: number,
  { ownMs, usage, ticking = inRealTime }: SearchLimits,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const session = new Session();
    const scripts = new Map<string, Script>();
    let ours: string | undefined;
    let ask = (_id: number, _method: string): void => {};
    const end = (): void => {
      stop();
      session.disconnect();
      resolve(undefined);
    };
    // A paused thread can't be terminated, so it is always resumed; the session ends when the thread has confirmed
    // that, or when the thread has ended.
    const letGo = (place?: string): void => {
      if (ours === undefined) return end();
      stop();
      ask(LAST_ID, "Debugger.disable");
      resolve(place);
    };
    const time = new OwnTime(usage);
    const stop = ticking(() => {
      time.tick();
      if (time.ownMs >= ownMs || time.ticks * TICK_MS >= MAX_SEARCH_MS) letGo();
    });
    try {
      session.connect();
    } catch {
      // Node has no inspector, or a debugger is attached: the place is unknown.
      return end();
    }
    session.on("NodeWorker.attachedToWorker", ({ params }) => {
      const { sessionId, workerInfo } = attached.parse(params);
      if (!workerInfo.title.startsWith(`[worker ${threadId}]`)) return;
      ours = sessionId;
      ask = (id, method) => {
        const message = JSON.stringify({ id, method });
        session.post("NodeWorker.sendMessageToWorker", { sessionId, message });
      };
      ask(1, "Debugger.enable");
      ask(2, "Debugger.pause");
    });
    session.on("NodeWorker.receivedMessageFromWorker", ({ params }) => {
      const { data } = said.safeParse(JSON.parse(received.parse(params).message));
      if (data === undefined) return;
      if ("id" in data) {
        if (data.id === LAST_ID) session.disconnect();
      } else if (data.method === "Debugger.scriptParsed") {
        scripts.set(data.params.scriptId, data.params);
      } else letGo(placeOf(data.params.callFrames, scripts));
    });
    session.on("NodeWorker.detachedFromWorker", ({ params }) => {
      if (params.sessionId === ours) end();
    });
    session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
  });
}

/** Returns the place of the innermost stack frame that is the author's code. */
function placeOf(
  frames: readonly z.infer<typeof frame>[],
  scripts: ReadonlyMap<string, Script>,
): string | undefined {
  for (const { location } of frames) {
    const { url, sourceMapURL } = scripts.get(location.scriptId) ?? { url: "", sourceMapURL: "" };
    if (!isAuthors(url)) continue;
    const { line, column } = inSource(sourceMapURL, location);
    return `${pathOf(url)}:${line}:${column}`;
  }
  return undefined;
}

/** Converts a place to line and column counted from 1; in the original source, if there is a source map. */
function inSource(
  map: string,
  { lineNumber, columnNumber }: { readonly lineNumber: number; readonly columnNumber: number },
): { readonly line: number; readonly column: number } {
  const [, base64 = ""] = /^data:application\/json[^,]*;base64,(.*)$/.exec(map) ?? [];
  if (base64 !== "") {
    const sourceMap = new SourceMap(JSON.parse(Buffer.from(base64, "base64").toString("utf8")));
    const entry = sourceMap.findEntry(lineNumber, columnNumber);
    if ("originalLine" in entry) {
      return { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
    }
  }
  return { line: lineNumber + 1, column: columnNumber + 1 };
}
