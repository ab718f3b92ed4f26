import * as z from "zod";
import { CONVERSATION_SCOPES } from "../../events/conversation.ts";
import { aboutTrigger, TRIGGERS } from "../../events/triggers.ts";
import { OPERATORS } from "../operators/operators.ts";
import { branch } from "../steps/branch.ts";
import { STEPS } from "../steps/steps.ts";
import { hours, inputs, lists, stateDefaults, texts as sharedTexts, use } from "./shared-keys.ts";
import {
  account,
  conditionList,
  countedDuration,
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
  cased: z.boolean().optional().describe("Case counts, and so do compatibility forms."),
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
    .describe("outbound: the account itself did it."),
  in: z
    .enum(CONVERSATION_SCOPES)
    .optional()
    .describe(
      "Of dm.received and dm.sent: private, the default, group, or any: messages of which conversations.",
    ),
  match: z.record(z.string(), matcher).optional().describe("Fields of the event, all must match."),
  of: id.optional().describe("Of count.reached: the name of the count."),
  at: z
    .union([z.int().min(1, "a count begins at 1"), text])
    .optional()
    .describe(
      "Of count.reached: the number that it has come to. Of schedule, with every: the time of the day, 09:00.",
    ),
  cron: text
    .optional()
    .describe("Of schedule: when, as minute, hour, day of the month, month, day of the week."),
  every: text
    .optional()
    .describe("Of schedule, in place of cron: how often, in days or weeks: 2 weeks."),
  from: text.optional().describe("Of schedule, with every: the first date, 2026-01-05."),
  query: text
    .optional()
    .describe("Of post.found: the search, in the platform's operators: brand -is:retweet lang:en."),
  zone: text.optional().describe("Of schedule: the time zone of its clock times."),
});

/** Number and times of the attempts of a failing step. */
export const retry = z.strictObject({
  attempts: z
    .int()
    .min(2, "attempts are counted in all: 2 is one more try")
    .max(20, "at most 20")
    .default(3)
    .describe("How often in all, the first included."),
  backoff: z
    .union([z.literal("exponential"), duration])
    .default("exponential")
    .describe("The time between two; exponential: 1s, 2s, 4s … up to an hour, spread."),
  give_up_after: duration.optional().describe("No attempt begins later than this."),
});

/** A step: exactly one verb, and the keys allowed beside it. */
export const stepMap = z.strictObject({
  ...optional(Object.values(STEPS).flatMap(({ shape }) => Object.entries(shape))),
  ...optional(Object.entries(branch.shape)),
  id: id.optional().describe("Its result is steps.<id> in what follows."),
  name: text.optional().describe("For people."),
  enabled: z.boolean().optional().describe("false: the step is left out."),
  if: text.optional().describe("An expression: the step is skipped when it is false."),
  continue_on_error: z
    .boolean()
    .optional()
    .describe("When the step fails, the rule goes on with the next one."),
  on_error: stepList.optional().describe("Steps for when this one fails; then the rule goes on."),
  on_held: stepList
    .optional()
    .describe("Steps for when the answer is held back by a limit; then the rule goes on."),
  timeout: duration
    .optional()
    .describe("How long one attempt may take: of http, call, or what is sent."),
  retry: retry.optional().describe("Tries the step again when it fails: http, call, what is sent."),
});
/** A step as written: common keys, and the keys of its verb. */
export type StepMap = z.infer<typeof stepMap> & Readonly<Record<string, unknown>>;

/** A rule. Its conditions and steps are checked later, against its triggers. */
export const ruleMap = z.strictObject({
  id: id.describe("Stable: state and reports use it."),
  formerly: z
    .array(ruleId)
    .min(1, "this list is empty")
    .optional()
    .describe("Ids that it had: its cooldown, its limit and its open runs go on."),
  name: text.optional().describe("For people."),
  enabled: z.boolean().default(true).describe("false: the rule is not evaluated."),
  stage: z
    .enum(["draft", "shadow", "live"])
    .default("live")
    .describe("draft: not evaluated. shadow: evaluated and reported, but nothing is done."),
  account: account.optional().describe("It answers for this account only: a handle, or an id."),
  group: id
    .optional()
    .describe(
      "The rules of a file that answer are a group; another is named here. none: no group.",
    ),
  fallback: z
    .boolean()
    .default(false)
    .describe(
      "Evaluated only when no other rule of the group matched, nor one of another file unless a group is named.",
    ),
  interrupts: z
    .boolean()
    .default(false)
    .describe("true: it gets an event before a conversation that waits for an answer."),
  triggers: z
    .array(z.union([triggerName, triggerMap]))
    .min(1, "a rule needs a trigger")
    .describe(
      "Names of events, or maps with trigger, id, direction, match. A rule without any is for others to run.",
    ),
  conditions: conditionList.default([]).describe("All must hold."),
  variables: z
    .record(z.string(), scalar)
    .default({})
    .describe("Values, available as vars.<name>: a text, or what one ${{ }} gives."),
  cooldown: z
    .strictObject({
      per: z.enum(["sender", "conversation", "account", "rule"]),
      for: countedDuration,
    })
    .optional()
    .describe("Run at most once in this time."),
  active: z
    .strictObject({ from: moment.optional(), to: moment.optional() })
    .refine(({ from, to }) => from !== undefined || to !== undefined, "write from, to, or both")
    .refine(
      ({ from, to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to),
      '"to" is not after "from": the rule would never be active',
    )
    .optional()
    .describe("The rule answers events from one time on, up to another."),
  labels: texts.optional().describe("For people: reports can be asked for by them."),
  limit: z
    .strictObject({
      per: z.enum(["sender", "conversation", "account", "rule"]).default("rule"),
      max: z.int().min(1, "a limit of nothing: write enabled: false").max(1_000, "at most 1000"),
      in: countedDuration.describe("How long the time is that is counted in."),
      overflow: z
        .enum(["queue", "drop", "escalate"])
        .default("queue")
        .describe(
          "queue: what is more runs when its turn comes. drop: it doesn't run. escalate: nor does it, and a person is told, once in that time.",
        ),
      queue: id
        .optional()
        .describe("With escalate: who is told; that of the rule's own step escalate, else limits."),
      expires: duration
        .default("24h")
        .describe("What would have to wait longer than this for its turn doesn't run."),
    })
    .optional()
    .describe("Run at most so often in a time."),
  allow: z
    .array(z.enum(["private-to-public"]))
    .optional()
    .describe("private-to-public: texts of private messages may stand in posts."),
  max_age: z
    .union([duration, z.literal("none")])
    .optional()
    .describe(
      "Leave events older than this. 24h for messages and mentions, 1h for likes, follows, typing.",
    ),
  on_replay: z
    .enum(["run", "skip", "notify"])
    .default("run")
    .describe(
      "Events that come late, by replay or backfill: run, skip, or notify, which asks a person to look instead.",
    ),
  mode: z
    .enum(["single", "restart", "queued", "parallel"])
    .optional()
    .describe(
      "While a run of the same key is under way, a new one: is left, ends it, waits, goes on beside it.",
    ),
  key: text
    .optional()
    .describe("Key of runs that count together, as ${{ conversation.id }}; by default the sender."),
  max: z
    .int()
    .min(1, "at least 1")
    .max(1_000, "at most 1000")
    .optional()
    .describe(
      "With queued: the most waiting runs. With parallel: the most runs at once. 10 by default.",
    ),
  timeout: duration
    .optional()
    .describe("How long a run may take in all; then it has failed, and on_error runs."),
  on_reload: z
    .enum(["finish", "cancel"])
    .default("finish")
    .describe("What becomes of runs under way when the rule is changed or removed."),
  actions: stepList.describe("What is done, step by step."),
  on_error: stepList.optional().describe("Steps for when a step fails; error.message says why."),
});
export type RuleMap = z.infer<typeof ruleMap>;

/** A rule without triggers, which runs only if other rules call it. It lacks the keys about the start of a rule. */
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

/** Top level of a rule file. Each rule is checked on its own, so an error in a rule does not affect others. */
export const ruleFileFrame = z.strictObject({
  version: z.literal(1),
  account: account.optional(),
  groups,
  lists: z.unknown().optional(),
  hours: z.unknown().optional(),
  texts: z.unknown().optional(),
  state: z.unknown().optional(),
  inputs: z.unknown().optional(),
  use: z.unknown().optional(),
  rules: z.array(z.unknown()).default([]),
});

/** Complete schema of a rule file, except for steps and conditions, which `editor-schema.ts` adds. */
export const ruleFile = z
  .strictObject({
    version: z.literal(1),
    account: account.optional().describe("Its rules answer for this account only."),
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
