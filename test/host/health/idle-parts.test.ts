import { expect, it } from "vitest";
import type { LoadingModule } from "../../../src/bots/loading/bot-loads.ts";
import { idleParts } from "../../../src/host/health/idle-parts.ts";
import { handClock } from "../../support/hand-clock.ts";

const clock = handClock();
const since = clock.now() - 43_000;

it.each<{ loading: readonly LoadingModule[]; parts: readonly object[]; why: string }>([
  { loading: [], parts: [], why: "all bots are loaded" },
  {
    loading: [{ file: "/bots/slow.ts", since }],
    parts: [{ part: "bots", reason: "/bots/slow.ts has been loading for 43 s" }],
    why: "one is being loaded",
  },
  {
    loading: [{ file: "/bots/loops.ts", since, failed: { reason: "it loops", retryAt: 0 } }],
    parts: [],
    why: "one was given up for a while: it is a fault like that of any module",
  },
])("names parts that can't work: $why", ({ loading, parts }) => {
  const link = { status: () => ({ refused: new Map<string, string>() }) };
  const answering = { bots: { loading } };

  expect(idleParts({ accounts: { list: () => [] }, link, answering, clock })).toEqual(parts);
});
