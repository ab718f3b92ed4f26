import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examplesOf } from "../../../src/cli/help/examples.ts";
import { everyCommand, programOf } from "../../../src/cli/program.ts";
import { processIo } from "../../../src/cli/io.ts";
import { begin } from "../../support/command-line.ts";
import { when } from "../../support/when.ts";
import { runningDev, type RunningDev } from "../support/running-dev.ts";
import { placeFor, runLine } from "../support/places.ts";
import { commandsIn } from "../support/shell-line.ts";
import { FREE_PORTS } from "../../support/own-address.ts";

const COMMANDS = everyCommand(await programOf(processIo(), "0.0.0-test"));
const EXAMPLES = COMMANDS.flatMap(examplesOf);

/** Output that shows that a command has started, for commands that run until they are stopped. */
const ENDLESS: Readonly<Record<string, string | RegExp>> = {
  "answerback dev": "Try, in another terminal",
  "answerback dev --fresh": "Try, in another terminal",
  "answerback dev --limits": "Try, in another terminal",
  "answerback dev --ephemeral --port 0": "Try, in another terminal",
  "answerback run --config config/answerback.yaml": "Ready:",
  "answerback run --dry-run --config config/answerback.yaml": "Dry run:",
  "answerback sandbox --port 0 --json": '"event":"ready"',
  "answerback login": "Waiting for the approval",
  "answerback login --no-open --port 0": "Waiting for the approval",
  "answerback login --pin": "PIN:",
  "answerback events": "Listening",
  "answerback logs -f": "Following",
  "answerback chat --as @ben": "Ctrl-D ends",
  "answerback mcp": "Ctrl-C ends",
};

/**
 * Examples that need a database. The tests in test/runtime/store/move and test/host/roles run these commands instead.
 */
const ON_DATABASE = /^answerback (move|run --role) /;

/** Exit codes other than 0 with which an example may end, by the beginning of that example. */
const MAY_END_WITH: Readonly<Record<string, number>> = {
  // Differences: the faults that other examples inject cause some.
  "answerback verify": 1,
  // The template's bot does not answer replies.
  "answerback send @ben --reply": 3,
};

/** Commands that create the objects that an example assumes. */
const BEFORE: Readonly<Record<string, string>> = {
  "answerback accounts remove @shop": "answerback accounts add @shop",
  'answerback send @ben --reply "on Sundays, too?"':
    'answerback send @ben --post "@hello_bot are you open?"',
  "answerback subscriptions remove @ana": "answerback subscriptions add --as @ana",
  "answerback snapshot restore before-outage": "answerback snapshot save before-outage",
};

/** Commands that undo an example's changes, by the beginning of that example. */
const AFTER: Readonly<Record<string, string>> = {
  "answerback accounts add @shop": "answerback accounts remove @shop",
  "answerback clock pause": "answerback clock resume",
  "answerback fault add": "answerback fault clear",
  "answerback forget @ana": "answerback send @ana hello",
  "answerback pause": "answerback resume",
  "answerback subscriptions add --as @ana": "answerback subscriptions remove @ana",
  "answerback webhooks validate": 'answerback webhooks delete "$WEBHOOK_ID"',
};

describe("the examples of the help", () => {
  let dev: RunningDev;

  beforeAll(async () => {
    dev = await runningDev();
    const { control, file } = dev;
    const [ana] = file.people;
    await control.act(ana?.id ?? "", { type: "post", text: "a post to look at" });
    await control.act(ana?.id ?? "", { type: "dm", to: file.bot.id, text: "hello" });
  });
  afterAll(() => dev.close());

  it("are part of the help of every command with an action", () => {
    const silent = COMMANDS.filter(
      (command) => command.commands.length === 0 && examplesOf(command).length === 0,
    );

    expect(silent.map((command) => command.name())).toEqual([]);
  });

  it.each(EXAMPLES.filter((line) => !(line in ENDLESS) && !ON_DATABASE.test(line)))(
    "%s",
    async (line) => {
      const place = await placeFor(line, dev.folder);
      const before = BEFORE[line];
      const after = Object.keys(AFTER).find((begin) => line.startsWith(begin)) ?? "";
      const values = await valuesFor(`${line} ${AFTER[after] ?? ""}`, dev);
      try {
        if (before !== undefined) await runLine(commandsIn(before, values), place.cwd);
        const ran = await runLine(commandsIn(line, values), place.cwd);

        expect(ran.err).not.toContain("bug:");
        expect(ran.err).not.toContain("error:");
        const other = Object.keys(MAY_END_WITH).find((begin) => line.startsWith(begin)) ?? "";
        const codes = [0, MAY_END_WITH[other] ?? 0];
        expect(codes, `${ran.out}${ran.err}`).toContain(ran.code);
      } finally {
        const back = AFTER[after];
        if (back !== undefined) await runLine(commandsIn(back, values), place.cwd);
        await place.leave();
      }
    },
  );

  it.each(Object.entries(ENDLESS))("%s goes on until it is ended", async (line, sign) => {
    const place = await placeFor(line, dev.folder);
    try {
      const { args } = commandsIn(line, {});
      const { listen } = place;
      const env = {
        ...FREE_PORTS,
        ...(listen !== undefined && { ANSWERBACK_WEBHOOK_LISTEN: listen }),
      };
      const running = begin({ cwd: place.cwd, env }, args);
      await running.until(sign);
      const { code, err } = await running.end();

      expect([0, 130], err).toContain(code);
    } finally {
      await place.leave();
    }
  });
});

/** Number of names created so far, which makes each name unique. */
let things = 0;
const unique = (name: string): string => `${name}_${(things += 1)}`;

/** Values for the shell variables in `line`. They are created for this line only. */
async function valuesFor(line: string, dev: RunningDev): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [, name = ""] of line.matchAll(/\$([A-Z_]+)/g)) {
    values[name] ??= await (MADE[name] ?? notMade(name))(dev, values);
  }
  return values;
}

function notMade(name: string): never {
  throw new Error(`no example has $${name}`);
}

type Made = (dev: RunningDev, values: Record<string, string>) => Promise<string> | string;

const idOf = async (dev: RunningDev, ...args: readonly string[]): Promise<string> =>
  (await dev.json<{ id: string }>(...args)).id;

const MADE: Readonly<Record<string, Made>> = {
  TOMORROW: () => new Date(Date.now() + 24 * 3_600_000).toISOString(),
  WEBHOOK_URL: () => `https://bot.example/webhook?of=${unique("another")}`,
  WEBHOOK_ID: (dev) =>
    idOf(dev, "webhooks", "create", `https://bot.example/webhook?of=${unique("examples")}`),
  POST_ID: (dev) => idOf(dev, "posts", "create", unique("a post")),
  OWN_POST_ID: (dev) => idOf(dev, "posts", "create", unique("soon gone")),
  APP_ID: async ({ control }) =>
    (await control.post<{ app_id: string }>("/apps", { name: unique("another") })).app_id,
  ADS_ACCOUNT: adsAccount,
  async APP_LIST_ID(dev, values) {
    values["ADS_ACCOUNT"] ??= await adsAccount(dev);
    const list = await dev.control.post<{ id: string }>("/ads/app_lists", {
      account_id: values["ADS_ACCOUNT"],
      name: "rivals",
      app_store_identifiers: ["1234"],
    });
    return list.id;
  },
  async TAG_ID(dev, values) {
    values["ADS_ACCOUNT"] ??= await adsAccount(dev);
    const tag = "ads tags create --app 1234 --type INSTALL --os IOS --event-name e".split(" ");
    const of = ["--event-id", unique("tag"), "--account", values["ADS_ACCOUNT"]];
    return idOf(dev, ...tag, ...of);
  },
  async SEQ(dev) {
    const { control, file } = dev;
    const text = unique("question");
    await control.act(file.people[0]?.id ?? "", { type: "dm", to: file.bot.id, text });
    const entry = await when(async () => {
      const rows = await dev.rows<{ readonly seq: number; readonly body: string }>("journal");
      return rows.find(({ body }) => body.includes(text));
    });
    return String(entry.seq);
  },
  ESCALATION_ID: handedOver,
  LANE: async (dev) => (await stuckLane(dev)).lane,
  ITEM_ID: async (dev) => (await stuckLane(dev)).unknown,
  UNKNOWN_ITEM_ID: async (dev) => (await stuckLane(dev)).unknown,
  PENDING_ITEM_ID: async (dev) => (await stuckLane(dev)).pending,
  async FAILED_ITEM_ID(dev) {
    const { pending } = await stuckLane(dev);
    await dev.run("outbox", "drop", pending);
    return pending;
  },
};

async function adsAccount({ control, file }: RunningDev): Promise<string> {
  const account = { user_id: file.bot.id, name: unique("measured") };
  return (await control.post<{ account_id: string }>("/ads/accounts", account)).account_id;
}

/** Creates an escalation, and returns its id. */
async function handedOver(dev: RunningDev): Promise<string> {
  const { control, file } = dev;
  const person = await control.user(unique("in_trouble"));
  const countBefore = (await escalations(dev)).length;
  await control.act(person, { type: "dm", to: file.bot.id, text: "a human please" });
  const all = await when(async () => {
    const rows = await escalations(dev);
    return rows.length > countBefore ? rows : undefined;
  });
  return String(Math.max(...all.map(({ id }) => id)));
}

const escalations = (dev: RunningDev): Promise<{ readonly id: number }[]> =>
  dev.rows("escalations", "list", "--all");

/** Creates a person whose first answer has an unknown outcome. A second answer waits for the first one. */
async function stuckLane(dev: RunningDev) {
  const { control, file } = dev;
  const person = await control.user(unique("stuck"));
  for (const [method, rest] of [
    ["POST", "messages"],
    ["GET", "dm_events"],
  ] as const) {
    const path = `/2/dm_conversations/with/${person}/${rest}`;
    const match = { direction: "request", method, path };
    await control.post("/faults", {
      match,
      fault: { type: "status", status: 500 },
      when: { always: true },
    });
  }
  const lane = `${file.bot.id}/${person}`;
  const ids = (status: string): Promise<{ readonly id: number }[]> =>
    dev.rows("outbox", "--lane", lane, "--status", status);
  const say = (): Promise<unknown> =>
    control.act(person, { type: "dm", to: file.bot.id, text: "when are you open?" });
  await say();
  const [unknown] = await when(async () => nonEmpty(await ids("unknown")));
  await say();
  const [pending] = await when(async () => nonEmpty(await ids("pending")));
  return { lane, unknown: String(unknown?.id), pending: String(pending?.id) };
}

function nonEmpty<T>(rows: readonly T[]): readonly T[] | undefined {
  return rows.length > 0 ? rows : undefined;
}
