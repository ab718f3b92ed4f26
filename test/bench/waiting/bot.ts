import type { Store } from "../../../src/runtime/store/store.ts";
import { type Life, liveOn, type Said } from "../../runtime/runs/lives.ts";
import { handClock } from "../../support/hand-clock.ts";

const RULES = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: {contains: order status}}]
    actions:
      - id: order
        ask:
          text: What's your order number?
          expect: {matches: '\\b(?P<no>[A-Z]\\d{5})\\b'}
          retries: 2
          within: 15m
      - reply_dm: "\${{ steps.order.captures.no }} is on its way."
`;

/** A bot for a store with up to a million waiting conversations. */
export async function waitingBot(
  store: Store,
): Promise<
  Omit<Life, "hears"> & { hears(id: string, person: number, text: string): Promise<void> }
> {
  const platform: Said[] = [];
  const life = await liveOn({ store, clock: handClock(), rules: RULES, platform });
  return {
    ...life,
    hears: (id, person, text) => life.hears(id, String(1_000_000 + person), text),
  };
}
