import * as z from "zod";
import { CONVERSATION_SCOPES } from "../../events/conversation.ts";
import { aboutTrigger, TRIGGERS } from "../../events/triggers.ts";
import { MAX_COUNT } from "../decide/counted.ts";
import { OPERATORS } from "../operators/operators.ts";
import { branch } from "../steps/branch.ts";
import { STEPS } from "../steps/steps.ts";
import { hours, inputs, lists, stateDefaults, texts as sharedTexts, use } from "./shared-keys.ts";
import {
  account,
  conditionList,
  positiveDuration,
  duration,
  id,
  moment,
  ruleId,
  scalar,
  stepList,
  text,
  texts,
} from "../schema/pieces.ts";

/** Operators of a field. All of them must hold. */
export const matcherMap = z.strictObject({
  ...optional(Object.entries(OPERATORS).map(([name, { operand }]) => [name, operand])),
  cased: z.boolean().optional().describe("Compare exactly: case and compatibility forms count."),
});
/** Operands by operator. */
export type MatcherMap = z.infer<typeof matcherMap> & Readonly<Record<string, unknown>>;

function optional(
  members: readonly (readonly [string, z.core.$ZodType])[],
): Readonly<Record<string, z.ZodOptional>> {
  return Object.fromEntries(members.map(([name, schema]) => [name, z.optional(schema)]));
}

/** Value under a field: a map of operators, or a value that the field must equal. */
export const matcher = z.union([scalar, matcherMap]);

/** Name of a trigger, with a description of each name for editors. */
const triggerName = z.enum(TRIGGERS).meta({ enumDescriptions: TRIGGERS.map(aboutTrigger) });
export const triggerMap = z.strictObject({
  trigger: triggerName,
  id: id.optional().describe("Available as trigger.id in expressions."),
  direction: z
    .enum(["inbound", "outbound"])
    .default("inbound")
    .describe("outbound: actions of the account itself."),
  in: z
    .enum(CONVERSATION_SCOPES)
    .optional()
    .describe(
      "For dm.received and dm.sent: messages of private conversations (the default), groups, or any.",
    ),
  match: z.record(z.string(), matcher).optional().describe("Fields of the event; all must match."),
  of: id.optional().describe("For count.reached: the name of the count."),
  at: z
    .union([
      z.int().min(1, "a count begins at 1").max(MAX_COUNT, `a count ends at ${MAX_COUNT}`),
      text,
    ])
    .optional()
    .describe(
      "For count.reached: the number to reach. For schedule with every: the time of day, 09:00.",
    ),
  cron: text
    .optional()
    .describe("For schedule: minute, hour, day of the month, month, day of the week."),
  every: text
    .optional()
    .describe("For schedule, instead of cron: the period in days or weeks: 2 weeks."),
  from: text.optional().describe("For schedule with every: the first date, 2026-01-05."),
  query: text
    .optional()
    .describe("For post.found: the query, in the platform's syntax: brand -is:retweet lang:en."),
  zone: text.optional().describe("For schedule: the time zone of its times."),
});

/** Number and times of the attempts of a failing step. */
export const retry = z.strictObject({
  attempts: z
    .int()
    .min(2, "attempts are counted in all: 2 is one more try")
    .max(20, "at most 20")
    .default(3)
    .describe("Number of attempts, including the first."),
  backoff: z
    .union([z.literal("exponential"), duration])
    .default("exponential")
    .describe("The time between two attempts. exponential: 1s, 2s, 4s … up to 1h, with jitter."),
  give_up_after: duration.optional().describe("No attempt starts after this time."),
});

/** A step: exactly one verb, and the keys allowed beside it. */
export const stepMap = z.strictObject({
  ...optional(Object.values(STEPS).flatMap(({ shape }) => Object.entries(shape))),
  ...optional(Object.entries(branch.shape)),
  id: id.optional().describe("Later steps read the result as steps.<id>."),
  name: text.optional().describe("A name for people to read."),
  enabled: z.boolean().optional().describe("false: the step is skipped."),
  if: text.optional().describe("An expression: if it is false, the step is skipped."),
  continue_on_error: z
    .boolean()
    .optional()
    .describe("If the step fails, the rule continues with the next step."),
  on_error: stepList
    .optional()
    .describe("Steps that run if this step fails; then the rule continues."),
  on_held: stepList
    .optional()
    .describe("Steps that run if a limit holds the answer back; then the rule continues."),
  timeout: positiveDuration
    .optional()
    .describe("Maximum duration of one attempt, for http, call, and steps that send."),
  retry: retry.optional().describe("Retries after failures: of http, call, and steps that send."),
});
/** A step as written: common keys, and the keys of its verb. */
export type StepMap = z.infer<typeof stepMap> & Readonly<Record<string, unknown>>;

/** A rule. Its conditions and steps are checked later, against its triggers. */
export const ruleMap = z.strictObject({
  id: id.describe("Identifies the rule in state and reports; keep it stable."),
  formerly: z
    .array(ruleId)
    .min(1, "this list is empty")
    .optional()
    .describe("Former ids: cooldown, limit and open runs continue under the new id."),
  name: text.optional().describe("A name for people to read."),
  enabled: z.boolean().default(true).describe("false: the rule is not evaluated."),
  stage: z
    .enum(["draft", "shadow", "live"])
    .default("live")
    .describe("draft: not evaluated. shadow: evaluated and reported, but nothing is done."),
  account: account.optional().describe("The only account of the rule: a handle or an id."),
  group: id
    .optional()
    .describe(
      "Name of the rule's group. By default, the answering rules of a file are one group. none: no group.",
    ),
  fallback: z
    .boolean()
    .default(false)
    .describe(
      "Runs only if no other rule of the group matched; without a named group, also no rule of other files.",
    ),
  interrupts: z
    .boolean()
    .default(false)
    .describe("true: the rule gets events before a conversation that waits for an answer."),
  triggers: z
    .array(z.union([triggerName, triggerMap]))
    .min(1, "a rule needs a trigger")
    .describe(
      "Names of events, or maps with trigger, id, direction, match. A rule without triggers can only be run by others.",
    ),
  conditions: conditionList.default([]).describe("All must hold."),
  variables: z
    .record(z.string(), scalar)
    .default({})
    .describe("Values, available as vars.<name>: a text, or the result of a single ${{ }}."),
  cooldown: z
    .strictObject({
      per: z.enum(["sender", "conversation", "account", "rule"]),
      for: positiveDuration,
    })
    .optional()
    .describe("Run at most once in this time, for each person or another scope."),
  active: z
    .strictObject({ from: moment.optional(), to: moment.optional() })
    .refine(({ from, to }) => from !== undefined || to !== undefined, "write from, to, or both")
    .refine(
      ({ from, to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to),
      '"to" is not after "from": the rule would never be active',
    )
    .optional()
    .describe("The rule answers only events between two times."),
  labels: texts.optional().describe("Labels for people; reports can be filtered by them."),
  limit: z
    .strictObject({
      per: z.enum(["sender", "conversation", "account", "rule"]).default("rule"),
      max: z.int().min(1, "a limit of nothing: write enabled: false").max(1_000, "at most 1000"),
      in: positiveDuration.describe("Length of the time window."),
      overflow: z
        .enum(["queue", "drop", "escalate"])
        .default("queue")
        .describe(
          "Runs above the limit. queue: they run later. drop: they do not run. escalate: they do not run, and a person is asked once per period.",
        ),
      queue: id
        .optional()
        .describe("For escalate: the queue. Default: as in the rule's escalate step, or limits."),
      expires: duration
        .default("24h")
        .describe("A run that would wait longer than this in the queue is dropped."),
    })
    .optional()
    .describe("Run at most max times in a period."),
  allow: z
    .array(z.enum(["private-to-public"]))
    .optional()
    .describe("private-to-public: posts may contain texts of private messages."),
  max_age: z
    .union([positiveDuration, z.literal("none")])
    .optional()
    .describe(
      "Ignore older events. Default: 24h for messages and mentions, 1h for likes, follows, typing.",
    ),
  on_replay: z
    .enum(["run", "skip", "notify"])
    .default("run")
    .describe(
      "Events that arrive late, by replay or backfill: run, skip, or notify (a person is asked to look at them).",
    ),
  mode: z
    .enum(["single", "restart", "queued", "parallel"])
    .optional()
    .describe(
      "If a run with the same key is open, a new run is dropped (single), replaces it (restart), waits (queued) or runs too (parallel).",
    ),
  key: text
    .optional()
    .describe("Key of runs that belong together: ${{ conversation.id }}. Default: the sender."),
  max: z
    .int()
    .min(1, "at least 1")
    .max(1_000, "at most 1000")
    .optional()
    .describe(
      "With queued: the maximum of waiting runs. With parallel: the maximum of simultaneous runs. 10 by default.",
    ),
  timeout: duration
    .optional()
    .describe("Maximum duration of a run. After it, the run fails and on_error runs."),
  on_reload: z
    .enum(["finish", "cancel"])
    .default("finish")
    .describe("Effect on open runs when the rule is changed or removed."),
  actions: stepList.describe("Steps that run from top to bottom."),
  on_error: stepList
    .optional()
    .describe("Steps that run if a step fails; error.message has the reason."),
});
export type RuleMap = z.infer<typeof ruleMap>;

/**
 * A rule without triggers, which runs only if other rules call it. It lacks keys such as `conditions` and `cooldown`.
 */
export const sharedRuleMap = ruleMap.pick({
  id: true,
  name: true,
  variables: true,
  labels: true,
  allow: true,
  actions: true,
  on_error: true,
});

const groups = z
  .record(z.string(), z.strictObject({ match: z.literal("first") }))
  .default({})
  .describe("match: first: at most one rule of the group answers an event.");

/** Returns the schema of definitions by name, each of which is checked on its own. `form` is an example of the key. */
function named(form: string) {
  const isMap = (value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const message = "this is not a map of names";
  return z
    .unknown()
    .refine((value) => value === undefined || isMap(value), {
      message,
      params: { code: "wrong-type", help: `write  ${form}  or leave the key out` },
    })
    .optional();
}

/** Top level of a rule file. Each rule is checked on its own, so an error in a rule does not affect others. */
export const ruleFileFrame = z.strictObject({
  version: z.literal(1),
  account: account.optional(),
  groups,
  lists: named("lists: { NAME: [first, second] }"),
  hours: named('hours: { NAME: { zone: Europe/Berlin, open: ["mon-fri 09:00-17:00"] } }'),
  texts: named('texts: { NAME: "…" }'),
  state: z.unknown().optional(),
  inputs: named('inputs: { NAME: { type: string, default: "…" } }'),
  use: z.unknown().optional(),
  rules: z.array(z.unknown()).default([]),
});

/** Complete schema of a rule file, except for steps and conditions, which `editor-schema.ts` adds. */
export const ruleFile = z
  .strictObject({
    version: z.literal(1),
    account: account.optional().describe("Its rules answer only for this account."),
    groups,
    lists,
    hours,
    texts: sharedTexts,
    state: stateDefaults,
    inputs,
    use,
    rules: z.array(ruleMap.partial({ triggers: true })).default([]),
  })
  .meta({ title: "Answerback rules" });
