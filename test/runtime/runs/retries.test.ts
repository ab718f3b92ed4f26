import { describe, expect, it } from "vitest";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { folderPlace } from "../store/place.ts";
import { type Story, walk } from "./walk.ts";

const RULES = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    actions:
      - id: lookup
        call: ./orders.ts#lookup
        timeout: 2s
        retry: {attempts: 4, backoff: 500ms}
        on_error: [{reply_dm: "\${{ error.message }}"}, {stop: {outcome: failed, reason: no order}}]
      - reply_dm: "It is \${{ steps.lookup.result }}."
`;

/** Creates a service that is busy twice and answers the third call, also if another process makes it. */
function busyTwice(): NonNullable<Story["call"]> {
  let calls = 0;
  return async () => {
    calls += 1;
    return calls < 3 ? { ok: false, error: "busy" } : { ok: true, value: "shipped" };
  };
}

const STORY: Story = {
  rules: RULES,
  script: ["where is my order?"],
  texts: ["It is shipped."],
  runs: ["done"],
  tickMs: 100,
  // a getter: each run of the simulation gets a new service
  get call() {
    return busyTwice();
  },
};

describe("a process that ends between two attempts", () => {
  it("continues with the next attempt, after every write", async () => {
    expect(await walk(STORY, modelPlace, 1)).toBeGreaterThan(6);
  });

  it("does so on the disk", async () => {
    expect(await walk(STORY, folderPlace, 4)).toBeGreaterThan(6);
  });

  it("fails once, after the last attempt", async () => {
    const call: Story["call"] = async () => ({ ok: false, error: "busy" });
    const end = { ...STORY, call, texts: ["busy"], runs: ["failed"] };

    expect(await walk(end, modelPlace, 1)).toBeGreaterThan(8);
  });
});
