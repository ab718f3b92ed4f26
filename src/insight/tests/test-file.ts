import { GROUP_ID } from "../../events/conversation.ts";
import * as z from "zod";
import {
  limitsOfAccount,
  optOut,
  quietHoursOfAccount,
} from "../../config/schema/restraint-schema.ts";
import { ACTIONS } from "../../actions/actions.ts";
import { LOOKUP_FAILURES } from "../../actions/lookup.ts";
import { HTTP_METHODS } from "../../rules/run/http-request.ts";
import { duration, ruleId, text, matcher } from "../../rules/language.ts";

/** Schema of test files, such as `faq.test.yaml`. */

const userId = z.string().regex(/^\d+$/, "a user id is made of digits; quote it");

const moment = z.iso.datetime({
  offset: true,
  error: "this is not a moment with date, time and zone",
});

const person = z.strictObject({
  id: userId,
  name: text.optional(),
  username: text.optional().describe("The handle, without @ (default: the key of this user)."),
  description: text.optional(),
  location: text.optional(),
  url: text.optional(),
  followers_count: z.int().min(0).default(0),
  following_count: z.int().min(0).default(0),
  post_count: z.int().min(0).default(0),
  listed_count: z.int().min(0).optional(),
  like_count: z.int().min(0).optional(),
  profile_image_url: text.optional(),
  verified: z.boolean().default(false),
  protected: z.boolean().default(false),
  created_at: moment.optional(),
});
/** A person as written in a test file. */
export type WrittenPerson = z.infer<typeof person>;

const from = text.describe("One of the users of this file.");
const said = z.strictObject({
  from,
  text: z.string(),
  id: text.optional().describe("The platform's id (default: generated)."),
  hashtags: z.array(text).optional().describe("Default: the ones in the text."),
  cashtags: z.array(text).optional().describe("Default: the ones in the text."),
  urls: z.array(text).optional().describe("Default: the ones in the text."),
});
const counters = {
  repost_count: z.int().min(0).optional(),
  reply_count: z.int().min(0).optional(),
  like_count: z.int().min(0).optional(),
  quote_count: z.int().min(0).optional(),
};
const posted = said.extend({
  lang: text.optional(),
  source_app_name: text.optional(),
  source_app_url: text.optional(),
  media: z
    .array(z.strictObject({ url: text, type: text.default("photo") }))
    .optional()
    .describe("Its pictures and videos."),
  ...counters,
});
const addressed = posted.extend({
  sender_blocked: z
    .boolean()
    .default(false)
    .describe("Whether the account has blocked this person, as in sender.blocked."),
});
const edited = posted.extend({
  former_text: text.optional().describe("The text before the edit."),
});
const foundPost = posted.extend({
  query: text.describe("The query of the trigger that finds the post."),
});
const done = z.strictObject({ from });
const aboutPost = z.strictObject({
  from,
  text: z.string().default("").describe("Text of the account's post to which the event refers."),
  ...counters,
});

const outage = z.strictObject({
  for: duration.default("1m").describe("Time in which no events of the account arrived."),
  reason: text.default("no answer").describe("The reason, as in link.reason."),
});

const message = said.extend({
  media_url: text.optional(),
  media_type: text.optional(),
  source_app_id: text.optional(),
  source_app_name: text.optional(),
  source_app_url: text.optional(),
  conversation: text
    .regex(GROUP_ID, 'the id of a group is digits, as "1585094756761149440"')
    .optional()
    .describe("Id of the group in which the message is sent; a private message has none."),
});

const RELATIONS = [
  "user.followed",
  "user.unfollowed",
  "user.blocked",
  "user.unblocked",
  "user.muted",
  "user.unmuted",
] as const;
const SIGNALS = ["dm.typing", "dm.read"] as const;
const POSTS = ["post.mentioned", "post.replied", "post.quoted"] as const;
const OUTAGES = ["link.lost", "link.restored"] as const;
const ABOUT_POSTS = ["post.reposted", "post.liked"] as const;

const doing = z.discriminatedUnion("trigger", [
  message.extend({ trigger: z.literal("dm.received") }),
  addressed.extend({ trigger: z.enum(POSTS) }),
  edited.extend({ trigger: z.literal("post.edited") }),
  foundPost.extend({ trigger: z.literal("post.found") }),
  aboutPost.extend({ trigger: z.enum(ABOUT_POSTS) }),
  done.extend({ trigger: z.enum([...SIGNALS, ...RELATIONS]) }),
  outage.extend({ trigger: z.enum(OUTAGES) }),
]);

/** An action in a test: of a person, or the loss or restoration of the link to the platform. */
export type Doing = Readonly<z.infer<typeof doing>>;
/** Trigger that a test can cause. */
export type TestedTrigger = Doing["trigger"];

/** Triggers of test events, each with the schema of its fields: `dm.received: { from: ann, text: hello }`. */
const EVENTS: readonly (readonly [TestedTrigger, z.ZodObject])[] = [
  ["dm.received", message],
  ...POSTS.map((trigger) => [trigger, addressed] as const),
  ["post.edited", edited],
  ["post.found", foundPost],
  ...ABOUT_POSTS.map((trigger) => [trigger, aboutPost] as const),
  ...[...SIGNALS, ...RELATIONS].map((trigger) => [trigger, done] as const),
  ...OUTAGES.map((trigger) => [trigger, outage] as const),
];

/** Verbs of output that a test can expect: the actions, and other steps of rules. */
export const SENT_WORDS = [...Object.keys(ACTIONS), "http", "lookup", "escalate", "typing"];

function optional<T extends z.ZodType>(
  members: readonly (readonly [string, T])[],
): Readonly<Record<string, z.ZodOptional<T>>> {
  return Object.fromEntries(members.map(([name, schema]) => [name, z.optional(schema)]));
}

const at = duration.describe("Time since start_time.");

const event = z.strictObject({
  at: at.default("0s"),
  delivery: z
    .union([z.string(), z.record(z.string(), z.json())])
    .optional()
    .describe("A delivery of the platform, as JSON, instead of an event of a person."),
  ...optional(EVENTS),
});

const fields = z
  .record(z.string(), matcher)
  .describe("Fields of the action. Omitted fields may have any value.");
const expectation = z.strictObject({
  at: at.optional(),
  rule: ruleId.optional().describe("The rule that sends it."),
  bot: text.optional().describe("The bot that sends it."),
  ...optional(SENT_WORDS.map((word) => [word, fields] as const)),
});

const times = z
  .int()
  .min(1)
  .optional()
  .describe("Number of responses before the next matching mock is used; unlimited by default.");

const mock = z.strictObject({
  match: z
    .strictObject({
      url: matcher.describe("The complete URL, or operators: {starts_with: …}."),
      method: z.enum(HTTP_METHODS).optional(),
      body: matcher.optional().describe("The body as it is sent."),
    })
    .describe("The requests that the mock answers."),
  respond: z
    .strictObject({
      status: z.int().min(100).max(599).optional().describe("200 by default."),
      json: z.json().optional().describe("The response body, as JSON."),
      body: z.string().optional().describe("The response body, unchanged."),
      fail: z
        .enum(["timeout", "connection"])
        .optional()
        .describe("No response: a timeout, or no connection."),
    })
    .describe("The response of the service."),
  times,
});

const platformMock = z.strictObject({
  match: z
    .strictObject(optional(Object.keys(ACTIONS).map((verb) => [verb, fields] as const)))
    .describe("The actions that the mock answers: a verb, with fields as in expect."),
  respond: z
    .record(z.string(), z.json())
    .describe("Fields of steps.ID.result. Omitted fields have their usual values."),
  times,
});

const lookedUp = z.strictObject({
  user: text.optional().describe("A person: one of the users of this file, or an id."),
  username: text.optional().describe("A person by handle."),
  post: text.optional().describe("A post by id."),
  attribution: fields
    .optional()
    .describe("The attribution of a conversion: its parameters. Omitted ones may have any value."),
  found: z.record(z.string(), z.json()).optional().describe("The fields of the result."),
  fail: z.enum(LOOKUP_FAILURES).optional().describe("The look-up fails with this code."),
});

const test = z
  .strictObject({
    name: text,
    http: z.array(mock).default([]).describe("Mocked responses of services to the step http."),
    platform: z
      .array(platformMock)
      .default([])
      .describe("Mocked responses of the platform to actions, if not the usual ones."),
    lookups: z
      .array(lookedUp)
      .default([])
      .describe("Mocked responses of the platform to look-ups. Users of this file need no mock."),
    events: z.array(event).default([]),
    expect: z
      .array(expectation)
      .default([])
      .describe("Everything that is sent. Anything else fails the test."),
    expect_not_run: z
      .array(
        z.strictObject({
          at: at.optional(),
          rule: ruleId,
          because: text.optional().describe("The reason: condition, cooldown, taken-as-answer, …"),
        }),
      )
      .default([]),
    expect_open_runs: z
      .array(
        z.strictObject({
          rule: ruleId.optional(),
          bot: text.optional().describe("The bot whose handler waits."),
          waiting_at: text
            .optional()
            .describe("Id of the waiting step, also in a branch, or name of the bot's call."),
        }),
      )
      .optional()
      .describe("Runs that are still open at the end. An empty list means none."),
    expect_failed_runs: z
      .array(
        z.strictObject({
          at: at.optional(),
          rule: ruleId.optional(),
          bot: text.optional().describe("The bot whose handler throws."),
          error: matcher
            .optional()
            .describe("The error, as the report shows it: a text, or operators."),
        }),
      )
      .default([])
      .describe("Runs that fail. Without an entry, a run that fails by an error fails the test."),
    seed: z
      .int()
      .min(1)
      .optional()
      .describe(
        "Overrides the seed of the file. Another seed gives other random numbers, chances and variants.",
      ),
    advance_to: duration.optional().describe("Time until which the test runs, since start_time."),
  })
  .refine(({ events, advance_to: to }) => events.length > 0 || to !== undefined, {
    path: ["events"],
    // skipped if the test already has a problem
    when: ({ issues }) => issues.length === 0,
    error: "a test needs an event, or a time to go on to",
    params: {
      help: "add an event, as  { dm.received: { from: ann, text: hi } },  or  advance_to: 1h",
    },
  });

/** Schema of a test file. */
export const testFile = z
  .strictObject({
    version: z.literal(1),
    rule_files: z
      .array(text)
      .default([])
      .describe("Rule files; paths are relative to this file. None for tests of bots only."),
    bot_files: z.array(text).default([]).describe("Bot modules; paths are relative to this file."),
    start_time: moment.default("2026-01-05T09:00:00Z"),
    seed: z
      .int()
      .min(1)
      .default(1)
      .describe("Another seed gives other random numbers, chances, delays and variants."),
    account: z
      .strictObject({ id: userId, username: text })
      .default({ id: "100", username: "bot" })
      .describe("The bot account."),
    limits: limitsOfAccount
      .optional()
      .describe("Answer limits that differ from the defaults, as under limits."),
    opt_out: optOut
      .optional()
      .describe("Words for opting out, as in the settings (default: no opt-out)."),
    quiet_hours: quietHoursOfAccount
      .optional()
      .describe(
        "Times in which the bot sends nothing unasked, as in the settings (default: no quiet hours).",
      ),
    secrets: z.record(z.string(), z.string()).default({}).describe("Values of secrets.NAME."),
    users: z.record(z.string(), person),
    tests: z.array(test).min(1, "there is no test here"),
  })
  .meta({ title: "Answerback rule tests" });

/** A validated test file, before names and paths are resolved. */
export type WrittenTests = z.infer<typeof testFile>;
/** A test in a test file. */
export type WrittenTest = WrittenTests["tests"][number];
/** Mock of a service in a test. */
export type WrittenMock = z.infer<typeof mock>;
/** Response of the platform to an action, as stated in a test. */
export type WrittenPlatformMock = z.infer<typeof platformMock>;
/** Response to a look-up in a test. */
export type WrittenLookup = z.infer<typeof lookedUp>;
/** Expected output, as written in a test. */
export type WrittenExpectation = WrittenTest["expect"][number] & Readonly<Record<string, unknown>>;
/** Expected value of a field: a value, or operators with operands. */
export type WrittenMatcher = z.infer<typeof matcher>;

/** Returns the triggers that an event of a test names, each with its value; a valid event has one. */
export function triggersIn(
  written: Readonly<Record<string, unknown>>,
): readonly (readonly [TestedTrigger, unknown])[] {
  return EVENTS.flatMap(([trigger]) =>
    written[trigger] === undefined ? [] : [[trigger, written[trigger]] as const],
  );
}

/** Combines a trigger with the value under it, which the schema has already checked. */
export function doingOf(trigger: TestedTrigger, written: unknown): Doing {
  return doing.parse(Object.assign({}, written, { trigger }));
}

/** Parses the fields under the verb of an expected output. */
export function fieldsIn(written: unknown): Readonly<Record<string, WrittenMatcher>> {
  return fields.parse(written);
}
