import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Dialect, DIALECTS, PATH_WORDS } from "../../src/protocol/dialects.ts";
import { AREAS } from "../../src/sandbox/areas.ts";
import { CALLS } from "./whole-interface/calls.ts";
import { LOGINS } from "./whole-interface/login.ts";
import type { Recorder } from "./whole-interface/recorder.ts";
import { type Call, setStage, type Stage } from "./whole-interface/stage.ts";

/** Routes of the sandbox that do the same as another, tested route, such as version 1.1 of an upload. */
const OTHER_FORMS = [
  {
    rows: /^GET \/media\/:file$/,
    of: "GET /2/media/:media_key",
    why: "the file of a post's medium, whose URL needs no credentials",
  },
  {
    rows: /^GET \/2\/dm_conversations\/media\//,
    of: "GET /1.1/ton/data/dm/:message_id/:media_id/:file",
    why: "the same media of messages, by a path that no message contains",
  },
  {
    rows: /^POST \/1\.1\/media\/upload\.json$/,
    of: "POST /2/media/upload/initialize",
    why: "the commands of 1.1: each has an endpoint of its own in v2",
  },
  {
    rows: /^GET \/1\.1\/media\/upload\.json$/,
    of: "GET /2/media/upload",
    why: "the same look at an upload",
  },
  {
    rows: /^POST \/1\.1\/media\/metadata\/create\.json$/,
    of: "POST /2/media/metadata",
    why: "the same words for the same media",
  },
  {
    rows: /^POST \/1\.1\/oauth\/invalidate_token$/,
    of: "POST /1.1/oauth/invalidate_token.json",
    why: "the same path without its ending",
  },
  {
    rows: /^GET \/oauth\/request_token$/,
    of: "POST /oauth/request_token",
    why: "the same step as older clients take it",
  },
  {
    rows: /^GET \/oauth\/access_token$/,
    of: "POST /oauth/access_token",
    why: "the same step as older clients take it",
  },
  {
    rows: /^\w+ \/1\.1\/account_activity\/all\/[^ ]*webhooks[^ ]*$/,
    of: "POST /2/webhooks",
    why: "the legacy account activity interface: the same webhooks under an environment's name",
  },
  {
    rows: /^\w+ \/1\.1\/account_activity\/all\/(?:[^ ]*subscriptions[^ ]*|count\.json)$/,
    of: "POST /2/account_activity/webhooks/:webhook_id/subscriptions/all",
    why: "the legacy account activity interface: the same subscriptions",
  },
  {
    rows: /^\w+ \/(?:1\.1\/statuses\/(?:update|update_with_media|show|lookup|destroy|retweet|unretweet|oembed)\b|oembed$)/,
    of: "POST /2/posts",
    why: "version 1.1: the same posts by their older paths",
  },
  {
    rows: /^GET \/1\.1\/statuses\/(?:retweets|retweeters|retweets_of_me)\b/,
    of: "GET /2/posts/:id/reposts",
    why: "version 1.1: the same reposts",
  },
  {
    rows: /^\w+ \/1\.1\/lists\//,
    of: "GET /2/lists/:id",
    why: "version 1.1: the same lists of people",
  },
  {
    rows: /^\w+ \/1\.1\/(?:blocks|mutes)\//,
    of: "POST /2/users/:id/muting",
    why: "version 1.1: the same blocks and mutes",
  },
  {
    rows: /^GET \/1\.1\/statuses\/\w+_timeline\.json$/,
    of: "GET /2/users/:id/posts",
    why: "version 1.1: the same timelines",
  },
  {
    rows: /^GET \/1\.1\/search\/tweets\.json$/,
    of: "GET /2/posts/search/recent",
    why: "version 1.1: the same search",
  },
  {
    rows: /^\w+ \/1\.1\/favorites\//,
    of: "POST /2/users/:id/likes",
    why: "version 1.1: the same likes",
  },
  {
    rows: /^\w+ \/1\.1\/users\//,
    of: "GET /2/users/:id",
    why: "version 1.1: the same people",
  },
  {
    rows: /^\w+ \/1\.1\/(?:friendships|friends|followers)\//,
    of: "POST /2/users/:id/following",
    why: "version 1.1: the same follows",
  },
  {
    rows: /^\w+ \/1\.1\/direct_messages\//,
    of: "GET /2/dm_events",
    why: "version 1.1: the same messages",
  },
  {
    rows: /^\w+ \/1\.1\/account\/(?!verify_credentials)/,
    of: "GET /1.1/account/verify_credentials.json",
    why: "version 1.1: a profile and settings, which version 2 does not change",
  },
  {
    rows: /^\w+ \/1\.1\/(?:saved_searches|geo|help)\//,
    of: "GET /2/posts/search/recent",
    why: "version 1.1: saved queries, places and languages, which version 2 lacks",
  },
  {
    rows: /^GET \/1\.1\/application\/rate_limit_status\.json$/,
    of: "GET /1.1/account/verify_credentials.json",
    why: "version 1.1: what the headers of each answer say, which `rateLimits` keeps",
  },
] as const;

/** Pages for a person's browser, which a client never calls. */
const PAGE = /\/(authenticate|authorize)$/;

const METHODS = Object.entries({ ...CALLS, login: LOGINS }).flatMap(([resource, calls]) =>
  Object.entries<Call>(calls).map(([method, call]) => ({ name: `${resource}.${method}`, call })),
);

let stages: Readonly<Record<Dialect, Stage>>;
beforeAll(async () => {
  const [post, tweet] = await Promise.all([setStage("post"), setStage("tweet")]);
  stages = { post, tweet };
});
afterAll(() => Promise.all(DIALECTS.map((dialect) => stages[dialect].close())));

const done: Readonly<Record<Dialect, Set<string>>> = { post: new Set(), tweet: new Set() };

async function doMethod(dialect: Dialect, { name, call }: (typeof METHODS)[number]): Promise<void> {
  await call(stages[dialect]);
  done[dialect].add(name);
}

/** Calls the methods that no other test has called, and returns the recorded exchanges. */
async function recordedFor(dialect: Dialect): Promise<Recorder> {
  for (const method of METHODS) {
    if (!done[dialect].has(method.name)) await doMethod(dialect, method);
  }
  return stages[dialect].recorder;
}

describe.each(DIALECTS)("the client in the %s dialect", (dialect) => {
  it.each(METHODS)("supports $name", async (method) => {
    expect.hasAssertions();
    await doMethod(dialect, method);
  });

  it("uses the names of its dialect in every path", async () => {
    const other = dialect === "post" ? Object.values(PATH_WORDS) : Object.keys(PATH_WORDS);
    const { paths } = await recordedFor(dialect);
    const segments = [...paths].flatMap((path) => path.split("/"));
    expect(segments.filter((segment) => other.includes(segment))).toEqual([]);
  });
});

it("has a method for every endpoint of the ledger that is no other form of one", async () => {
  const called: ReadonlySet<string>[] = [];
  for (const dialect of DIALECTS) called.push((await recordedFor(dialect)).rows);
  const ledger = AREAS.flatMap(({ routes }) => routes)
    .filter(({ path }) => !path.startsWith("/_sandbox/") && !PAGE.test(path))
    .map(({ method, path }) => `${method} ${path}`);
  const reached = ledger.filter((name) => called.every((rows) => rows.has(name)));
  const uncalled = ledger.filter((name) => !reached.includes(name));
  const missing = uncalled.filter((name) => !OTHER_FORMS.some(({ rows }) => rows.test(name)));
  const formLines = OTHER_FORMS.map(({ rows, of, why }) => {
    const forms = uncalled.filter((name) => rows.test(name));
    return `  not called: ${forms.length} of the kind of ${of}; ${why}`;
  });
  const count = `client: ${reached.length} of ${ledger.length} endpoints of the ledger`;
  const lines = [
    `${count}, called in ${DIALECTS.length} dialects`,
    ...formLines,
    ...missing.map((name) => `  missing: ${name}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  expect(missing).toEqual([]);
  expect(reached).toEqual(expect.arrayContaining(OTHER_FORMS.map(({ of }) => of)));
});
