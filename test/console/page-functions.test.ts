import { afterEach, expect, it, vi } from "vitest";

/** Functions and values of the page's modules that these tests use. */
interface PageFunctions {
  readonly today: { readonly value: string };
  readonly timeText: (date: Date, today: string) => string;
  readonly isComposing: (key: { isComposing: boolean; keyCode: number }) => boolean;
  readonly setQuery: (name: string, value: string | undefined) => void;
  readonly listSearch: () => string;
  readonly toast: (text: string, isBad?: boolean) => void;
  readonly Toasts: () => { readonly props: { readonly children: readonly unknown[] } };
  readonly sandbox: { post(path: string): Promise<unknown>; get(path: string): Promise<unknown> };
  readonly decoded: (text: string) => string;
  readonly activitiesAfter: (
    last: readonly object[],
    events: readonly { readonly type: string; readonly data: object }[],
  ) => readonly object[];
}

let loads = 0;

/** Loads a module of the page again. The compiler does not read the module: it needs the types of a browser. */
async function pageModule(path: string): Promise<PageFunctions> {
  loads += 1;
  const { href } = new URL(`../../src/console/page/${path}?${loads}`, import.meta.url);
  return import(/* @vite-ignore */ href);
}

afterEach(() => {
  vi.unstubAllGlobals();
});

const NOW = new Date(2026, 2, 2, 9, 5, 7);

it.each([
  { text: "a%20b", shown: "a b" },
  { text: "100%", shown: "100%" },
  { text: "%E4", shown: "%E4" },
])("shows a part of an address that is not percent-encoded unchanged: $text", async (one) => {
  const { decoded } = await pageModule("routing/decoded.ts");

  expect(decoded(one.text)).toBe(one.shown);
});

it.each([
  { what: "today", date: NOW, text: "09:05:07" },
  { what: "yesterday", date: new Date(2026, 2, 1, 9, 5, 7), text: "2026-03-01 09:05:07" },
  { what: "a year ago", date: new Date(2025, 2, 2, 9, 5, 7), text: "2025-03-02 09:05:07" },
  { what: "the next midnight", date: new Date(2026, 2, 3), text: "2026-03-03 00:00:00" },
])("shows the date with a time of another day: $what", async ({ date, text }) => {
  vi.useFakeTimers({ now: NOW });
  try {
    const { today } = await pageModule("parts/clock.ts");
    const { timeText } = await pageModule("parts/duration.ts");

    expect(timeText(date, today.value)).toBe(text);
  } finally {
    vi.useRealTimers();
  }
});

it.each([
  { what: "Enter", key: { isComposing: false, keyCode: 13 }, is: false },
  { what: "Enter for a word in Chrome", key: { isComposing: true, keyCode: 229 }, is: true },
  { what: "Enter for a word in Firefox", key: { isComposing: true, keyCode: 13 }, is: true },
  { what: "Enter for a word in Safari", key: { isComposing: false, keyCode: 229 }, is: true },
])("leaves keys to the input method: $what", async ({ key, is }) => {
  const { isComposing } = await pageModule("parts/form.tsx");

  expect(isComposing(key)).toBe(is);
});

/** Loads the page's routing at an address. */
async function routingAt(address: string) {
  const place = new URL(address, "http://127.0.0.1");
  const replaceState = (_state: unknown, _title: string, to: string): void => {
    place.href = new URL(to, place).href;
  };
  vi.stubGlobal("location", place);
  vi.stubGlobal("history", { replaceState });
  return { ...(await pageModule("routing/route.ts")), shown: () => place.search };
}

it("shows the newest matches of a changed filter, whichever part of the list was shown", async () => {
  const { setQuery, shown } = await routingAt("/conversations?before=700&state=held");

  setQuery("text", "refund");
  expect(shown()).toBe("?state=held&text=refund");

  setQuery("before", "650");
  setQuery("turns", "31");
  expect(shown()).toBe("?state=held&text=refund&before=650&turns=31");
});

it("opens another conversation at its newest turn", async () => {
  const { listSearch, setQuery } = await routingAt("/conversations/1/2?state=held&turns=31");
  expect(listSearch()).toBe("?state=held");

  setQuery("state", undefined);
  expect(listSearch()).toBe("");
});

it("removes a result after some seconds, and shows an error until it is dismissed, once", async () => {
  vi.useFakeTimers();
  try {
    const { toast, Toasts } = await pageModule("parts/toasts.tsx");
    toast("3 answers are sent.");
    toast("the sandbox does not answer", true);
    toast("the sandbox does not answer", true);
    expect(Toasts().props.children).toHaveLength(2);

    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(Toasts().props.children).toMatchObject([{ props: { class: "toast bad" } }]);
  } finally {
    vi.useRealTimers();
  }
});

it("forgets the activities of a world that was reset or restored", async () => {
  const { activitiesAfter } = await pageModule("pages/chat/thread.ts");
  const activity = (id: string) => ({ type: "activity", data: { id } });
  const before = activitiesAfter([], [activity("1"), { type: "clock", data: {} }]);

  expect(activitiesAfter(before, [activity("2")])).toEqual([{ id: "1" }, { id: "2" }]);
  expect(activitiesAfter(before, [{ type: "clock", data: {} }])).toBe(before);
  const restored = { type: "world", data: { change: "restored" } };
  expect(activitiesAfter(before, [activity("2"), restored, activity("3")])).toEqual([{ id: "3" }]);
});

it.each(["Failed to fetch", "Load failed"])(
  "reports in its own words that no server answers, for which browsers have %j",
  async (message) => {
    vi.stubGlobal("localStorage", { getItem: () => null });
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError(message)));
    const { sandbox } = await pageModule("asking/api.ts");

    const error = { status: 503, code: "away", message: "the bot's process does not answer" };
    await expect(sandbox.get("/clock")).rejects.toMatchObject(error);
    await expect(sandbox.post("/clock")).rejects.toThrow(/Look whether it was done before/);
  },
);
