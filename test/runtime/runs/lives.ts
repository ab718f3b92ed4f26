import type { LoadedBot, ModuleCall, ModuleCallOutcome } from "../../../src/bots/messages.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import { withNamedFiles } from "../../../src/rules/compile/with-named-files.ts";
import type { Ruleset } from "../../../src/rules/ruleset.ts";
import { openJournal } from "../../../src/runtime/journal/journal.ts";
import { type Log, openLog } from "../../../src/runtime/log.ts";
import { commitBatcher } from "../../../src/runtime/runs/commit-batcher.ts";
import type { EffectPerformer } from "../../../src/runtime/runs/effect.ts";
import { interpreter } from "../../../src/runtime/runs/interpreter.ts";
import type { InterpreterNeeds } from "../../../src/runtime/runs/needs.ts";
import { openRuleArchive } from "../../../src/runtime/runs/rule-archive.ts";
import { RunWorker } from "../../../src/runtime/runs/worker.ts";
import type { EntrySource } from "../../../src/runtime/store/entry.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Item } from "../../../src/runtime/store/item.ts";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { HandClock } from "../../support/hand-clock.ts";
import { itemWatch } from "../../../src/runtime/outbox/item-watch.ts";
import { heldLeases } from "../../support/held-leases.ts";
import * as wire from "../../support/wire.ts";
import { moved } from "../store/builders.ts";

/** Message on the platform, with the key of the outbox item that sent it. */
export interface Said {
  readonly key: string;
  readonly to: string;
  readonly text: string;
}

/** Process of a bot. The store outlives the process. */
export interface Life {
  /** Resolves when the process has died after {@link LifeNeeds.writes} writes. Never resolves without this option. */
  readonly died: Promise<void>;
  /** Delivers a person's message. May be called several times for the same message. */
  hears(id: string, from: string, text: string): Promise<void>;
  /** Appends the events of the delivery `body`. @returns The number of new events. */
  takes(body: object, source: EntrySource): Promise<number>;
  /**
   * Sends pending outbox items. Items that an earlier process has sent are found on the platform.
   *
   * @param text Text of the items to send. Absent: all items.
   */
  sends(text?: string): Promise<void>;
  /** Replaces the bot's rules. */
  reloads(rules: string): Promise<void>;
  /**
   * Marks pending outbox items as refused by the platform.
   *
   * @param text Text of the refused items. Absent: all items.
   */
  refuses(reason: string, text?: string): Promise<void>;
  /** Processes received events. */
  wake(): void;
  /** Notifies the process that another one has erased a person. */
  erasedElsewhere(): void;
  /** Erases a person from the store. */
  erases(person: string): Promise<void>;
  /** Continues the work of accounts whose pause is over. */
  resumed(): Promise<void>;
  /** Loses its partitions to another process, without an end of the work under way. */
  losesPartitions(): Promise<void>;
  /** Acquires the partitions that it has lost. */
  takesPartitions(): Promise<void>;
  end(): Promise<void>;
}

export interface LifeNeeds {
  readonly store: Store;
  readonly clock: HandClock;
  readonly rules: string;
  /** Texts of the files to which the rules refer, by path. */
  readonly named?: Readonly<Record<string, string>>;
  /** Messages on the platform, which outlive the bot's process. */
  readonly platform: Said[];
  readonly call?: (step: ModuleCall, signal: AbortSignal) => Promise<ModuleCallOutcome>;
  readonly request?: EffectPerformer["request"];
  readonly lookUp?: EffectPerformer["lookUp"];
  readonly secrets?: Readonly<Record<string, string>>;
  readonly ask?: EffectPerformer["ask"];
  readonly bots?: readonly LoadedBot[];
  /** Runs handlers of bots; by default they never end. */
  readonly handle?: EffectPerformer["handle"];
  /** Name of the process; `me` by default. */
  readonly name?: string;
  /** Log of the process. By default nothing is logged. */
  readonly log?: Log;
  /** Whether the account is paused. By default it never is. */
  readonly isPaused?: (account: string) => boolean;
  /** Settings that hold answers back: limits, opt-out and quiet hours. */
  readonly restraints?: Pick<InterpreterNeeds, "limitsOf" | "optOut" | "quietHoursOf">;
  /** Number of writes after which the process dies. The store refuses its later calls. */
  readonly writes?: number;
  /** Called for each durable write. */
  readonly onWrite?: () => void;
}

/** Starts a process of a bot. */
export async function liveOn(needs: LifeNeeds): Promise<Life> {
  const { clock, rules, platform, named: texts = {}, name = "me" } = needs;
  const { store, died } = mortal(needs);
  let ruleset = await rulesetOf(rules, texts);
  const leases = await needs.store.lease(name, 60_000);
  const held = heldLeases(leases);
  const archive = openRuleArchive({ ruleset: () => ruleset, store });
  const watch = itemWatch();
  const worker = new RunWorker({
    store,
    commit: commitBatcher(store, name),
    clock,
    log: needs.log ?? openLog({ level: "silent" }),
    leases: held,
    interpret: interpreter({
      ...needs.restraints,
      ruleset: () => ruleset,
      bots: () => needs.bots ?? [],
      store,
      archive,
      now: () => clock.now(),
      secretsOf: () => needs.secrets ?? {},
      resolveModule: (_file, module) => module,
      isLinked: (account) => account === "100",
      usernameOf: () => "hello_bot",
    }),
    performer: {
      ...(needs.ask && { ask: needs.ask }),
      ...(needs.lookUp && { lookUp: needs.lookUp }),
      handle: needs.handle ?? (() => new Promise(() => {})),
      request:
        needs.request ?? (() => Promise.reject(new Error("no service was expected to be asked"))),
      call: needs.call ?? (async () => ({ ok: true, value: null })),
    },
    itemChanged: (key, signal) => watch.next(key, signal),
    ...(needs.isPaused && { isPaused: needs.isPaused }),
    onCommitted: (_happened, { sources }) => archive.noteStored(sources),
    stopGraceMs: 20,
  });
  const journal = openJournal({ store, clock, onAppended: () => {}, onRevoked: async () => {} });
  return {
    died,
    async hears(id, from, text) {
      const body = wire.message({ id, from, text, at: clock.now() });
      await journal.append(body, JSON.stringify(body), "webhook");
      worker.wake();
    },
    async takes(body, source) {
      const fresh = await journal.append(body, JSON.stringify(body), source);
      worker.wake();
      return fresh;
    },
    async sends(text) {
      const open = await Promise.all(
        (["sending", "pending"] as const).map((status) => store.items({ status, limit: 10_000 })),
      );
      const items = open.flatMap((some) => some.toReversed()).filter(hasText(text));
      if (items.length === 0) return;
      await send(items, { store, leases, platform });
      for (const { key } of items) watch.changed(key);
      worker.wake();
    },
    async refuses(reason, text) {
      const items = await store.items({ status: "pending", limit: 10_000 });
      for (const item of items.filter(hasText(text))) {
        await store.changeItems("me", [moved(leases, item, "sending")]);
        const sending = { ...item, status: "sending" } as const;
        await store.changeItems("me", [moved(leases, sending, "failed", { reason })]);
        watch.changed(item.key);
      }
      worker.wake();
    },
    wake: () => worker.wake(),
    resumed: () => worker.resumed(),
    erasedElsewhere: () => worker.erasedElsewhere(),
    async erases(id) {
      await worker.erasing(id, () => needs.store.forget({ id, now: clock.now() }));
    },
    async reloads(text) {
      const before = ruleset;
      ruleset = await rulesetOf(text, texts);
      await worker.rulesChanged(before.rules.map(({ id }) => id));
    },
    async losesPartitions() {
      await needs.store.release(name);
      await held.lose();
    },
    async takesPartitions() {
      await held.take(await needs.store.lease(name, 60_000));
    },
    end: () => worker.stop(),
  };
}

function hasText(text: string | undefined): (item: Item) => boolean {
  return ({ action }) => text === undefined || ("text" in action && action.text === text);
}

async function rulesetOf(rules: string, named: NonNullable<LifeNeeds["named"]>): Promise<Ruleset> {
  const { ruleset, problems } = compile(
    await withNamedFiles([{ path: "rules/a.yaml", text: rules }], async (path) => {
      const text = named[path];
      return text === undefined ? { refused: "missing" } : { text };
    }),
  );
  if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 2));
  return ruleset;
}

async function send(
  items: readonly Item[],
  {
    store,
    leases,
    platform,
  }: { readonly store: Store; readonly leases: readonly Lease[]; readonly platform: Said[] },
): Promise<void> {
  const sentKeys = new Set(platform.map(({ key }) => key));
  const pending = items.filter(({ status }) => status === "pending");
  await store.changeItems(
    "me",
    pending.map((item) => moved(leases, item, "sending")),
  );
  for (const { key, action, status } of items) {
    if (status === "sending" && sentKeys.has(key)) continue;
    platform.push({ key, to: action.to, text: "text" in action ? action.text : action.type });
  }
  await store.changeItems(
    "me",
    items.map((item) =>
      moved(leases, { ...item, status: "sending" }, "sent", { platformId: item.key }),
    ),
  );
}

function dead(): StoreError {
  return new StoreError("store-closed", "the process has ended");
}

/** Wraps a store so that it refuses all calls after `writes` writes, as if the process had died. */
function mortal({ store, writes = Infinity, onWrite = () => {} }: LifeNeeds): {
  readonly store: Store;
  readonly died: Promise<void>;
} {
  let remaining = writes;
  let die = (): void => {};
  const died = new Promise<void>((resolve) => (die = resolve));
  const alive = async <T>(call: () => Promise<T>, isWrite: boolean): Promise<T> => {
    if (remaining <= 0) throw dead();
    const result = await call();
    if (remaining <= 0) throw dead();
    if (!isWrite) return result;
    onWrite();
    remaining -= 1;
    if (remaining > 0) return result;
    die();
    throw dead();
  };
  return {
    died,
    store: {
      ...store,
      partitions: store.partitions,
      append: (...args) => alive(() => store.append(...args), true),
      commit: (...args) => alive(() => store.commit(...args), true),
      changeItems: (...args) => alive(() => store.changeItems(...args), true),
      fetch: (...args) => alive(() => store.fetch(...args), false),
      listeners: (...args) => alive(() => store.listeners(...args), false),
      slots: (...args) => alive(() => store.slots(...args), false),
      runsOf: (...args) => alive(() => store.runsOf(...args), false),
      silences: (...args) => alive(() => store.silences(...args), false),
      load: (...args) => alive(() => store.load(...args), false),
      // The start does not await this call, so it must not reject.
      openRuns: (...args) =>
        alive(() => store.openRuns(...args), false).catch(() => new Promise(() => {})),
      ruleSource: (...args) => alive(() => store.ruleSource(...args), false),
      items: (...args) => alive(() => store.items(...args), false),
    },
  };
}
