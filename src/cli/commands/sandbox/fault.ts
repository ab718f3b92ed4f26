import { withSameSettings } from "../../output/same-settings.ts";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "../../../errors.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { instant } from "../../arguments/instant.ts";
import { between, fraction, positiveInteger, upTo } from "../../arguments/numbers.ts";
import { printList, printRecord } from "../../output/print.ts";
import {
  type CommonFlags,
  whole,
  wholeHandle,
  withCommonFlags,
} from "../../arguments/settings-flags.ts";
import { oneOf } from "../../arguments/one-of.ts";
import type { LocalSandbox } from "../../target/sandbox-control.ts";
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

/** Types of faults that only streams have. */
const OF_STREAMS: ReadonlySet<string> = new Set(["end", "disconnect", "stall"]);

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
    .option("--path <path>", "only requests to this path; * matches any text", requestPath)
    .option(
      "--event <key>",
      "only deliveries with this event key, such as direct_message_events; of streams post or keep_alive",
    )
    .option(
      "--account <handle>",
      "only deliveries for this account, a handle or an id",
      wholeHandle,
    )
    .option("--ms <number>", "milliseconds, for delay, skew and stall", between(0, 3_600_000))
    .option("--status <number>", "HTTP status, for the fault status", between(200, 599))
    .option("-n <number>", "number of deliveries, for duplicate and reorder", upTo(100));
  const examples = [
    "answerback fault add drop --next 2",
    "answerback fault add delay --ms 2000 --event direct_message_events --always",
    "answerback fault add status --status 503 --on request --path /2/posts --probability 0.5 --seed one",
    "answerback fault add disconnect --on stream --every 100",
  ];
  return withExamples(withWhen(command), examples).action(
    async (type: FaultSpec["fault"]["type"], flags: AddFlags) => {
      if (flags.on !== "stream" && OF_STREAMS.has(type)) {
        throw new UsageError(`${type} happens to streams only`, { hint: "add: --on stream" });
      }
      const when = whenOf(flags);
      const { localSandbox } = await import("../../target/sandbox-control.ts");
      const sandbox = await localSandbox(io, flags);
      const { on, method, path, event, ms, status, n } = flags;
      const account = await accountOf(sandbox, flags.account);
      const id = await sandbox.addFault({
        match: { direction: on, method, path, event, account },
        fault: { type, ms, status, n },
        ...when,
      });
      printRecord(io, flags.json, { id }, [["fault", id]]);
      if (flags.json !== true)
        io.err(withSameSettings("Remove it with: answerback fault clear\n", flags));
    },
  );
}

async function accountOf(
  sandbox: LocalSandbox,
  handleOrId: string | undefined,
): Promise<string | undefined> {
  if (handleOrId === undefined || /^\d+$/.test(handleOrId)) return handleOrId;
  const user = await sandbox.find(handleOrId);
  if (user !== undefined) return user.id;
  throw new UsageError(`the sandbox has no account ${handleOrId}`, {
    hint: "list the accounts of the bot with: answerback accounts list",
  });
}

/** Names of the flags that limit a fault to some of the matching traffic. A fault has only one of them. */
const WHEN = ["next", "every", "probability", "always", "until"];

function whenOption(flags: string, description: string, parse?: (text: string) => unknown): Option {
  const option = new Option(flags, description);
  if (parse !== undefined) option.argParser(parse);
  return option.conflicts(WHEN.filter((name) => name !== option.attributeName()));
}

/** Adds the flags of {@link WHEN} and `--seed`. */
function withWhen(command: Command): Command {
  return command
    .addOption(whenOption("--next <number>", "apply the next N times", positiveInteger))
    .addOption(whenOption("--every <number>", "apply every K-th time", positiveInteger))
    .addOption(
      whenOption(
        "--probability <fraction>",
        "apply at random with this probability, 0 to 1",
        fraction,
      ),
    )
    .option("--seed <text>", "seed of --probability, for reproducible results")
    .addOption(whenOption("--always", "apply every time"))
    .addOption(
      whenOption(
        "--until <time>",
        "apply every time until then, by the sandbox's clock; ISO 8601, UTC without a zone",
        instant,
      ),
    );
}

function whenOf(flags: AddFlags): Pick<FaultSpec, "when"> {
  const { next, every, probability, seed, always, until } = flags;
  if (seed !== undefined && probability === undefined) {
    throw new UsageError("--seed is the seed of --probability, which is missing", {
      hint: "as in: answerback fault add drop --probability 0.5 --seed one",
    });
  }
  if (next !== undefined) return { when: { next } };
  if (every !== undefined) return { when: { every } };
  if (probability !== undefined) return { when: { probability, seed } };
  if (until !== undefined) return { when: { until } };
  return always === true ? { when: { always } } : {};
}

function requestPath(text: string): string {
  if (text.startsWith("/")) return text;
  throw new InvalidArgumentError('It must begin with a slash, as "/2/posts".');
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
    .argument("[id]", "id of the fault (default: all)", whole("id"));
  return withExamples(command, ["answerback fault clear"]).action(
    async (id: string | undefined, flags: CommonFlags) => {
      const { localSandbox } = await import("../../target/sandbox-control.ts");
      const sandbox = await localSandbox(io, flags);
      const removed = await sandbox.clearFaults(id);
      if (id !== undefined && removed === 0) {
        throw new UsageError(`there is no fault ${id}`, {
          hint: "list the active faults with: answerback fault list",
        });
      }
      printRecord(io, flags.json, { removed }, [["removed", removed]]);
    },
  );
}
