import { describe, expect, it } from "vitest";
import { notLinked } from "../../../../src/runtime/runs/not-linked.ts";
import { modelPlace } from "../../../simulation/store/model-place.ts";
import { when } from "../../../support/when.ts";
import { folderPlace } from "../../store/place.ts";
import { worldOfEach } from "../bot-world.ts";

const rules = (mode: string) => `version: 1
rules:
  - id: redeem
    mode: ${mode}
    key: shared
    triggers: [dm.received]
    actions:
      - parallel:
          soon: [{reply_dm: "Soon, \${{ message.text }}."}, {delay: 1m}]
          late: [{delay: 5m}]
      - reply_dm: "Done, \${{ message.text }}."
`;

describe.each([
  { name: "the disk", place: folderPlace },
  { name: "the model", place: modelPlace },
])("runs with branches that share a key, on $name", ({ place }) => {
  const world = worldOfEach(place);
  const both = async (mode: string) => {
    const bot = await world.live({ rules: rules(mode) });
    await bot.hears("1", "200", "one");
    expect(await world.said(1)).toEqual(["Soon, one."]);
    await when(async () => ((await world.store.stats()).inbox === 0 ? true : undefined));
    await bot.hears("2", "300", "two");
    return bot;
  };
  const pass = (minutes: number) => {
    world.clock.advance(minutes * 60_000);
    world.bot.wake();
  };

  it("run one after the other, the next when all branches of the previous one have ended", async () => {
    await both("queued");
    pass(2);
    await world.runsAre("waiting", "done", "waiting", "waiting");
    expect(world.platform).toHaveLength(1);
    pass(4);

    expect((await world.said(3)).slice(1).toSorted()).toEqual(["Done, one.", "Soon, two."]);
  });

  it("end with all branches when another conversation starts over", async () => {
    await both("restart");

    expect(await world.said(2)).toEqual(["Soon, one.", "Soon, two."]);
    await world.runsAre("stopped", "stopped", "stopped", "waiting", "waiting", "waiting");
    pass(6);
    expect((await world.said(3)).at(-1)).toBe("Done, two.");
  });

  it("stop with all branches once their account is not linked", async () => {
    await both("restart");
    await world.said(2);
    const leases = await world.store.lease("me", 60_000);
    const query = { status: "waiting", after: 0, limit: 9 } as const;
    const open = await world.store.openRuns(leases, query);
    const branch = open.find(({ run }) => run.id.endsWith(".late"));
    if (branch === undefined) throw new Error("no branch waits");

    const { runs } = await notLinked({ kind: "run-ready", ...branch }, world.store);

    expect(runs.map(({ status }) => status)).toEqual(["stopped", "stopped", "stopped"]);
  });
});
