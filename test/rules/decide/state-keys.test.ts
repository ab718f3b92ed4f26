import { describe, expect, it, test } from "vitest";
import { cooldownKey, type StatePer } from "../../../src/rules/schema/state-keys.ts";
import { messageReceived } from "../../support/events.ts";

const ana = messageReceived();
const ben = {
  ...messageReceived({ senderId: "300" }),
  lane: "100/300",
  sender: { id: "300", username: "ben" },
};
const otherAccount = { ...messageReceived(), accountId: "101", lane: "101/200" };

describe("the key of a cooldown", () => {
  test.each<{ per: StatePer; people: boolean; accounts: boolean; why: string }>([
    { per: "rule", people: true, accounts: true, why: "everybody shares it" },
    { per: "account", people: true, accounts: false, why: "all people of an account share it" },
    { per: "sender", people: false, accounts: false, why: "each person has their own" },
    { per: "conversation", people: false, accounts: false, why: "each conversation has its own" },
  ])("per $per: $why", ({ per, people, accounts }) => {
    const key = cooldownKey("a", per, ana);

    expect(cooldownKey("a", per, ben) === key).toBe(people);
    expect(cooldownKey("a", per, otherAccount) === key).toBe(accounts);
    expect(cooldownKey("b", per, ana)).not.toBe(key);
  });

  it("is the same for actions of either account", () => {
    const answered = {
      ...messageReceived({ senderId: "100", recipientId: "200" }),
      direction: "outbound" as const,
    };

    expect(cooldownKey("a", "sender", answered)).toBe(cooldownKey("a", "sender", ana));
  });
});
