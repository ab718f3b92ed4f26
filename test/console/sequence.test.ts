import { expect, it } from "vitest";
import type { ExchangeHead } from "../../src/sandbox/control/objects.ts";
import { requestsOf } from "../../src/console/sequence/requests.ts";
import { refOf, type TraceExchanges } from "../../src/console/sequence/trace-exchanges.ts";
import type { TraceItem } from "../../src/insight/traces/trace.ts";

const START = Date.UTC(2026, 2, 2, 9);
const URL = "/2/dm_conversations/with/200/messages";

function request(seq: number, afterMs: number, status = 201): ExchangeHead {
  const at = new Date(START + afterMs).toISOString();
  return { seq, at, direction: "request", method: "POST", url: URL, status, ms: 2, user_id: "100" };
}

function item(id: number, over: Partial<TraceItem>): TraceItem {
  return {
    id,
    key: `1/rule:hours/actions[${id}]#1`,
    run: "1/rule:hours",
    type: "reply_dm",
    inWords: "message to @ana: hello",
    status: "sent",
    attempts: 1,
    notBefore: START,
    startedAt: START,
    settledAt: START + 5,
    ...over,
  };
}

function seqsOf(items: readonly TraceItem[], exchanges: Partial<TraceExchanges>) {
  const requests = requestsOf(
    { items },
    { event: [], written: new Map(), requests: [], ...exchanges },
  );
  return items.map(({ id }) => (requests.get(id) ?? []).map(({ seq }) => seq));
}

it("two answers in the same millisecond have each the request that got its id", () => {
  const [one, other] = [request(7, 0), request(8, 0)];
  expect(
    seqsOf([item(1, { platformId: "91" }), item(2, { platformId: "92" })], {
      written: new Map([
        ["91", [other]],
        ["92", [one]],
      ]),
      requests: [one, other],
    }),
  ).toEqual([[8], [7]]);
});

it("refused attempts are shown with the finally written request, one for each attempt", () => {
  const [strange, refused, written] = [
    request(5, -900, 503),
    request(6, 0, 503),
    request(7, 60_000),
  ];
  const sent = item(1, { platformId: "91", attempts: 2, startedAt: START + 60_000 });
  expect(
    seqsOf([sent], {
      written: new Map([["91", [written]]]),
      requests: [strange, refused, written],
    }),
  ).toEqual([[6, 7]]);
});

it("an item without an id is identified by its time, and takes no other item's request", () => {
  const [written, failed] = [request(7, 0), request(8, 10, 503)];
  const items = [
    item(1, { platformId: "91" }),
    item(2, { status: "unknown", startedAt: START, settledAt: START + 20 }),
    item(3, { status: "pending", attempts: 0 }),
  ];
  expect(
    seqsOf(items, { written: new Map([["91", [written]]]), requests: [written, failed] }),
  ).toEqual([[7], [8], []]);
});

it.each([
  ["message:2124880006113918976", "2124880006113918976"],
  ["post:2124880006113918976", "2124880006113918976"],
  ["post_deleted:2124880006113918976", "2124880006113918976"],
  ["like:fc0d75f9a1b2c3d4", "fc0d75f9a1b2c3d4"],
  ["follow:200>100:1795532248507", "1795532248507"],
  ["typing:200>100:1795532248507", "1795532248507"],
  ["read:200>100:1795532248507:2124880006113918976", "1795532248507"],
  ["schedule:daily:1795532248507:UTC:0 9 * * *", undefined],
  ["link-lost:1", undefined],
])("the deliveries of %s are found by %s", (key, ref) => {
  expect(refOf(key)).toBe(ref);
});
