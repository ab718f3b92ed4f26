import { expect, it } from "vitest";
import { compared } from "../../../src/runtime/instances/unknown-messages.ts";
import type { Item } from "../../../src/runtime/store/item.ts";
import { messageReceived } from "../../support/events.ts";

const AT = Date.UTC(2026, 0, 1);
const EVENT = {
  ...messageReceived({ id: "5000", text: "We open at nine.", senderId: "100", recipientId: "200" }),
  direction: "outbound" as const,
};
const ITEM: Item = {
  id: 1,
  key: "1/rule:hours/actions[0]#1",
  run: "1/rule:hours",
  seq: 1,
  account: "100",
  lane: "100/200",
  action: { type: "reply_dm", to: "200", text: "We open at nine." },
  notBefore: AT,
  partition: 0,
  status: "sent",
  attempts: 1,
  startedAt: AT,
  platformId: "5001",
};
const { platformId: _, startedAt: __, ...unsent } = ITEM;

it.each([
  { why: "no item", items: [], is: "unrelated" },
  { why: "its own id", items: [ITEM, { ...ITEM, platformId: "5000" }], is: "own" },
  { why: "sent after it", items: [ITEM], is: "later" },
  { why: "sent before it", items: [{ ...ITEM, platformId: "4999" }], is: "earlier" },
  { why: "an id with fewer digits", items: [{ ...ITEM, platformId: "999" }], is: "earlier" },
  { why: "about to be sent", items: [{ ...unsent, status: "pending" as const }], is: "later" },
  { why: "on its way", items: [{ ...unsent, status: "sending" as const }], is: "unclear" },
  { why: "outcome unknown", items: [{ ...unsent, status: "unknown" as const }], is: "unclear" },
  { why: "sent twice itself", items: [{ ...ITEM, attempts: 2 }], is: "unrelated" },
  { why: "given up", items: [{ ...unsent, status: "expired" as const }], is: "unrelated" },
  { why: "sent long before", items: [{ ...ITEM, startedAt: AT - 601_000 }], is: "unrelated" },
  {
    why: "another text: somebody writes by hand",
    items: [{ ...ITEM, action: { type: "reply_dm" as const, to: "200", text: "Closed." } }],
    is: "unrelated",
  },
])("a message of the account is $is: $why", ({ items, is }) => {
  expect(compared(EVENT, items)).toBe(is);
});
