import { describe, expect, it } from "vitest";
import type { EffectPerformer } from "../../../src/runtime/runs/effect.ts";
import { when } from "../../support/when.ts";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { worldOfEach } from "./bot-world.ts";
import { type LifeNeeds, liveOn } from "./lives.ts";

const RULES = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    actions:
      - http: {method: GET, url: "https://a.example/a"}
      - http: {method: GET, url: "https://a.example/b"}
      - reply_dm: "done"
`;

describe("a worker that gets its partitions back while its effects are under way", () => {
  const world = worldOfEach(modelPlace, { rules: RULES });
  const other = (over: Partial<LifeNeeds>) =>
    liveOn({ rules: RULES, name: "other", ...world, ...over });

  /** Performs requests. A request to `hanging` ends when its effect is left. */
  function service(hanging: string) {
    const begun: string[] = [];
    const request: EffectPerformer["request"] = async ({ url }) => {
      const path = url.slice("https://a.example/".length);
      begun.push(path);
      if (path === hanging) await new Promise(() => {});
      return { ok: true, status: 200, text: "" };
    };
    const isBegun = (path: string) => when(() => (begun.includes(path) ? true : undefined));
    return { begun, request, isBegun };
  }

  it("performs the next step of a run that another process has continued", async () => {
    const first = service("a");
    const life = await world.live({ request: first.request });
    await life.hears("1", "200", "hi");
    await first.isBegun("a");
    await life.losesPartitions();
    const second = service("b");
    const process = await other({ request: second.request });
    await second.isBegun("b");
    await process.losesPartitions();
    await process.end();
    await life.takesPartitions();
    await first.isBegun("b");
    await when(async () => ((await world.store.stats()).items.pending === 1 ? true : undefined));

    expect(first.begun).toEqual(["a", "b"]);
    expect(second.begun).toEqual(["a", "b"]);
  });

  it("performs a step again that no other process has performed", async () => {
    let requests = 0;
    const life = await world.live({
      request: async () => {
        requests += 1;
        if (requests === 1) await new Promise(() => {});
        return { ok: true, status: 200, text: "" };
      },
    });
    await life.hears("1", "200", "hi");
    await when(() => requests || undefined);
    await life.losesPartitions();
    await life.takesPartitions();
    await when(async () => ((await world.store.stats()).items.pending === 1 ? true : undefined));

    expect(requests).toBe(3);
  });
});
