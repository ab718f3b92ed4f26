import { Command, Option } from "commander";
import { withGracefulStop } from "../../graceful-stop.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { nonNegativeInteger, positiveInteger } from "../../arguments/numbers.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";
import { oneOf } from "../../arguments/one-of.ts";

interface EventsFlags extends CommonFlags {
  readonly after?: number;
  readonly type?: readonly string[];
  readonly limit?: number;
}

const TYPES = [
  "activity",
  "delivery",
  "challenge",
  "request",
  "clock",
  "fault",
  "stream",
  "webhook",
  "world",
] as const;

/** `events`: shows what happens in the sandbox. */
export function events(io: Io): Command {
  const command = withCommonFlags(new Command("events"))
    .description("print what happens in the sandbox until Ctrl-C")
    .option(
      "--after <seq>",
      "start with recent events after this sequence number; 0 for all of them",
      nonNegativeInteger,
    )
    .addOption(oneOf(new Option("--type <types...>", "only events of these types"), TYPES))
    .option("--limit <number>", "stop after this number of events", positiveInteger);
  const examples = [
    "answerback events",
    "answerback events --after 0 --limit 3 --json",
    "answerback events --after 0 --limit 1 --type activity delivery",
  ];
  return withGracefulStop(withExamples(command, examples)).action(async (flags: EventsFlags) => {
    io.ends?.endWithReader();
    const { localSandbox } = await import("../../target/sandbox-control.ts");
    const { followEvents } = await import("../../target/sandbox-events.ts");
    const { formatEvent } = await import("../../output/event-line.ts");
    const sandbox = await localSandbox(io, flags);
    const users = await sandbox.users();
    const names = new Map(users.map(({ id, username }) => [id, `@${username}`]));
    const { endingWith } = await import("../../../system/ending.ts");
    const ending = endingWith([io.signal]);
    let remainingEvents = flags.limit ?? Infinity;
    const feed = await followEvents(sandbox, ending.signal, flags.after);
    if (flags.json !== true) io.err("Listening; press Ctrl-C to stop.\n");
    for await (const event of feed) {
      if (flags.type !== undefined && !flags.type.includes(event.type)) continue;
      const nameOf = (id: unknown): string => names.get(String(id)) ?? String(id);
      io.out(
        `${flags.json === true ? JSON.stringify(event) : formatEvent(event, nameOf, io.dataColors)}\n`,
      );
      remainingEvents -= 1;
      if (remainingEvents <= 0) break;
    }
    ending.end();
  });
}
