import { createHmac } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** Values of the page's module `live.ts` that these tests use. */
interface LiveModule {
  readonly connection: {
    readonly value: { readonly state: string };
    subscribe(listener: (value: { readonly state: string }) => void): () => void;
  };
  readonly missed: { readonly value: number };
  readonly startLive: (id: string) => void;
}

let tabs = 0;

/** Opens a tab: loads the module again. The compiler does not read it, because it needs the types of a browser. */
async function openTab(): Promise<LiveModule> {
  tabs += 1;
  const { href } = new URL(`../../src/console/page/live/live.ts?tab=${tabs}`, import.meta.url);
  const tab: LiveModule = await import(/* @vite-ignore */ href);
  tab.startLive("session");
  return tab;
}

const isLive = ({ connection }: LiveModule): Promise<void> =>
  new Promise((resolve) => {
    connection.subscribe(({ state }) => state === "live" && resolve());
  });

/** Broadcast channels, which deliver at once. */
let channels: Set<EventTarget>;
/** Tabs that wait for the lock. */
let waiting: (() => unknown)[];

beforeEach(() => {
  channels = new Set();
  waiting = [];
  class Channel extends EventTarget {
    constructor() {
      super();
      channels.add(this);
    }
    postMessage(data: unknown): void {
      for (const other of channels) {
        if (other !== this) other.dispatchEvent(Object.assign(new Event("message"), { data }));
      }
    }
  }
  vi.stubGlobal("BroadcastChannel", Channel);
  const locks = {
    isHeld: false,
    request(_name: string, hold: () => unknown): void {
      if (this.isHeld) waiting.push(hold);
      else hold();
      this.isHeld = true;
    },
  };
  vi.stubGlobal("navigator", { locks });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => (key === "answerback-proof" ? "1.key" : "token"),
  });
  vi.stubGlobal("fetch", async (path: string) => {
    const { searchParams } = new URL(path, "http://127.0.0.1");
    const nonce = searchParams.get("nonce");
    if (nonce !== null) {
      return Response.json({ proof: createHmac("sha256", "key").update(nonce).digest("hex") });
    }
    const line = `${JSON.stringify({ kind: "open", stream: "1" })}\n`;
    return new Response(
      new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(line)) }),
    );
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("without shared workers, a later tab is connected at once", async () => {
  await isLive(await openTab());

  const later = await openTab();

  expect(later.connection.value.state).toBe("live");
  expect(later.missed.value).toBe(1);
});

it("without shared workers, tabs load their data again when another tab takes the connection over", async () => {
  await isLive(await openTab());
  const [second, third] = [await openTab(), await openTab()];
  const seen = third.missed.value;
  const bothMessages = new Promise<void>((resolve) => {
    let messages = 0;
    // The new connection sends that it is open, and that events may have been missed.
    for (const channel of [...channels].slice(-1)) {
      channel.addEventListener("message", () => (messages += 1) === 2 && resolve());
    }
  });

  waiting.shift()?.();
  await bothMessages;

  expect([second.missed.value, third.missed.value]).toEqual([seen + 1, seen + 1]);
});
