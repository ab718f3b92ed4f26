import { Command } from "commander";
import type { RuntimeStatus } from "../../runtime/control/server.ts";
import type { StoreStats } from "../../runtime/store/store.ts";
import type { Io } from "../io.ts";
import { withExamples } from "../examples.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

type StatusFlags = SettingsFlags & JsonFlag;

/** `status`: what the running bot says of itself. */
export function status(io: Io): Command {
  const command = withJson(withSettings(new Command("status")), "as JSON").description(
    "say how the running bot is",
  );
  return withExamples(command, ["answerback status", "answerback status --json"]).action(
    async (flags: StatusFlags) => {
      const { askRunning } = await import("../target/ask-running.ts");
      const told = await askRunning<RuntimeStatus & { store: StoreStats }>(io, flags, "/status");
      io.out(flags.json === true ? `${JSON.stringify(told)}\n` : asTable(told));
    },
  );
}

function asTable(told: RuntimeStatus & { store: StoreStats }): string {
  const { items } = told.store;
  const rows = [
    ["target", told.target],
    ["up since", told.startedAt],
    ["webhook", `${told.webhook.url} at ${told.webhook.listen}`],
    ...told.accounts.map(({ username, subscribed }) => [
      "account",
      `@${username}, ${subscribed ? "subscribed" : "NOT subscribed"}`,
    ]),
    [
      "rules",
      `${told.rules.count} (${told.rules.revision}), ${told.rules.problems.length} problem(s)`,
    ],
    ["bots", told.bots.map(({ name }) => name).join(", ") || "none"],
    ["events", `${told.store.journal} kept, ${told.store.inbox} to decide`],
    [
      "answers",
      `${items.sent} sent, ${items.pending + items.sending} to send, ${items.failed + items.expired} failed, ${items.unknown} unknown`,
    ],
  ];
  return rows.map(([name = "", value = ""]) => `${name.padEnd(10)}${value}\n`).join("");
}
