import * as z from "zod";
import { DURATION } from "./duration.ts";
import { TRIGGER_NAMES } from "./later.ts";

const text = z.string().min(1, "this is empty");
const id = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    "an id has letters, digits, - and _, and starts with a letter",
  );
const duration = z
  .string()
  .regex(DURATION, 'not a duration: write a number and a unit, as "10m", "24h" or "180d"');
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const words = z.union([text, z.array(text).min(1, "this list is empty")]);

/** What a field can be asked. Several at once must all hold. */
export const matcherMap = z.strictObject({
  equals: scalar.optional().describe("The same value; texts in any case."),
  in: z.array(scalar).min(1, "this list is empty").optional().describe("Equal to one of a list."),
  contains: words.optional().describe("This stands in the text, or is in the list."),
  contains_word: words.optional().describe("One of these stands in the text as whole words."),
  contains_any: z.array(text).min(1, "this list is empty").optional(),
  contains_all: z.array(text).min(1, "this list is empty").optional(),
  starts_with: words.optional(),
  ends_with: words.optional(),
  matches: words.optional().describe("An RE2 pattern; (?i) in front ignores case."),
  gt: z.number().optional(),
  gte: z.number().optional(),
  lt: z.number().optional(),
  lte: z.number().optional(),
  exists: z.boolean().optional().describe("Does the event tell this at all?"),
  older_than: duration.optional(),
  newer_than: duration.optional(),
  cased: z.boolean().optional().describe("Case counts, and so do compatibility forms."),
});
export type MatcherMap = z.infer<typeof matcherMap>;

/** What stands under a field: a map of operators, or a value that it must equal. */
export const matcher = z.union([scalar, matcherMap]);

/** One condition: a field with its matcher, or `any`, `all`, `not`, `if`. */
const condition = z
  .object({
    get any() {
      return z.array(condition).optional();
    },
    get all() {
      return z.array(condition).optional();
    },
    get not(): z.ZodOptional<z.ZodUnknown> {
      return z.unknown().optional();
    },
    if: z.string().optional(),
  })
  .catchall(z.unknown())
  .describe("One field with what is asked of it; or any, all, not, if.");

const triggerName = z.enum(TRIGGER_NAMES);
export const triggerMap = z.strictObject({
  trigger: triggerName,
  id: id.optional().describe("Told as trigger.id in expressions."),
  direction: z
    .enum(["inbound", "outbound"])
    .default("inbound")
    .describe("outbound: the account itself did it."),
  match: z.record(z.string(), matcher).optional().describe("Fields of the event, all must match."),
});

/** Steps refer to steps, so each block is checked on its own; see `stepMap`. */
const steps = z.array(z.unknown()).min(1, "there is no step here");

const textStep = z.union([text, z.strictObject({ text })]);

/** What follows an `if`. By name, since an object with a `then` of its own looks like a promise. */
const [THEN, ELSE] = ["then", "else"] as const;

/** A step: exactly one verb, and what may stand beside it. */
export const stepMap = z.strictObject({
  id: id.optional().describe("Its result is steps.<id> in what follows."),
  name: text.optional(),
  enabled: z.boolean().optional(),
  if: text.optional().describe("An expression: the step is skipped when it is false."),
  continue_on_error: z.boolean().optional(),
  on_error: steps.optional().describe("Steps for when this one fails; then the rule goes on."),
  reply_dm: textStep.optional().describe("Send a message to the person."),
  reply_post: textStep.optional().describe("Answer the post."),
  like: z.strictObject({}).optional().describe("Like the post."),
  follow: z
    .union([text, z.strictObject({})])
    .optional()
    .describe("Follow the person."),
  log: z
    .union([
      text,
      z.strictObject({
        level: z.enum(["debug", "info", "warn", "error"]).default("info"),
        message: text,
      }),
    ])
    .optional(),
  call: text.optional().describe("A function of a TypeScript module: ./file.ts#function"),
  with: z.record(z.string(), z.unknown()).optional().describe("The argument of call."),
  timeout: duration.optional().describe("How long call may take."),
  stop: z
    .union([
      text,
      z.strictObject({ outcome: z.enum(["stopped", "failed"]).default("stopped"), reason: text }),
    ])
    .optional()
    .describe("End here, and say why."),
  [THEN]: steps.optional(),
  [ELSE]: steps.optional(),
});
export type StepMap = z.infer<typeof stepMap>;

/** One rule, its conditions and steps still to be checked against its triggers. */
export const ruleMap = z.strictObject({
  id: id.describe("Stable: state and reports go by it."),
  name: text.optional(),
  enabled: z.boolean().default(true),
  stage: z
    .enum(["draft", "shadow", "live"])
    .default("live")
    .describe("draft: not looked at. shadow: judged and reported, but nothing is done."),
  group: id
    .optional()
    .describe('Rules that answer are in "default" unless they say otherwise; none: in no group.'),
  fallback: z
    .boolean()
    .default(false)
    .describe("Looked at only when no other rule of the group matched."),
  triggers: z.array(z.union([triggerName, triggerMap])).min(1, "a rule needs a trigger"),
  conditions: z.array(z.unknown()).default([]).describe("All must hold."),
  variables: z.record(z.string(), scalar).default({}).describe("Expressions, told as vars.<name>."),
  cooldown: z
    .strictObject({ per: z.enum(["sender", "conversation", "account", "rule"]), for: duration })
    .optional()
    .describe("Run at most once in this time."),
  max_age: z
    .union([duration, z.literal("none")])
    .optional()
    .describe(
      "Leave events older than this. 24h for messages and mentions, 1h for likes, follows, typing.",
    ),
  on_replay: z
    .enum(["run", "skip"])
    .default("run")
    .describe("What to do with events that come late, by replay or backfill."),
  actions: steps,
  on_error: steps.optional().describe("Steps for when a step fails; error.message says why."),
});
export type RuleMap = z.infer<typeof ruleMap>;

const groups = z
  .record(z.string(), z.strictObject({ match: z.literal("first") }))
  .default({})
  .describe("match: first: at most one rule of the group answers an event.");

/** The frame of a rule file: each rule is checked on its own, so that a broken one harms no other. */
export const ruleFileFrame = z.strictObject({
  version: z.literal(1),
  groups,
  rules: z.array(z.unknown()).default([]),
});

/** The whole shape of a rule file, for editors. */
export const ruleFile = z
  .strictObject({
    version: z.literal(1),
    groups,
    rules: z
      .array(
        ruleMap.extend({
          conditions: z.array(condition).default([]),
          actions: z.array(z.union([z.enum(["like", "follow", "stop"]), stepMap])).min(1),
        }),
      )
      .default([]),
  })
  .meta({ title: "Answerback rules" });
