import { Command } from "commander";
import type { RuntimeStatus } from "../../../runtime/control/status-schema.ts";
import { catchupLine } from "../../output/catchup-line.ts";
import { heldLine, pausedLine } from "../../output/held-line.ts";
import { visible } from "../../output/terminal-text.ts";
import type { Io } from "../../io.ts";
import { withExamples } from "../../help/examples.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";

/** `status`: the status of the running bot. */
export function status(io: Io): Command {
  const command = withCommonFlags(new Command("status"), "print JSON").description(
    "show the bot's status",
  );
  return withExamples(command, ["answerback status", "answerback status --json"]).action(
    async (flags: CommonFlags) => {
      const { askRunning } = await import("../../target/ask-running.ts");
      const status = await askRunning(io, flags, "status", {});
      io.out(flags.json === true ? `${JSON.stringify(status)}\n` : asTable(status));
    },
  );
}

function asTable(status: RuntimeStatus): string {
  const { items } = status.store;
  const catchingUp = catchupLine(status.catchup);
  const rows = [
    ["target", status.target],
    ["up since", status.startedAt],
    status.source === "polling"
      ? ["events", `messages and mentions are polled; status at ${status.webhook.listen}`]
      : ["webhook", `${status.webhook.url} at ${status.webhook.listen}`],
    ...(status.metrics === undefined
      ? []
      : [["metrics", `http://${status.metrics.listen}/metrics`]]),
    ...(status.webhook.shed === 0 ? [] : [["shed", shedLine(status.webhook)]]),
    ...status.missing.map(({ part, reason }) => ["not ready", `${part}: ${reason}`]),
    ...status.paused.map((pause) => ["paused", pausedLine(pause)]),
    ...status.held.map((held) => ["held back", heldLine(held)]),
    ...status.accounts.map(({ username, subscribed, reason }) => [
      "account",
      `@${username}, ${subscribed ? "subscribed" : "NOT subscribed"}${reason === undefined ? "" : `: ${reason}`}`,
    ]),
    ...(catchingUp === undefined ? [] : [["catch-up", catchingUp]]),
    [
      "rules",
      `${status.rules.count} (${status.rules.revision}), ${status.rules.problems.length} problem(s)`,
    ],
    ["bots", status.bots.map(botText).join(", ") || "none"],
    ...status.bots.flatMap(({ name, trouble }) =>
      trouble === undefined ? [] : [["trouble", troubleLine(name, trouble)]],
    ),
    ...status.givenUp.map(({ seq, reason }) => ["given up", `event ${seq}: ${reason}`]),
    ["events", `${status.store.journal} kept, ${status.store.inbox} to decide`],
    [
      "answers",
      `${items.sent} sent, ${items.pending + items.sending} to send, ${items.held} held back, ${items.failed + items.expired} failed, ${items.unknown} unknown`,
    ],
  ];
  const escalated = escalatedLine(status.store.escalations);
  if (escalated !== undefined) rows.push(["escalated", escalated]);
  return rows.map(([name = "", value = ""]) => `${name.padEnd(10)}${value}\n`).join("");
}

/** `3 open: 2 support, 1 trust-safety; see: …`. */
function escalatedLine(open: RuntimeStatus["store"]["escalations"]): string | undefined {
  const queues = Object.entries(open);
  if (queues.length === 0) return undefined;
  const all = queues.reduce((sum, [, count]) => sum + count, 0);
  const each = queues.map(([queue, count]) => `${count} ${queue}`).join(", ");
  return `${all} open: ${each}; see: answerback escalations`;
}

/** The bot, and its own age limit where it has one. */
function botText({ name, maxAgeMs }: RuntimeStatus["bots"][number]): string {
  if (maxAgeMs === undefined) return name;
  return maxAgeMs === "none" ? `${name} (any age)` : `${name} (up to ${maxAgeMs / 1_000} s old)`;
}

type Trouble = NonNullable<RuntimeStatus["bots"][number]["trouble"]>;

function troubleLine(bot: string, { faults, latest, place, at, asideUntil }: Trouble): string {
  const where = place === undefined ? "" : ` (${place})`;
  const aside = asideUntil === undefined ? "" : `; not called until ${asideUntil}`;
  return visible(`${bot}: ${faults} fault(s), at ${at} ${latest}${where}${aside}`);
}

function shedLine({ shed, shedding }: RuntimeStatus["webhook"]): string {
  const now = shedding ? "and more until less waits to be decided" : "taken in again by now";
  return `${shed} deliveries turned away, ${now}`;
}
