import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type {
  ModuleCall,
  ModuleCallOutcome,
  Handling,
  HandlerOutcome,
  LoadedBot,
} from "../../../src/bots/messages.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import { readSecrets } from "../../../src/rules/secrets.ts";
import { openJournal } from "../../../src/runtime/journal/journal.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { commitBatcher } from "../../../src/runtime/runs/commit-batcher.ts";
import { interpreter } from "../../../src/runtime/runs/interpreter.ts";
import { openRuleArchive } from "../../../src/runtime/runs/rule-archive.ts";
import { type WorkerNeeds, RunWorker } from "../../../src/runtime/runs/worker.ts";
import type { Item } from "../../../src/runtime/store/item.ts";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { heldLeases } from "../../support/held-leases.ts";
import { when } from "../../support/when.ts";
import * as wire from "../../support/wire.ts";
import { moved } from "../store/builders.ts";
import { folderPlace } from "../store/place.ts";

let place: Awaited<ReturnType<typeof folderPlace>>;
let store: Store;
let clock: HandClock;
let worker: RunWorker | undefined;
let leases: readonly Lease[];
let lastMessage = 0;

beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
  clock = handClock();
  lastMessage = 0;
});
afterEach(async () => {
  await worker?.stop();
  await store.close();
  await place.remove();
});

/** Replaced parts of the worker, such as bots and modules that answer when the test decides. */
interface Slow {
  /** Reads sources of rules that runs need but the rule files no longer contain; by default the store's method. */
  readonly ruleSource?: Store["ruleSource"];
  /** Reads runs that have not ended; by default the store's own method. */
  readonly openRuns?: Store["openRuns"];
  readonly bots?: readonly LoadedBot[];
  readonly effectBounds?: WorkerNeeds["effectBounds"];
  readonly handle?: (handling: Handling) => Promise<HandlerOutcome>;
  readonly call?: (step: ModuleCall) => Promise<ModuleCallOutcome>;
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** Starts a worker that processes the store's events with `rules`. */
async function runRules(rules: string, slow: Slow = {}): Promise<void> {
  const { ruleset, problems } = compile([{ path: "rules/faq.yaml", text: rules }]);
  expect(problems).toEqual([]);
  leases = await store.lease("me", 60_000);
  worker = new RunWorker({
    store: {
      fetch: (...query) => store.fetch(...query),
      listeners: (lane) => store.listeners(lane),
      silences: (lane) => store.silences(lane),
      load: (keys) => store.load(keys),
      slots: (slots) => store.slots(slots),
      runsOf: (seq) => store.runsOf(seq),
      items: (query) => store.items(query),
      openRuns: slow.openRuns ?? ((...query) => store.openRuns(...query)),
    },
    commit: commitBatcher(store, "me"),
    clock,
    log: openLog({ level: "silent" }),
    leases: heldLeases(leases),
    interpret: interpreter({
      ruleset: () => ruleset,
      bots: () => slow.bots ?? [],
      store,
      archive: openRuleArchive({
        ruleset: () => ruleset,
        store: { ruleSource: slow.ruleSource ?? ((revision) => store.ruleSource(revision)) },
      }),
      now: () => clock.now(),
      secretsOf: (rule) => readSecrets(rule.secrets, { TOKEN: "s3cret" }).values,
      resolveModule: (file, module) => `${file} ${module}`,
      isLinked: () => true,
      usernameOf: () => "hello_bot",
    }),
    performer: { handle: slow.handle ?? never, call: slow.call ?? never, request: never },
    stopGraceMs: 50,
    effectBounds: slow.effectBounds,
  });
}

/** Stops the worker and reopens the store, as the next process would. */
async function restart(): Promise<void> {
  await worker?.stop();
  await store.close();
  store = await place.open();
}

async function message(from: string, text: string): Promise<void> {
  const journal = openJournal({ store, clock, onAppended: () => {}, onRevoked: async () => {} });
  const body = wire.message({ id: String(++lastMessage), from, text, at: clock.now() });
  await journal.append(body, JSON.stringify(body), "webhook");
  worker?.wake();
}

const textsOf = (items: readonly Item[]): string[] =>
  items.map(({ action }) => ("text" in action ? action.text : action.type)).toReversed();
const queued = async (): Promise<string[]> => textsOf(await store.items({ limit: 100 }));
const queuedAre = (count: number): Promise<string[]> =>
  when(async () => {
    const texts = await queued();
    return texts.length >= count ? texts : undefined;
  });

const queuedFor = (lane: string, count: number): Promise<string[]> =>
  when(async () => {
    const items = await store.items({ lane, limit: 100 });
    return items.length >= count ? textsOf(items) : undefined;
  });

/** Sends all pending items successfully, as the outbox would. */
async function settle(to: "sent" | "failed", reason?: string): Promise<void> {
  for (const pending of (await store.items({ status: "pending", limit: 100 })).toReversed()) {
    const sending = { ...pending, status: "sending" as const };
    const end = to === "sent" ? { platformId: "77" } : { reason: reason ?? "403" };
    await store.changeItems("me", [moved(leases, pending, "sending")]);
    await store.changeItems("me", [moved(leases, sending, to, end)]);
  }
  worker?.wake();
}

const runsAre = (...statuses: readonly string[]): Promise<unknown> =>
  when(async () => {
    const rows = await store.journal({ limit: 100 });
    const all = rows.toReversed().flatMap(({ runs }) => runs.map(({ status }) => status));
    return all.join() === statuses.join() ? true : undefined;
  });

const TWO = `version: 1
rules:
  - id: two
    triggers: [dm.received]
    actions:
      - id: first
        reply_dm: {text: one}
      - reply_dm: {text: "two, after \${{ steps.first.result.message_id }}"}
`;

describe("the run of a rule", () => {
  it("queues its first send in the commit that decides the event", async () => {
    await runRules(TWO);
    await message("200", "hi");
    await when(async () => ((await store.stats()).inbox === 0 ? true : undefined));

    expect(await queued()).toEqual(["one"]);
    expect((await store.stats()).runs).toEqual({ ready: 0, waiting: 1 });
  });

  it("continues when its send is settled, and can read the created object", async () => {
    await runRules(TWO);
    await message("200", "hi");
    await queuedAre(1);

    await settle("sent");

    expect(await queuedAre(2)).toEqual(["one", "two, after 77"]);
    await settle("sent");
    await runsAre("done");
  });

  it("continues at the same place after a restart, with the same keys", async () => {
    await runRules(TWO);
    await message("200", "hi");
    await queuedAre(1);
    await settle("sent");
    await restart();

    await runRules(TWO);

    expect(await queuedAre(2)).toEqual(["one", "two, after 77"]);
    const [second, first] = await store.items({ limit: 9 });
    expect(first?.key).toBe("1/rule:two/actions[0]#1");
    expect(second?.key).toBe("1/rule:two/actions[1]#1");
  });

  it("uses the rule that it began with, even if the file has changed since", async () => {
    await runRules(TWO);
    await message("200", "hi");
    await queuedAre(1);
    await settle("sent");
    await restart();

    await runRules(TWO.replace("two, after", "changed"));
    await queuedAre(2);
    await message("300", "hi");

    expect(await queuedAre(3)).toEqual(["one", "two, after 77", "one"]);
  });

  it("ends with a reason when its rule is neither active nor stored", async () => {
    const calling = (id: string) => `version: 1
rules:
  - id: ${id}
    triggers: [dm.received]
    actions: [{call: ./a.ts#f}, {reply_dm: {text: never}}]
`;
    await runRules(calling("old"));
    await message("200", "hi");
    await runsAre("ready");
    await restart();

    await runRules(calling("new"), { ruleSource: async () => undefined });
    await runsAre("failed");

    const [row] = await store.journal({ limit: 1 });
    expect(row?.runs[0]?.body).toContain("is neither in use nor kept");
  });

  it("runs its steps for errors when the platform refuses its send", async () => {
    await runRules(`version: 1
rules:
  - id: apologise
    triggers: [dm.received]
    actions:
      - reply_dm: {text: one}
      - reply_dm: {text: never}
    on_error:
      - reply_dm: {text: "\${{ error.code }}: \${{ error.message }}"}
`);
    await message("200", "hi");
    await queuedAre(1);

    await settle("failed", "POST /2/messages was refused with 403: They don't take messages.");

    expect(await queuedAre(2)).toEqual(["one", "refused-403: They don't take messages."]);
    await settle("sent");
    await runsAre("failed");
  });

  it("continues after a refused send if the step allows that", async () => {
    await runRules(`version: 1
rules:
  - id: anyway
    triggers: [dm.received]
    actions:
      - reply_dm: {text: one}
        continue_on_error: true
      - reply_dm: {text: two}
`);
    await message("200", "hi");
    await queuedAre(1);
    await settle("failed");

    expect(await queuedAre(2)).toEqual(["one", "two"]);
  });

  it("waits for its time, also across a restart", async () => {
    const rules = `version: 1
rules:
  - id: later
    triggers: [dm.received]
    actions:
      - delay: 10m
      - reply_dm: {text: ten minutes later}
`;
    await runRules(rules);
    await message("200", "hi");
    await runsAre("waiting");
    clock.advance(9 * 60_000);
    await restart();
    await runRules(rules);
    expect(await queued()).toEqual([]);

    clock.advance(60_000);

    expect(await queuedAre(1)).toEqual(["ten minutes later"]);
  });

  it("passes the secrets of the environment to the modules that it calls", async () => {
    const calls: ModuleCall[] = [];
    const rules = `version: 1
rules:
  - id: secret
    triggers: [dm.received]
    actions:
      - call: ./a.ts#f
        with: {token: "\${{ secrets.TOKEN }}"}
`;
    await runRules(rules, {
      call: async (step) => {
        calls.push(step);
        return { ok: true, value: null };
      },
    });
    await message("200", "hi");
    await runsAre("done");

    expect(calls).toMatchObject([{ input: { token: "s3cret" }, module: "rules/faq.yaml ./a.ts" }]);
  });
});

const FAQ = `version: 1
rules:
  - id: faq
    triggers: [dm.received]
    actions: [{reply_dm: {text: "we open at nine"}}]
`;
const SLOW_BOT: LoadedBot = { name: "slow", file: "slow.ts", triggers: ["dm.received"] };
const reply = (text: string): HandlerOutcome => ({
  actions: [{ type: "reply_dm", to: "200", text }],
});

describe("a slow bot", () => {
  it("delays no rule, of this event or of the next in its lane", async () => {
    await runRules(FAQ, { bots: [SLOW_BOT] });
    await message("200", "hours?");
    await message("200", "hours??");

    expect(await queuedAre(2)).toEqual(["we open at nine", "we open at nine"]);
    expect((await store.stats()).runs.ready).toBe(2);
  });

  it("gets the events of a lane one after the other, and those of other lanes in parallel", async () => {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    await runRules("version: 1\nrules: []\n", {
      bots: [SLOW_BOT],
      handle: ({ event }) =>
        new Promise((resolve) => {
          begun.push(event.key);
          ends.set(event.key, () => resolve(reply(`re ${event.key}`)));
        }),
    });
    await message("200", "one");
    await message("200", "two");
    await message("300", "three");
    await when(() => (begun.length === 2 ? true : undefined));
    expect(begun).toEqual(["message:1", "message:3"]);

    ends.get("message:1")?.();
    await when(() => ends.get("message:2"));

    expect(begun).toEqual(["message:1", "message:3", "message:2"]);
    expect(await queued()).toEqual(["re message:1"]);
  });

  it("is called again after a restart, and its actions are sent once", async () => {
    await runRules(FAQ, { bots: [SLOW_BOT] });
    await message("200", "hours?");
    await queuedAre(1);
    await restart();
    const handled: Handling[] = [];

    await runRules(FAQ, {
      bots: [SLOW_BOT],
      handle: async (handling) => {
        handled.push(handling);
        return reply("here I am");
      },
    });

    expect(await queuedAre(2)).toEqual(["we open at nine", "here I am"]);
    expect(handled).toMatchObject([{ bot: "slow", answered: true, triggers: ["dm.received"] }]);
    await restart();
    await runRules(FAQ, { bots: [SLOW_BOT] });
    expect(await queued()).toEqual(["we open at nine", "here I am"]);
  });

  it("is called after a restart for earlier events before later ones", async () => {
    const silent = "version: 1\nrules: []\n";
    await runRules(silent, { bots: [SLOW_BOT] });
    await message("200", "one");
    await when(async () => ((await store.stats()).runs.ready === 1 ? true : undefined));
    await restart();
    await message("200", "two");

    await runRules(silent, {
      bots: [SLOW_BOT],
      async openRuns(...query) {
        // Makes reading the earlier runs slower than reading new events.
        for (let turn = 0; turn < 2_000; turn++) await new Promise((go) => setImmediate(go));
        return store.openRuns(...query);
      },
      handle: async ({ event }) => reply(`re ${event.key}`),
    });

    expect(await queuedAre(2)).toEqual(["re message:1", "re message:2"]);
  });

  it("is called again when the outcome of the first call is unknown", async () => {
    let calls = 0;
    await runRules("version: 1\nrules: []\n", {
      bots: [SLOW_BOT],
      handle: async () => {
        calls += 1;
        if (calls === 1) throw new Error("the thread was lost");
        return reply("second try");
      },
    });
    await message("200", "hi");

    expect(await queuedAre(1)).toEqual(["second try"]);
  });
});

describe("many handlers of one bot", () => {
  const bot = (name: string): LoadedBot => ({
    name,
    file: `${name}.ts`,
    triggers: ["dm.received"],
  });

  it("delay neither a rule nor another bot when all of them hang", async () => {
    await runRules(FAQ, {
      bots: [bot("bad"), bot("good")],
      handle: async ({ bot: name, event }) => {
        if (name === "bad") return never();
        return event.lane === "100/200" ? reply("here I am") : { actions: [] };
      },
    });
    const people = Array.from({ length: 640 }, (_, n) => `9${n}`);
    await Promise.all(people.map((person) => message(person, "hang")));
    await message("200", "hours?");

    const texts = await queuedFor("100/200", 2);
    expect(texts).toEqual(["we open at nine", "here I am"]);
  });

  it("keep a person's order when more wait than memory can hold, and all of them are called once", async () => {
    const called = new Map<string, string[]>();
    await runRules("version: 1\nrules: []\n", {
      bots: [bot("busy")],
      effectBounds: { atWork: 2, inHand: 4 },
      handle: async ({ event }) => {
        await new Promise((turn) => setImmediate(turn));
        if (event.kind === "message") {
          const { sender, message: said } = event;
          called.set(sender.id, [...(called.get(sender.id) ?? []), said.text]);
        }
        return { actions: [] };
      },
    });
    for (let n = 0; n < 20; n++) {
      await message("200", `ana ${n}`);
      await message("300", `ben ${n}`);
    }
    const runs = async () => (await store.journal({ limit: 100 })).flatMap((row) => row.runs);
    await when(async () =>
      (await runs()).filter(({ status }) => status === "done").length === 40 ? true : undefined,
    );

    expect(called.get("200")).toEqual(Array.from({ length: 20 }, (_, n) => `ana ${n}`));
    expect(called.get("300")).toEqual(Array.from({ length: 20 }, (_, n) => `ben ${n}`));
  });
});

describe("a limit shared by lanes", () => {
  const COOLING = FAQ.replace("actions:", "cooldown: {per: rule, for: 1h}\n    actions:");
  const people = Array.from({ length: 20 }, (_, n) => String(1_000 + n));

  it("starts one run for twenty people in twenty lanes whose messages arrive at once", async () => {
    for (const person of people) await message(person, "hours?");
    await runRules(COOLING);
    await when(async () => ((await store.stats()).inbox === 0 ? true : undefined));

    expect(await queued()).toEqual(["we open at nine"]);
    const reasons = (await store.journal({ limit: 100 })).map(({ decision }) => decision ?? "");
    expect(reasons.filter((text) => text.includes('"ran":[]'))).toHaveLength(19);
  });

  it("holds across a restart, and ends when its time is over", async () => {
    await runRules(COOLING);
    await message("1000", "hours?");
    await queuedAre(1);
    await restart();
    await runRules(COOLING);
    await message("1001", "hours?");
    await when(async () => ((await store.stats()).inbox === 0 ? true : undefined));
    expect(await queued()).toHaveLength(1);

    clock.advance(60 * 60_000);
    await message("1002", "hours?");

    expect(await queuedAre(2)).toHaveLength(2);
  });
});
