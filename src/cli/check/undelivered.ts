import type { Problem } from "../../config/problem.ts";
import type { EventSource, Settings } from "../../config/settings.ts";
import { whyNotStreamed } from "../../protocol/search-query/operators.ts";
import { isDelivered } from "../../events/activity-event-types.ts";
import type { Direction } from "../../events/event.ts";
import { TRIGGER_FACTS, type Trigger } from "../../events/triggers.ts";
import type { CompiledRule, CompiledTrigger, Ruleset } from "../../rules/ruleset.ts";
import { POLLED_LISTS } from "../../runtime/platform.ts";

/** Reports rules that get no events with these settings, and search queries that the chosen stream can't read. */
export function undelivered(
  ruleset: Ruleset,
  { source, search, accounts }: Pick<Settings, "source" | "search" | "accounts">,
): readonly Problem[] {
  return ruleset.rules
    .filter(({ enabled, stage }) => enabled && stage !== "draft")
    .flatMap((rule) => {
      const stranger = notServed(rule, accounts);
      if (stranger !== undefined) return [stranger];
      return rule.triggers.flatMap(
        (trigger) => neverComes(source, trigger) ?? notStreamed(search, trigger) ?? [],
      );
    });
}

/** Triggers that polling delivers. The polled lists omit posts that quote the account without mentioning it. */
const POLLED: ReadonlySet<Trigger> = new Set(POLLED_LISTS.flatMap(({ triggers }) => triggers));

interface Reason {
  readonly message: string;
  readonly help: string;
}

/** Reason why an event source never delivers a trigger; undefined if the source delivers the trigger. */
export function whyNever(
  source: EventSource,
  trigger: Trigger,
  direction: Direction,
): Reason | undefined {
  const { kind }: { readonly kind: string } = TRIGGER_FACTS[trigger];
  if (OWN_KINDS.has(kind) || trigger === "post.found") return undefined;
  if (source === "polling") return whyNotPolled(trigger, direction);
  if (source !== "activity" || isDelivered(trigger, direction)) return undefined;
  const others = isDelivered(trigger, "outbound") ? ' but with "direction: outbound"' : "";
  return {
    message: `${trigger} never comes with "source: activity"${others}: the activity interface does not deliver it`,
    help: "write  source: both  in the settings, for as long as the platform has account activity",
  };
}

/** Reason why polling never delivers a trigger; undefined if polling delivers the trigger. */
function whyNotPolled(trigger: Trigger, direction: Direction): Reason | undefined {
  const { kind }: { readonly kind: string } = TRIGGER_FACTS[trigger];
  const isOwnPost = direction === "outbound" && kind !== "message";
  if (POLLED.has(trigger) && !isOwnPost) return undefined;
  const own = isOwnPost ? ' with "direction: outbound"' : "";
  const message = `${trigger}${own} never comes with "source: polling", which reads messages and mentions`;
  if (trigger !== "post.quoted" || isOwnPost) return { message, help: USE_WEBHOOK };
  return {
    message: `${trigger} comes with "source: polling" only where the quote mentions the account`,
    help: `listen to post.mentioned for those, or ${USE_WEBHOOK}`,
  };
}

const USE_WEBHOOK = "write  source: webhook  in the settings";
/** Kinds of events that the runtime creates itself, whatever the source. */
const OWN_KINDS: ReadonlySet<string> = new Set(["count", "schedule", "link_lost", "link_restored"]);

function neverComes(
  source: EventSource,
  { trigger, direction, at }: CompiledTrigger,
): Problem | undefined {
  const why = whyNever(source, trigger, direction);
  return why && { ...at, severity: "warning", code: "trigger-not-delivered", ...why };
}

/** Reports a query that the filtered stream refuses, although the settings choose the stream. */
function notStreamed(
  search: Settings["search"],
  { query, at }: CompiledTrigger,
): Problem | undefined {
  if (search !== "stream" || query === undefined) return undefined;
  const why = whyNotStreamed(query);
  if (why === undefined) return undefined;
  return {
    ...at,
    severity: "warning",
    code: "bad-query",
    message: `${why}: recent search reads it, with "search: stream", too`,
    help: "change the query, or write  search: auto  in the settings if that is intended",
  };
}

/**
 * Reports a rule for an account that the settings omit. Reports nothing if user ids are used: they can't be compared
 * with handles.
 */
function notServed(
  { id, account, triggers }: CompiledRule,
  accounts: readonly string[],
): Problem | undefined {
  const [first] = triggers;
  if (account === undefined || first === undefined || accounts.length === 0) return undefined;
  const handles = accounts.map((one) => one.toLowerCase());
  if ([account, ...handles].some((one) => /^\d+$/.test(one))) return undefined;
  if (handles.includes(account)) return undefined;
  return {
    ...first.at,
    severity: "warning",
    code: "trigger-not-delivered",
    message: `rule "${id}" answers for @${account}, and the settings name other accounts: it gets no events`,
    help: `add it to the settings:  accounts: [${[...accounts, account].join(", ")}]`,
  };
}
