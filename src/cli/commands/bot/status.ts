import { withSameSettings } from "../../output/same-settings.ts";
import { interfacesOf } from "../../output/source-line.ts";
import { Command } from "commander";
import { RuntimeConnection } from "../../../runtime/calls.ts";
import { capLine } from "../../../runtime/platform.ts";
import type { RuntimeStatus } from "../../../runtime/vocabulary.ts";
import { whereabouts, type Whereabouts } from "../../arguments/whereabouts.ts";
import { liveCostLine } from "../../output/live-cost-line.ts";
import {
  catchupLine,
  heldLine,
  otherInstanceLine,
  pausedLine,
  processLine,
  silencedLine,
} from "../../output/status-lines.ts";
import type { LiveCost } from "../../../sandbox/control/objects.ts";
import { visible } from "../../../text/unseen.ts";
import { counted } from "../../../text/counted.ts";
import type { Io } from "../../io.ts";
import { withExamples } from "../../help/examples.ts";
import {
  type PendingDeliveries,
  pendingDeliveries,
  pendingLine,
} from "../../talk/not-delivered.ts";
import { EXIT, ExitError, NotRunningError } from "../../exit-codes.ts";
import { type CommonFlags, startCommand, withCommonFlags } from "../../arguments/settings-flags.ts";

/** `status`: shows the bot's status; the last known one if the bot is not running. */
export function status(io: Io): Command {
  const command = withCommonFlags(new Command("status"), "print JSON").description(
    "show the bot's status (the last known one if it is not running)",
  );
  const examples = ["answerback status", "answerback status --json"];
  const after = "Exits with 5 if the bot is not running.";
  return withExamples(command, examples, after).action(async (flags: CommonFlags) => {
    const settings = await whereabouts(io, flags);
    const runtime = new RuntimeConnection(settings.store.folder);
    try {
      const status = await runtime.call("status", {});
      if (status === undefined) return await showStopped(io, settings, flags);
      const sandbox = await sandboxStatus(settings);
      if (flags.json !== true) {
        const { tellClock } = await import("../../target/platform-time.ts");
        await tellClock(io, flags);
        return io.out(withSameSettings(asTable(status, sandbox), flags));
      }
      const { url: consoleUrl } = (await runtime.call("openConsole", { code: false })) ?? {};
      io.out(
        `${JSON.stringify({ ...status, consoleUrl, pendingDeliveries: sandbox?.pending.deliveries, liveCost: sandbox?.liveCost })}\n`,
      );
    } finally {
      runtime.close();
    }
  });
}

/** Lines that the sandbox adds to the status of its bot. */
interface SandboxStatus {
  readonly pending: PendingDeliveries;
  readonly liveCost: LiveCost;
}

/** Reads the sandbox's status; undefined on the live platform, and if no sandbox answers. */
async function sandboxStatus(settings: Whereabouts): Promise<SandboxStatus | undefined> {
  if (settings.target !== "sandbox") return undefined;
  const { sandboxOf } = await import("../../target/sandbox-control.ts");
  try {
    const sandbox = await sandboxOf(settings);
    return { pending: await pendingDeliveries(sandbox), liveCost: await sandbox.liveCost() };
  } catch (error) {
    if (error instanceof NotRunningError) return undefined;
    throw error;
  }
}

/** Rows of the status that only a sandbox has. */
function sandboxRows({ accounts }: RuntimeStatus, sandbox: SandboxStatus | undefined): string[][] {
  if (sandbox === undefined) return [];
  const { pending, liveCost } = sandbox;
  const handleOf = (id: string): string | undefined =>
    accounts.find((account) => account.id === id)?.username;
  const undelivered = pendingLine(pending);
  const limits = liveCostLine(liveCost, handleOf);
  return [
    ...(undelivered === undefined ? [] : [["deliveries", undelivered]]),
    ...(limits === undefined ? [] : [["limits", limits]]),
  ];
}

async function showStopped(io: Io, settings: Whereabouts, flags: CommonFlags): Promise<never> {
  const { withStored } = await import("../../target/stored.ts");
  const store = await withStored(io, flags, (stored) => stored.counts());
  io.out(
    flags.json === true
      ? `${JSON.stringify({ running: false, store })}\n`
      : withSameSettings(
          inRows([
            ["bot", `does not run; start it with: ${startCommand(settings)}`],
            ...storeRows(store),
          ]),
          flags,
        ),
  );
  throw new ExitError(EXIT.unreachable);
}

function asTable(status: RuntimeStatus, sandbox: SandboxStatus | undefined): string {
  const catchingUp = catchupLine(status.catchup);
  const by = interfacesOf(status.source);
  const rows = [
    ["target", status.target],
    ["up since", status.startedAt],
    status.source === "polling"
      ? ["events", `messages and mentions are polled; status at ${status.webhook.listen}`]
      : ["webhook", `${status.webhook.url} at ${status.webhook.listen}`],
    ...(by === undefined ? [] : [["events", `by ${by}`]]),
    ...(status.metrics === undefined
      ? []
      : [["metrics", `http://${status.metrics.listen}/metrics`]]),
    ...(status.webhook.shed === 0 ? [] : [["shed", shedLine(status.webhook)]]),
    ...status.missing.map(({ part, reason }) => ["not ready", `${part}: ${reason}`]),
    ...(status.otherInstances ?? []).map((other) => ["instance", otherInstanceLine(other)]),
    ...status.paused.map((pause) => ["paused", pausedLine(pause)]),
    ...(status.silenced ?? []).map((one) => ["silent", silencedLine(one)]),
    ...status.held.map((held) => ["held back", heldLine(held)]),
    ...status.accounts.map((account) => ["account", accountLine(account)]),
    ...(status.processes.length < 2
      ? []
      : status.processes.map((one) => ["process", processLine(one)])),
    ...sandboxRows(status, sandbox),
    ...(catchingUp === undefined ? [] : [["catch-up", catchingUp]]),
    ...(status.searches ?? []).map((search) => ["search", searchLine(search)]),
    ...(status.searchStream === undefined ? [] : [["search by", searchWay(status.searchStream)]]),
    ...(status.posts === undefined ? [] : [["posts", capLine(capOf(status.posts))]]),
    [
      "rules",
      `${status.rules.count}, revision ${status.rules.revision.slice(0, 12)}, ${counted(status.rules.problems.length, "problem")}`,
    ],
    ["bots", status.bots.map(botText).join(", ") || "none"],
    ...status.bots.flatMap(({ name, trouble }) =>
      trouble === undefined ? [] : [["trouble", troubleLine(name, trouble)]],
    ),
    ...status.botFaults.map((fault) => ["bot fault", fault.split("\n", 1)[0] ?? ""]),
    ...status.givenUp.map(({ seq, reason }) => ["given up", `event ${seq}: ${reason}`]),
    ...passedOverRows(status.work),
    ...storeRows(status.store),
  ];
  return inRows(rows);
}

/** Row of a search, such as `"brand -is:retweet": read at …, 240 of 300 requests remain until …`. */
function searchLine({
  query,
  lastReadAt,
  whyRecent,
  trouble,
  lost,
  limit,
}: NonNullable<RuntimeStatus["searches"]>[number]): string {
  const way = whyRecent === undefined ? "streamed, " : "";
  const read = lastReadAt === undefined ? "not read yet" : `read at ${lastReadAt}`;
  const budget =
    limit === undefined
      ? ""
      : `, ${limit.remaining} of ${limit.limit} requests remain until ${limit.resetAt}`;
  const failed = trouble === undefined ? "" : `; the last reading failed: ${trouble}`;
  const missed =
    lost === undefined
      ? ""
      : `; posts from ${lost.from} to ${lost.to} may be lost: search reaches back seven days`;
  return `"${query}": ${way}${read}${budget}${failed}${missed}`;
}

/** Interface that serves the rules' search queries: `filtered stream`, or `recent search: …` with the reason. */
function searchWay({ used, why }: NonNullable<RuntimeStatus["searchStream"]>): string {
  return used ? "filtered stream" : `recent search: ${why}`;
}

function capOf({ used, cap, resetsOn }: NonNullable<RuntimeStatus["posts"]>) {
  return { used, cap, resetsOn: Date.parse(resetsOn) };
}

/** Row with the number of group messages for which no rule or bot listens. */
function passedOverRows({ passedOver = 0 }: RuntimeStatus["work"]): string[][] {
  if (passedOver === 0) return [];
  const messages = `${counted(passedOver, "message")} passed over since the start`;
  return [["groups", `${messages}: no rule or bot says in: group, or in: any`]];
}

function storeRows(store: RuntimeStatus["store"]): string[][] {
  const { journal, inbox, items, escalations, writtenBy } = store;
  const escalated = escalatedLine(escalations);
  return [
    ["events", `${journal} kept, ${inbox} to decide`],
    [
      "answers",
      `${items.sent} sent, ${items.pending + items.sending} to send, ${items.held} held back, ${items.failed + items.expired} failed, ${items.unknown} unknown${items.dropped === 0 ? "" : `, ${items.dropped} dropped`}`,
    ],
    ...(escalated === undefined ? [] : [["escalated", escalated]]),
    ...(writtenBy === undefined ? [] : [["store", `last written by Answerback ${writtenBy}`]]),
  ];
}

function inRows(rows: readonly (readonly string[])[]): string {
  return rows.map(([name = "", value = ""]) => `${name.padEnd(11)}${visible(value)}\n`).join("");
}

/** Row of the open escalations, such as `3 open: 2 support, 1 trust-safety; see: …`. */
function escalatedLine(open: RuntimeStatus["store"]["escalations"]): string | undefined {
  const queues = Object.entries(open);
  if (queues.length === 0) return undefined;
  const all = queues.reduce((sum, [, count]) => sum + count, 0);
  const each = queues.map(([queue, count]) => `${count} ${queue}`).join(", ");
  return `${all} open: ${each}; see: answerback escalations`;
}

function accountLine(account: RuntimeStatus["accounts"][number]): string {
  const { username, subscribed, reason, fix } = account;
  const why = reason === undefined ? "" : `: ${reason}`;
  const mending = fix === undefined ? "" : `; fix: ${fix}`;
  return `@${username}, ${subscribed ? "subscribed" : "NOT subscribed"}${why}${mending}`;
}

/** Name of a bot, with the maximum age of its events if the bot sets it: `echo (up to 60 s old)`. */
function botText({ name, maxAgeMs, waits }: RuntimeStatus["bots"][number]): string {
  if (waits === true) return `${name} (NOT loaded: its events wait)`;
  if (maxAgeMs === undefined) return name;
  return maxAgeMs === "none" ? `${name} (any age)` : `${name} (up to ${maxAgeMs / 1_000} s old)`;
}

type Trouble = NonNullable<RuntimeStatus["bots"][number]["trouble"]>;

function troubleLine(bot: string, { faults, latest, place, at, asideUntil }: Trouble): string {
  const where = place === undefined ? "" : ` (${place})`;
  const aside = asideUntil === undefined ? "" : `; not called until ${asideUntil}`;
  return `${bot}: ${faults} fault(s), at ${at} ${latest}${where}${aside}`;
}

function shedLine({ shed, shedding }: RuntimeStatus["webhook"]): string {
  const now = shedding ? "and more until less waits to be decided" : "taken in again by now";
  return `${shed} deliveries turned away, ${now}`;
}
