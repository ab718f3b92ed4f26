import type { BotHost } from "../bots/host.ts";
import type { LoadedBot } from "../bots/messages.ts";
import type { AccountEvent, InboundTrigger } from "../events/event.ts";
import { advance, settle } from "../rules/advance.ts";
import { cooldownKey } from "../rules/cooldown.ts";
import { decide } from "../rules/decide.ts";
import type { RunState, StepResult } from "../rules/run-state.ts";
import type { CompiledRule, Ruleset } from "../rules/ruleset.ts";
import type { Json } from "../rules/view.ts";
import type { LinkedAccount } from "./accounts/registry.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Decider, Outcome, QueuedAction } from "./runs/decide-entry.ts";
import type { Entry, RunRecord, Store } from "./store/store.ts";

export interface DeciderNeeds {
  readonly ruleset: Ruleset;
  readonly bots: BotHost;
  readonly store: Pick<Store, "load">;
  readonly clock: Clock;
  readonly log: Log;
  readonly accounts: readonly LinkedAccount[];
  /** Absolute path of a module that a rule file calls, as written there. */
  readonly resolveModule: (ruleFile: string, module: string) => string;
}

/** Asks the rules, runs those that match step by step, then the bots, in that order. */
export function decider(needs: DeciderNeeds): Decider {
  return async (event, entry) => {
    const { ruleset, clock } = needs;
    const now = clock.now();
    const state = await needs.store.load(stateKeys(ruleset, event));
    const decision = decide(event, ruleset, {
      now,
      replayed: entry.source === "replay" || entry.source === "backfill",
      read: (key) => readState(state.get(key), now),
    });
    const parts: Done[] = [];
    for (const run of decision.runs) {
      const rule = ruleset.byId.get(run.ruleId);
      if (rule !== undefined) parts.push(await runRule(run, rule, entry, needs));
    }
    const answered = parts.some(({ actions }) => actions.length > 0);
    for (const bot of needs.bots.bots) {
      const triggers = heardBy(bot, event);
      if (triggers.length > 0) {
        parts.push(await runBot(bot, { triggers, event, entry, answered }, needs));
      }
    }
    return {
      decision: { revision: decision.revision, verdicts: decision.verdicts },
      runs: parts.map(({ run }) => run),
      actions: parts.flatMap(({ actions }) => actions),
      state: decision.changes.map(({ key, value, expiresAt }) => ({
        key,
        value: JSON.stringify({ value, expiresAt }),
      })),
    } satisfies Outcome;
  };
}

/** User state that the rules may read for this event. */
function stateKeys(ruleset: Ruleset, event: AccountEvent): string[] {
  return ruleset
    .candidates(event.triggers)
    .flatMap(({ id, cooldown }) => (cooldown ? [cooldownKey(id, cooldown.per, event)] : []));
}

interface Done {
  readonly run: RunRecord;
  readonly actions: readonly QueuedAction[];
}

/** Takes a run from its first step to its end; actions are queued, calls are waited for. */
async function runRule(
  started: RunState,
  rule: CompiledRule,
  entry: Entry,
  needs: DeciderNeeds,
): Promise<Done> {
  const log = needs.log.child({ rule: rule.id, event: entry.key });
  const actions: QueuedAction[] = [];
  let run = started;
  for (;;) {
    const { run: at, next } = advance(run, rule, { now: needs.clock.now() });
    run = at;
    if (next.kind === "done") {
      if (next.end.outcome === "failed") log.warn({ reason: next.end.reason }, "run failed");
      return { run: recordOf(run, rule, entry), actions };
    }
    let result: StepResult = { ok: true, result: null };
    if (next.kind === "action") {
      actions.push({ step: `rule:${rule.id}/${next.path}`, action: next.action });
    } else if (next.kind === "log") {
      log[next.level](next.message);
    } else {
      const module = needs.resolveModule(next.file, next.module);
      const call = { module, export: next.export, input: next.with, event: run.event };
      const outcome = await needs.bots.call(
        next.timeoutMs === undefined ? call : { ...call, timeoutMs: next.timeoutMs },
      );
      result = outcome.ok
        ? { ok: true, result: outcome.value }
        : { ok: false, error: { code: "call-failed", message: outcome.error } };
    }
    run = settle(run, rule, result);
  }
}

function recordOf(run: RunState, rule: CompiledRule, entry: Entry): RunRecord {
  const { results, error, ended } = run;
  const outcome = ended?.outcome ?? "failed";
  return {
    id: `${entry.seq}/rule:${rule.id}`,
    owner: `rule:${rule.id}`,
    revision: rule.revision,
    status: outcome === "finished" ? "done" : outcome,
    steps: JSON.stringify({ results, error, ended }),
  };
}

/** What the account itself did wakes no bot. */
function heardBy(bot: LoadedBot, event: AccountEvent): readonly InboundTrigger[] {
  if (event.direction === "outbound") return [];
  return bot.triggers.filter((trigger) => event.triggers.includes(trigger));
}

interface Heard {
  readonly triggers: readonly InboundTrigger[];
  readonly event: AccountEvent;
  readonly entry: Entry;
  readonly answered: boolean;
}

async function runBot(bot: LoadedBot, heard: Heard, needs: DeciderNeeds): Promise<Done> {
  const { triggers, event, entry, answered } = heard;
  const account = needs.accounts.find(({ id }) => id === event.accountId);
  const owner = `bot:${bot.name}`;
  const outcome = await needs.bots.handle({
    bot: bot.name,
    triggers,
    event,
    answered,
    account: { id: event.accountId, username: account?.username ?? "" },
    now: needs.clock.now(),
    replayed: entry.source === "replay" || entry.source === "backfill",
  });
  if (outcome.error !== undefined) {
    needs.log.error({ bot: bot.name, event: entry.key, fault: outcome.error }, "bot failed");
  }
  return {
    run: {
      id: `${entry.seq}/${owner}`,
      owner,
      revision: "current",
      status: outcome.error === undefined ? "done" : "failed",
      steps: JSON.stringify(outcome),
    },
    actions: outcome.actions.map((action, ordinal) => ({ step: `${owner}/${ordinal}`, action })),
  };
}

/** A value of user state that has not run out. */
function readState(text: string | undefined, now: number): Json | undefined {
  if (text === undefined) return undefined;
  const { value, expiresAt }: StoredState = JSON.parse(text);
  return now < expiresAt ? value : undefined;
}

interface StoredState {
  readonly value: Json;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}
