import { withSameSettings } from "../../output/same-settings.ts";
import { Argument, Command, Option } from "commander";
import { UsageError } from "../../../errors.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { nonNegativeInteger, fraction, positiveInteger } from "../../arguments/numbers.ts";
import { printList, printRecord } from "../../output/print.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";
import { oneOf } from "../../arguments/one-of.ts";
import type { FaultSpec } from "../../../sandbox/control/objects.ts";

/** Flags that select the traffic of a fault. */
interface MatchFlags {
  readonly on: FaultSpec["match"]["direction"];
  readonly method?: string;
  readonly path?: string;
  readonly event?: string;
  readonly account?: string;
}

interface AddFlags extends CommonFlags, MatchFlags {
  readonly ms?: number;
  readonly status?: number;
  readonly n?: number;
  readonly next?: number;
  readonly every?: number;
  readonly probability?: number;
  readonly seed?: string;
  readonly always?: boolean;
  readonly until?: string;
}

/** `fault`: makes the sandbox inject faults into deliveries, challenges, requests and streams. */
export function fault(io: Io): Command {
  return new Command("fault")
    .description("inject faults into the sandbox")
    .addCommand(add(io))
    .addCommand(list(io))
    .addCommand(clear(io));
}

const TYPES =
  "drop duplicate delay reorder status timeout cut cut_after limit skew end disconnect stall".split(
    " ",
  );

function add(io: Io): Command {
  const command = withCommonFlags(new Command("add"), "print JSON")
    .description("add a fault; it applies once unless an option says otherwise")
    .addArgument(oneOf(new Argument("<type>", "what goes wrong"), TYPES))
    .addOption(
      oneOf(new Option("--on <what>", "what it applies to"), [
        "delivery",
        "challenge",
        "request",
        "stream",
      ]).default("delivery"),
    )
    .option("--method <method>", "only requests with this method, such as POST")
    .option("--path <path>", "only requests to this path; * matches any text")
    .option(
      "--event <key>",
      "only deliveries with this event key, such as direct_message_events; of streams post or keep_alive",
    )
    .option("--account <handle>", "only deliveries for this account, a handle or an id")
    .option("--ms <number>", "milliseconds, for delay, skew and stall", nonNegativeInteger)
    .option("--status <number>", "HTTP status, for the fault status", positiveInteger)
    .option("-n <number>", "number of deliveries, for duplicate and reorder", positiveInteger)
    .option("--next <number>", "apply the next N times", positiveInteger)
    .option("--every <number>", "apply every K-th time", positiveInteger)
    .option("--probability <fraction>", "apply at random with this probability, 0 to 1", fraction)
    .option("--seed <text>", "seed of --probability, for reproducible results")
    .option("--always", "apply every time")
    .option("--until <time>", "apply every time until then, by the sandbox's clock; ISO 8601");
  const examples = [
    "answerback fault add drop --next 2",
    "answerback fault add delay --ms 2000 --event direct_message_events --always",
    "answerback fault add status --status 503 --on request --path /2/posts --probability 0.5 --seed one",
    "answerback fault add disconnect --on stream --every 100",
  ];
  return withExamples(command, examples).action(
    async (type: FaultSpec["fault"]["type"], flags: AddFlags) => {
      const { localSandbox } = await import("../../target/sandbox-control.ts");
      const sandbox = await localSandbox(io, flags);
      const { on, method, path, event, ms, status, n } = flags;
      const account =
        flags.account === undefined || /^\d+$/.test(flags.account)
          ? flags.account
          : (await sandbox.find(flags.account))?.id;
      if (account === undefined && flags.account !== undefined) {
        throw new UsageError(`the sandbox has no account ${flags.account}`, {
          hint: "list the accounts of the bot with: answerback accounts list",
        });
      }
      const id = await sandbox.addFault({
        match: { direction: on, method, path, event, account },
        fault: { type, ms, status, n },
        ...whenOf(flags),
      });
      printRecord(io, flags.json, { id }, [["fault", id]]);
      if (flags.json !== true)
        io.err(withSameSettings("Remove it with: answerback fault clear\n", flags));
    },
  );
}

function whenOf(flags: AddFlags): Pick<FaultSpec, "when"> {
  const { next, every, probability, seed, always, until } = flags;
  if (next !== undefined) return { when: { next } };
  if (every !== undefined) return { when: { every } };
  if (probability !== undefined) return { when: { probability, seed } };
  if (until !== undefined) return { when: { until } };
  return always === true ? { when: { always } } : {};
}

function list(io: Io): Command {
  const command = withCommonFlags(new Command("list")).description("list the active faults");
  return withExamples(command, ["answerback fault list"]).action(async (flags: CommonFlags) => {
    const { localSandbox } = await import("../../target/sandbox-control.ts");
    const faults = await (await localSandbox(io, flags)).faults();
    printList(
      io,
      flags.json,
      faults,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "FAULT", of: ({ fault }) => Object.values(fault).join(" ") },
        { title: "SEEN", of: ({ seen }) => seen },
        { title: "HITS", of: ({ hits }) => hits },
        { title: "WHEN", of: ({ when }) => describeParts(when) },
        { title: "ON", of: ({ match }) => describeParts(match) },
      ],
      "No fault is active.",
    );
  });
}

function describeParts(parts: object): string {
  return Object.entries(parts)
    .map(([name, value]) =>
      value === true || name === "direction"
        ? String(value === true ? name : value)
        : `${name} ${value}`,
    )
    .join(", ");
}

function clear(io: Io): Command {
  const command = withCommonFlags(new Command("clear"), "print JSON")
    .description("remove one fault, or all of them")
    .argument("[id]", "id of the fault (default: all)");
  return withExamples(command, ["answerback fault clear"]).action(
    async (id: string | undefined, flags: CommonFlags) => {
      const { localSandbox } = await import("../../target/sandbox-control.ts");
      const sandbox = await localSandbox(io, flags);
      const removed = await sandbox.clearFaults(id);
      printRecord(io, flags.json, { removed }, [["removed", removed]]);
    },
  );
}
