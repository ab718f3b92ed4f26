import { Command } from "commander";
import { endingItself } from "../ending.ts";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { count, whole } from "../numbers.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

interface EventsFlags extends SettingsFlags, JsonFlag {
  readonly after?: number;
  readonly type?: readonly string[];
  readonly limit?: number;
}

/** `events`: what happens in the sandbox, as it happens. */
export function events(io: Io): Command {
  const command = withJson(withSettings(new Command("events")))
    .description("follow what happens in the sandbox, until Ctrl-C")
    .option("--after <seq>", "begin with what it remembers after this number; 0 for all", count)
    .option("--type <types...>", "only these: activity, delivery, challenge, request, clock, …")
    .option("--limit <number>", "end after so many", whole);
  const examples = [
    "answerback events",
    "answerback events --after 0 --limit 3 --json",
    "answerback events --after 0 --limit 1 --type activity delivery",
  ];
  return endingItself(withExamples(command, examples)).action(async (flags: EventsFlags) => {
    const { localSandbox } = await import("../target/sandbox-control.ts");
    const { hear } = await import("../target/sandbox-events.ts");
    const { shownEvent } = await import("../output/event-line.ts");
    const sandbox = await localSandbox(io, flags);
    const { users } = await sandbox.get<{ users: { id: string; username: string }[] }>("/users");
    const names = new Map(users.map(({ id, username }) => [id, `@${username}`]));
    const ending = new AbortController();
    const signal = AbortSignal.any([io.signal, ending.signal]);
    let left = flags.limit ?? Infinity;
    const heard = await hear(sandbox, signal, flags.after);
    if (flags.json !== true) io.err("Listening; Ctrl-C ends.\n");
    for await (const event of heard) {
      if (flags.type !== undefined && !flags.type.includes(event.type)) continue;
      const nameOf = (id: unknown): string => names.get(String(id)) ?? String(id);
      io.out(
        `${flags.json === true ? JSON.stringify(event) : shownEvent(event, nameOf, io.dataColors)}\n`,
      );
      left -= 1;
      if (left <= 0) break;
    }
    ending.abort();
  });
}
