import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { glob } from "tinyglobby";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, placeFor, runLine } from "../cli/support/places.ts";
import { runningCheckout, type RunningDev } from "../cli/support/running-dev.ts";
import { commandsIn } from "../cli/support/shell-line.ts";
import { begin, type Ran } from "../support/command-line.ts";
import { FREE_PORTS } from "../support/own-address.ts";
import { when } from "../support/when.ts";
import { isAsShown, type ShownCommand, shownCommands } from "./shown-commands.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Beginnings of commands that this test does not run, with the reason. */
const NOT_RUN: readonly (readonly [start: string, reason: string])[] = [
  ["npm ci && npm start", "the bot of this repository runs here already"],
  ["npm ci && npm test", "it would run this test"],
  ["npm install answerback", "test/e2e/packed.test.ts installs the package"],
  ["answerback doctor --live", "it needs a live app: test/e2e/going-live.test.ts has a stand-in"],
  ["answerback login --live", "the same"],
  ["answerback run --live", "the same; with roles: test/host/roles"],
  ["export OWNER_PASSWORD=", "it is a command of the shell"],
  ["psql -U postgres", "test/docs/several-machines.test.ts runs roles.sql"],
  ["export ANSWERBACK_KEY=", "it is a command of the shell"],
  ["PGPASSWORD=$OWNER_PASSWORD answerback move", "test/runtime/store/move runs it on a database"],
  ["pg_dump ", "test/docs/several-machines.test.ts checks its rights"],
  ["pg_restore ", "it needs a database"],
  ["psql postgres:", "test/runtime/store/postgres needs no psql for that"],
];

/** Text that commands print when they are ready, for commands that run until they are stopped. */
const ENDLESS: Readonly<Record<string, string | RegExp>> = {
  "answerback dev": "Try, in another terminal",
  "answerback dev --limits": "Try, in another terminal",
  "answerback run --dry-run": "Dry run:",
  "answerback sandbox --port 0 --json": '"event":"ready"',
  "answerback logs -f": "Following",
};

/** Commands that prompt a person on a terminal, with the flag that replaces the prompt. */
const ASKING: Readonly<Record<string, string>> = { "answerback forget @ana": "--yes" };

/** Rule with a question, for the trace that a page of the guide shows. */
const ORDER = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{ message.text: { equals: "I order it" } }]
    actions:
      - id: sure
        ask: { text: "Sure?", within: 1h }
      - if: steps.sure.text == "yes"
        then: [{ reply_dm: It is on its way. }]
`;

const MISTAKE = `version: 1
rules:
  - id: opening-hours
    trigers: [dm.received]
    actions: [{ reply_dm: We open at nine. }]
`;

/** Prepares a command. @returns Texts of the page to replace: its event number 1789 becomes the test's number. */
const BEFORE: Readonly<Record<string, (dev: RunningDev) => Promise<Record<string, string>>>> = {
  async "answerback backtest --rules edited --since 24h"({ folder }) {
    await cp(join(folder, "config/rules"), join(folder, "edited"), { recursive: true });
    return {};
  },
  async "answerback why 1789 --rule faq-refund"(dev) {
    const ann = await dev.control.user("ann");
    return { 1789: await eventOf(dev, ann, "is my refnud here") };
  },
  async "answerback trace 1789/rule:order"(dev) {
    const ann = await dev.control.user("ann_again");
    const seq = await eventOf(dev, ann, "I order it");
    await when(async () => (await runs(dev, "--open")).length > 0 || undefined);
    await eventOf(dev, ann, "Yes");
    await when(async () => (await runs(dev, "--open")).length === 0 || undefined);
    return { 1789: seq, "@ann": "@ann_again" };
  },
};

/** Sends the bot a message as @ana, which many commands need. */
const anaWrites = (dev: RunningDev): Promise<string> =>
  eventOf(dev, dev.file.people[0]?.id ?? "", "hello");

const runs = (dev: RunningDev, ...flags: readonly string[]): Promise<readonly unknown[]> =>
  dev.rows("runs", "--rule", "order", ...flags);

/** Sends the bot a message as a person. @returns The number of the event. */
async function eventOf(dev: RunningDev, person: string, text: string): Promise<string> {
  await dev.control.act(person, { type: "dm", to: dev.file.bot.id, text });
  const entry = await when(async () => {
    const rows = await dev.rows<{ readonly seq: number; readonly body: string }>("journal");
    return rows.find(({ body }) => body.includes(text));
  });
  return String(entry.seq);
}

describe("a page with commands", async () => {
  const pages = await glob(["README.md", "{config,bots}/guide/**/*.md"], { cwd: ROOT });
  const shown = await Promise.all(
    pages.toSorted().map(async (page) => ({
      page,
      commands: shownCommands(await readFile(join(ROOT, page), "utf8")),
    })),
  );
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await runningCheckout({ "config/rules/order.yaml": ORDER });
    await anaWrites(dev);
  });
  afterAll(() => dev.close());

  it.each(shown.filter(({ commands }) => commands.length > 0))(
    "$page shows what its commands print",
    async ({ commands }) => {
      const walk = { dev, folder: undefined };
      const problems: (string | undefined)[] = [];
      for (const one of commands) problems.push(await step(walk, one));

      expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
    },
  );

  it("is no reason to keep a line of the table that no page needs", () => {
    const all = shown.flatMap(({ commands }) => commands.map(({ command }) => command));

    expect(NOT_RUN.filter(([start]) => !all.some((one) => one.startsWith(start)))).toEqual([]);
    expect(
      [...Object.keys(ENDLESS), ...Object.keys(BEFORE)].filter((one) => !all.includes(one)),
    ).toEqual([]);
  });
});

interface Walk {
  readonly dev: RunningDev;
  /** Current folder, after the page's `cd` commands. */
  folder: string | undefined;
}

/** Runs the next command of a page. @returns The difference from the page, if any. */
async function step(walk: Walk, { command, output }: ShownCommand): Promise<string | undefined> {
  if (NOT_RUN.some(([start]) => command.startsWith(start))) return undefined;
  const [, folder] = /^cd (\S+)$/.exec(command) ?? [];
  if (folder !== undefined) {
    walk.folder = join(walk.dev.folder, folder);
    return undefined;
  }
  const place = await placeOf(walk, command);
  try {
    const replaced = Object.entries((await BEFORE[command]?.(walk.dev)) ?? {});
    const line = replaced.reduce((text, [old, now]) => text.replaceAll(old, now), command);
    const whole = `${line.replaceAll("/var/backups/answerback/", "")} ${ASKING[command] ?? ""}`;
    const { args } = commandsIn(whole, {});
    const sign = ENDLESS[command];
    if (sign !== undefined) return await untilSign(place, args, sign);
    const ran = await runLine({ args }, place.cwd);
    const wanted = replaced.reduce((text, [old, now]) => text.replaceAll(old, now), output);
    return differenceOf(command, ran, wanted);
  } finally {
    if (command === "answerback forget @ana") await anaWrites(walk.dev);
    await place.leave();
  }
}

function differenceOf(command: string, { code, out, err }: Ran, wanted: string) {
  const printed = out === "" ? err : out;
  // `verify` exits with 1 for differences, which earlier pages may have left.
  const codes = command === "answerback verify" ? [0, 1] : [0];
  const isFine = wanted === "" ? codes.includes(code) : isAsShown(printed, wanted);
  return isFine
    ? undefined
    : `$ ${command}\n${out}${err}(exit code ${code}) instead of:\n${wanted}`;
}

async function untilSign(place: Place, args: readonly string[], sign: string | RegExp) {
  const { cwd, listen } = place;
  const env = { ...FREE_PORTS, ...(listen !== undefined && { ANSWERBACK_WEBHOOK_LISTEN: listen }) };
  const running = begin({ cwd, env }, args);
  await running.until(sign);
  const { code, err } = await running.end();
  return code === 0 || code === 130 ? undefined : `${args.join(" ")} ended with ${code}: ${err}`;
}

/** Returns the folder in which a command of a page runs. */
async function placeOf({ dev, folder }: Walk, command: string): Promise<Place> {
  if (folder !== undefined) return { cwd: folder, leave: () => Promise.resolve() };
  if (command !== "answerback check") return placeFor(command, dev.folder);
  const cwd = await mkdtemp(join(tmpdir(), "answerback-mistaken-"));
  await mkdir(join(cwd, "config/rules"), { recursive: true });
  await writeFile(join(cwd, "config/answerback.yaml"), "version: 1\nrules: [rules/*.yaml]\n");
  await writeFile(join(cwd, "config/rules/faq.yaml"), MISTAKE);
  return { cwd, leave: () => rm(cwd, { recursive: true, force: true }) };
}
