import { translate } from "../../src/events/translate.ts";
import { Rehearsal, type RehearsalNeeds } from "../../src/insight/rehearsal/rehearsal.ts";
import { compile, type SourceFile } from "../../src/rules/compile/compile.ts";
import type { Ruleset } from "../../src/rules/ruleset.ts";
import { eventOf } from "../../src/runtime/runs/entry-event.ts";
import { openMemoryStore } from "../../src/runtime/store/memory-store.ts";
import type { Store } from "../../src/runtime/store/store.ts";
import type { TraceNeeds } from "../../src/insight/traces/needs.ts";
import { storedReaders } from "../../src/insight/traces/stored-readers.ts";

/** Time at which a bot starts in a test, in milliseconds since the epoch. */
export const START = Date.UTC(2026, 2, 2, 9);

/** A bot that has only rules. They run in the runtime's own interpreter and store, in virtual time. Nothing is sent. */
export interface RuleBot {
  readonly store: Store;
  readonly needs: TraceNeeds;
  /** Changes the rules that traces use. The bot itself continues with the rules with which it started. */
  changeRules(...rules: readonly string[]): void;
  /** Accepts a delivery, and processes everything that follows from it immediately. */
  hears(delivery: object): Promise<void>;
  after(ms: number): Promise<void>;
  readonly now: number;
  close(): Promise<void>;
}

/** Compiles rules from texts or files. @throws {Error} if a rule has an error. */
export function rulesetOf(...rules: readonly (string | SourceFile)[]): Ruleset {
  const files = rules.map((one, index) =>
    typeof one === "string" ? { path: `rules/${index}.yaml`, text: one } : one,
  );
  const { ruleset, problems } = compile(files);
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(JSON.stringify(errors, null, 2));
  return ruleset;
}

/** Starts a bot that answers for the account 100. `answerTo` returns the reason why the platform refuses a text. */
export async function ruleBot(
  rules: readonly (string | SourceFile)[],
  answerTo: (text: string) => string | undefined = () => undefined,
  restraints: Pick<RehearsalNeeds, "limitsOf" | "optOut" | "quietHoursOf"> = {},
  store: Store = openMemoryStore(),
): Promise<RuleBot> {
  let ruleset = rulesetOf(...rules);
  const rehearsal = await Rehearsal.open({
    ...restraints,
    store,
    ruleset,
    account: { id: "100", username: "hello_bot" },
    resolveModule: (_file, module) => module,
    secretsOf: () => ({}),
    performer: {
      handle: () => Promise.reject(new Error("no bot")),
      call: async () => ({ ok: true, value: "shipped" }),
      request: () => Promise.reject(new Error("no service")),
    },
    eventOf,
    startAt: START,
    answerTo: ({ action }) => {
      const reason = "text" in action ? answerTo(action.text) : undefined;
      return reason === undefined ? undefined : { reason };
    },
    watch: {
      onTakenIn: () => {},
      onSent: () => {},
      onFault: (message) => {
        throw new Error(message);
      },
    },
  });
  return {
    store,
    needs: {
      ...storedReaders(store),
      ruleset: () => ruleset,
      usernameOf: () => "hello_bot",
      now: () => rehearsal.now,
    },
    changeRules: (...texts) => (ruleset = rulesetOf(...texts)),
    async hears(delivery) {
      for (const { event, body } of translate(delivery, rehearsal.now)) {
        const { key, accountId: account, lane, kind, at } = event;
        const text = JSON.stringify(body);
        const arrivedAt = rehearsal.now;
        const entry = { key, account, lane, kind, at, arrivedAt, body: text };
        const source = kind === "answer_by_hand" ? "operator" : "webhook";
        await rehearsal.deliver({ ...entry, source });
      }
    },
    after: (ms) => rehearsal.advanceTo(rehearsal.now + ms),
    get now() {
      return rehearsal.now;
    },
    close: () => rehearsal.close(),
  };
}
