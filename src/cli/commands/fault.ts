import { Command, Option } from "commander";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { count, fraction, whole } from "../numbers.ts";
import { printList, printRecord } from "../output/print.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

type Flags = SettingsFlags & JsonFlag;

interface AddFlags extends Flags {
  readonly on: string;
  readonly method?: string;
  readonly path?: string;
  readonly event?: string;
  readonly account?: string;
  readonly ms?: number;
  readonly status?: number;
  readonly n?: number;
  readonly next?: number;
  readonly every?: number;
  readonly probability?: number;
  readonly seed?: string;
  readonly always?: boolean;
}

interface Standing {
  readonly id: string;
  readonly match: Readonly<Record<string, string>>;
  readonly fault: Readonly<Record<string, string | number>>;
  readonly when: Readonly<Record<string, string | number | boolean>>;
  readonly seen: number;
  readonly hits: number;
}

/** `fault`: what goes wrong in the sandbox, and when. */
export function fault(io: Io): Command {
  return new Command("fault")
    .description("let things go wrong in the sandbox")
    .addCommand(add(io))
    .addCommand(list(io))
    .addCommand(clear(io));
}

const TYPES = "drop duplicate delay reorder status timeout cut cut_after limit skew".split(" ");

function add(io: Io): Command {
  const command = withJson(withSettings(new Command("add")), "as JSON")
    .description("add a fault; it strikes once unless told otherwise")
    .argument("<type>", `one of ${TYPES.join(", ")}`)
    .addOption(
      new Option("--on <what>", "what it hits")
        .choices(["delivery", "challenge", "request"])
        .default("delivery"),
    )
    .option("--method <method>", "of requests, as POST")
    .option("--path <path>", "of requests, exact, * for any run of text")
    .option("--event <key>", "event key of deliveries, as direct_message_events")
    .option("--account <handle>", "whose deliveries, a handle or an id")
    .option("--ms <number>", "how long, with delay and skew", count)
    .option("--status <number>", "HTTP status, with status", whole)
    .option("-n <number>", "how many, with duplicate and reorder", whole)
    .option("--next <number>", "strike the next N times", whole)
    .option("--every <number>", "strike every K-th time", whole)
    .option("--probability <fraction>", "strike by chance, 0 to 1", fraction)
    .option("--seed <text>", "of the chance, to draw the same again")
    .option("--always", "strike every time");
  const examples = [
    "answerback fault add drop --next 2",
    "answerback fault add delay --ms 2000 --event direct_message_events --always",
    "answerback fault add status --status 503 --on request --path /2/posts --probability 0.5 --seed one",
  ];
  return withExamples(command, examples).action(async (type: string, flags: AddFlags) => {
    const { localSandbox } = await import("../target/sandbox-control.ts");
    const sandbox = await localSandbox(io, flags);
    const { on, method, path, event, ms, status, n } = flags;
    const account =
      flags.account === undefined || /^\d+$/.test(flags.account)
        ? flags.account
        : (await sandbox.person(flags.account)).id;
    const made = await sandbox.post<{ id: string }>("/faults", {
      match: { direction: on, method, path, event, account },
      fault: { type, ms, status, n },
      ...whenOf(flags),
    });
    printRecord(io, flags.json, made, [["fault", made.id]]);
    if (flags.json !== true) io.err("Take it away with: answerback fault clear\n");
  });
}

function whenOf({ next, every, probability, seed, always }: AddFlags): object {
  if (next !== undefined) return { when: { next } };
  if (every !== undefined) return { when: { every } };
  if (probability !== undefined) return { when: { probability, seed } };
  return always === true ? { when: { always } } : {};
}

function list(io: Io): Command {
  const command = withJson(withSettings(new Command("list"))).description("the faults that stand");
  return withExamples(command, ["answerback fault list"]).action(async (flags: Flags) => {
    const { localSandbox } = await import("../target/sandbox-control.ts");
    const { faults } = await (await localSandbox(io, flags)).get<{ faults: Standing[] }>("/faults");
    printList(
      io,
      flags.json,
      faults,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "FAULT", of: ({ fault }) => Object.values(fault).join(" ") },
        { title: "SEEN", of: ({ seen }) => seen },
        { title: "HITS", of: ({ hits }) => hits },
        { title: "WHEN", of: ({ when }) => wordsOf(when) },
        { title: "ON", of: ({ match }) => wordsOf(match) },
      ],
      "No fault stands.",
    );
  });
}

function wordsOf(parts: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(parts)
    .map(([name, value]) =>
      value === true || name === "direction"
        ? String(value === true ? name : value)
        : `${name} ${value}`,
    )
    .join(", ");
}

function clear(io: Io): Command {
  const command = withJson(withSettings(new Command("clear")), "as JSON")
    .description("take a fault away, or all of them")
    .argument("[id]", "of one fault");
  return withExamples(command, ["answerback fault clear"]).action(
    async (id: string | undefined, flags: Flags) => {
      const { localSandbox } = await import("../target/sandbox-control.ts");
      const sandbox = await localSandbox(io, flags);
      const path = id === undefined ? "/faults" : `/faults/${encodeURIComponent(id)}`;
      const { removed } = await sandbox.call<{ removed: number }>("DELETE", path);
      printRecord(io, flags.json, { removed }, [["removed", removed]]);
    },
  );
}
