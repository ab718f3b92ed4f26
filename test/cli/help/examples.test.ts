import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examplesOf } from "../../../src/cli/help/examples.ts";
import { everyCommand, programOf } from "../../../src/cli/program.ts";
import { processIo } from "../../../src/cli/io.ts";
import { begin, type Ran } from "../../support/command-line.ts";
import { botOnSandbox } from "../../support/bot-on-sandbox.ts";
import { when } from "../../support/when.ts";
import { runningDev, type RunningDev } from "../support/running-dev.ts";
import { commandsIn, type CommandLine } from "../support/shell-line.ts";

const COMMANDS = everyCommand(await programOf(processIo(), "0.0.0-test"));
const EXAMPLES = COMMANDS.flatMap(examplesOf);

/** Printed once they are up; they go on until they are ended. */
const ENDLESS: Readonly<Record<string, string | RegExp>> = {
  "answerback dev": "Try, in another terminal",
  "answerback dev --fresh": "Try, in another terminal",
  "answerback dev --ephemeral --port 0": "Try, in another terminal",
  "answerback run --config config/answerback.yaml": "Ready:",
  "answerback run --dry-run --config config/answerback.yaml": "Dry run:",
  "answerback sandbox --port 0 --json": '"event":"ready"',
  "answerback login": "Waiting for the approval",
  "answerback login --no-open --port 0": "Waiting for the approval",
  "answerback login --pin": "PIN:",
  "answerback events": "Listening",
  "answerback logs -f": "ready",
  "answerback chat --as @ben": "Ctrl-D ends",
};

/** They need a database: test/runtime/store/move and test/runtime/roles run what they show. */
const ON_DATABASE = /^answerback (move|run --role) /;

describe("the examples of the help", () => {
  let dev: RunningDev;
  const values: Record<string, string> = {};

  beforeAll(async () => {
    dev = await runningDev();
    const { control, file } = dev;
    const [ana] = file.people;
    const post = await control.act(ana?.id ?? "", { type: "post", text: "a post to look at" });
    await control.act(ana?.id ?? "", { type: "dm", to: file.bot.id, text: "hello" });
    const { account_id: account } = await control.post<{ account_id: string }>("/ads/accounts", {
      user_id: file.bot.id,
      name: "measured",
    });
    const list = await control.post<{ id: string }>("/ads/app_lists", {
      account_id: account,
      name: "rivals",
      app_store_identifiers: ["1234"],
    });
    const made = async (...args: readonly string[]): Promise<string> => {
      const { out, err } = await dev.run(...args, "--json");
      const told: { id?: string } = JSON.parse(out === "" ? "{}" : out);
      if (told.id === undefined) throw new Error(err);
      return told.id;
    };
    const tag = (id: string): Promise<string> =>
      made(
        ..."ads tags create --app 1234 --type INSTALL --os IOS --event-name e".split(" "),
        "--event-id",
        id,
        "--account",
        account,
      );
    const items = await stuckItems(dev);
    const app = await control.post<{ app_id: string }>("/apps", { name: "another" });
    Object.assign(values, {
      APP_ID: app.app_id,
      TOMORROW: new Date(Date.now() + 24 * 3_600_000).toISOString(),
      WEBHOOK_URL: "https://bot.example/webhook?of=another",
      POST_ID: post.id,
      OWN_POST_ID: await made("posts", "create", "soon gone"),
      WEBHOOK_ID: await made("webhooks", "create", "https://bot.example/webhook?of=examples"),
      ADS_ACCOUNT: account,
      APP_LIST_ID: list.id,
      TAG_ID: await tag("first"),
      ESCALATION_ID: await handedOver(dev),
      ...items,
    });
  });
  afterAll(() => dev.close());

  it("stand under every command that does something", () => {
    const silent = COMMANDS.filter(
      (command) => command.commands.length === 0 && examplesOf(command).length === 0,
    );

    expect(silent.map((command) => command.name())).toEqual([]);
  });

  it.each(EXAMPLES.filter((line) => !(line in ENDLESS) && !ON_DATABASE.test(line)))(
    "%s",
    async (line) => {
      const place = await placeFor(line, dev);
      try {
        const ran = await runLine(commandsIn(line, values), place.cwd);

        expect(ran.err).not.toContain("bug:");
        expect(ran.err).not.toContain("error:");
        expect(ran.code, `${ran.out}${ran.err}`).toBe(0);
      } finally {
        await place.leave();
      }
    },
  );

  it.each(Object.entries(ENDLESS))("%s goes on until it is ended", async (line, sign) => {
    const place = await placeFor(line, dev);
    try {
      const { args } = commandsIn(line, values);
      const env = { ANSWERBACK_WEBHOOK_LISTEN: place.listen ?? "127.0.0.1:0" };
      const running = begin({ cwd: place.cwd, env }, args);
      await running.until(sign);
      const { code, err } = await running.end();

      expect([0, 130], err).toContain(code);
    } finally {
      await place.leave();
    }
  });
});

/** What a person was asked to take over. */
async function handedOver(dev: RunningDev): Promise<string> {
  const { control, file } = dev;
  const person = await control.user("in_trouble");
  await control.act(person, { type: "dm", to: file.bot.id, text: "a human please" });
  const [one] = await when(async () =>
    nonEmpty(await dev.rows<{ readonly id: number }>("escalations", "list")),
  );
  return String(one?.id);
}

/** Items in the states that the commands of the outbox are for. */
async function stuckItems(dev: RunningDev) {
  const [first, second] = [await stuckLane(dev, "stuck"), await stuckLane(dev, "held_up")];
  await dev.run("outbox", "drop", first.pending);
  return {
    LANE: first.lane,
    ITEM_ID: first.unknown,
    UNKNOWN_ITEM_ID: first.unknown,
    FAILED_ITEM_ID: first.pending,
    PENDING_ITEM_ID: second.pending,
  };
}

/** A person whose first answer is unknown for ever, and whose second one waits behind it. */
async function stuckLane(dev: RunningDev, name: string) {
  const { control, file } = dev;
  const person = await control.user(name);
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

function runLine({ args, input, inputFile }: CommandLine, cwd: string): Promise<Ran> {
  const given = inputFile === undefined ? input : readFile(join(cwd, inputFile), "utf8");
  return begin(given === undefined ? { cwd } : { cwd, input: given }, args).ended;
}

interface Place {
  readonly cwd: string;
  /** Where the sandbox expects the bot's webhook. */
  readonly listen?: string;
  leave(): Promise<void>;
}

/** Where a command can run beside the `dev` of all others. */
async function placeFor(line: string, dev: RunningDev): Promise<Place> {
  if (line.startsWith("answerback run")) {
    const bot = await botOnSandbox({});
    const { hosts } = await bot.sandbox.control.get<{ hosts: { target: string }[] }>("/hosts");
    const listen = new URL(hosts[0]?.target ?? "").host;
    return { cwd: bot.folder, listen, leave: () => bot.close() };
  }
  if (line.startsWith("answerback restore")) {
    const bot = await botOnSandbox({});
    await bot.start();
    await bot.stop();
    const backup = { args: ["backup", "--to", "nightly.backup"] };
    const { code, err } = await runLine(backup, bot.folder);
    if (code !== 0) throw new Error(err);
    return { cwd: bot.folder, leave: () => bot.close() };
  }
  if (!/^answerback (dev|sandbox)/.test(line)) {
    return { cwd: dev.folder, leave: () => Promise.resolve() };
  }
  const cwd = await mkdtemp(join(tmpdir(), "answerback-example-"));
  return { cwd, leave: () => rm(cwd, { recursive: true, force: true }) };
}
