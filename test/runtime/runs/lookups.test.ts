import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lookupInWords, type LookupOutcome } from "../../../src/actions/lookup.ts";
import { TooEarly } from "../../../src/runtime/clock/too-early.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";
import type { Place } from "../store/contract.ts";
import { folderPlace } from "../store/place.ts";
import { type Life, type LifeNeeds, liveOn, type Said } from "./lives.ts";

const rules = `version: 1
rules:
  - id: who
    triggers: [dm.received]
    actions:
      - id: who
        lookup: {user: "\${{ sender.id }}", fields: [description]}
        on_error: [{reply_dm: "\${{ error.code }}: \${{ error.message }}"}, stop]
      - delay: 1m
      - reply_dm: You are \${{ steps.who.result.description }}.
`;

let place: Place;
let store: Store;
let clock: HandClock;
let life: Life | undefined;
let platform: Said[];
let requests: string[];

beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
  clock = handClock();
  [platform, requests] = [[], []];
});
afterEach(async () => {
  await life?.end();
  await store.close();
  await place.remove();
});

const FOUND: LookupOutcome = { ok: true, result: { id: "200", description: "a baker" } };

type Answer = () => Promise<LookupOutcome>;

const CREDIT = `version: 1
rules:
  - id: credit
    triggers: [dm.received]
    actions:
      - id: credit
        lookup:
          attribution:
            app_id: 7
            conversion_type: PURCHASE
            conversion_time: \${{ event.time }}
            os_type: IOS
            hashed_device_id: \${{ message.text }}
      - delay: 1m
      - reply_dm: "\${{ steps.credit.result.platform_attribution.post_id }}"
`;

/** Starts or restarts the bot. `answer` returns the platform's response to the bot's look-ups. */
async function begin(answer: Answer, needs: Partial<LifeNeeds> = {}): Promise<Life> {
  await life?.end();
  const lookUp: LifeNeeds["lookUp"] = ({ lookup }) => {
    const fields = lookup.of === "attribution" ? [] : lookup.fields;
    requests.push(`${lookupInWords(lookup)}: ${fields.join(", ")}`);
    return answer();
  };
  life = await liveOn({ store, clock, platform, rules, lookUp, ...needs });
  return life;
}

async function said(stepMs = 1_000): Promise<readonly string[]> {
  return when(async () => {
    clock.advance(stepMs);
    life?.wake();
    await life?.sends();
    return platform.length > 0 ? platform.map(({ text }) => text) : undefined;
  });
}

describe("a look-up of a run", () => {
  it("is its step's result, with the fields that the step requests", async () => {
    await (await begin(async () => FOUND)).hears("1", "200", "hello");

    expect(await said()).toEqual(["You are a baker."]);
    expect(requests).toEqual(["user 200: description"]);
  });

  it("is stored: after the end of the process, the platform is not queried again", async () => {
    await (await begin(async () => FOUND)).hears("1", "200", "hello");
    await when(async () => {
      const [run] = await store.runsOf(1);
      return run?.status === "waiting" ? run : undefined;
    });

    await begin(async () => ({ ok: true, result: { id: "200", description: "a butcher" } }));

    expect(await said()).toEqual(["You are a baker."]);
    expect(requests).toHaveLength(1);
  });

  it("of an attribution is remembered too", async () => {
    const credit = (id: string): Answer => {
      const result = { app_id: "7", platform_attribution: { post_id: id } };
      return async () => ({ ok: true, result });
    };
    await (await begin(credit("1"), { rules: CREDIT })).hears("1", "200", "a".repeat(64));
    await when(async () => {
      const [run] = await store.runsOf(1);
      return run?.status === "waiting" ? run : undefined;
    });

    await begin(credit("2"), { rules: CREDIT });

    expect(await said()).toEqual(["1"]);
    expect(requests).toEqual(["the attribution of PURCHASE of app 7: "]);
  });

  it("is repeated if the process ended before its answer was stored", async () => {
    await (await begin(() => new Promise(() => {}))).hears("1", "200", "hello");
    await when(async () => requests[0]);

    await begin(async () => FOUND);

    expect(await said()).toEqual(["You are a baker."]);
    expect(requests).toHaveLength(2);
  });

  it("waits for a rate limit, by the platform's clock", async () => {
    const limited = clock.now() + 15 * 60_000;
    const answer: Answer = async () => {
      if (clock.now() < limited) throw new TooEarly(limited, "the limit is used up");
      return FOUND;
    };
    await (await begin(answer)).hears("1", "200", "hello");
    await when(async () => requests[0]);

    expect(await said(60_000)).toEqual(["You are a baker."]);
    expect(clock.now()).toBeGreaterThanOrEqual(limited);
    expect(requests).toHaveLength(2);
  });

  it("fails with a code if the person does not exist", async () => {
    const answer: Answer = async () => ({
      ok: false,
      code: "not-found",
      error: "no user 200",
      status: 404,
    });
    await (await begin(answer)).hears("1", "200", "hello");

    expect(await said()).toEqual(["not-found: no user 200"]);
  });
});
