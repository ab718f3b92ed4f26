import { withSameSettings } from "../../output/same-settings.ts";
import { Command } from "commander";
import {
  type JsonFlag,
  type SettingsFlags,
  withJson,
  withSettingsFile,
} from "../../arguments/settings-flags.ts";
import { withGracefulStop } from "../../graceful-stop.ts";
import { EXIT, ExitError } from "../../exit-codes.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import type { StorePlace } from "../../move/place-of-store.ts";
import { printRecord } from "../../output/print.ts";

interface MoveFlags extends SettingsFlags, JsonFlag {
  readonly from?: string;
  readonly to: string;
}

/** `move`: moves the whole store from a folder into a database, or back. */
export function move(io: Io): Command {
  const command = withGracefulStop(withJson(withSettingsFile(new Command("move")), "print JSON"))
    .description(
      "move the store from a folder into a PostgreSQL database, or back; stop the bot first",
    )
    .option("--from <store>", "current store (default: the setting store)")
    .requiredOption(
      "--to <store>",
      "new store: postgres://USER@HOST:5432/DATABASE, or file:FOLDER",
    );
  const examples = [
    "answerback move --to 'postgres://bot@db.example:5432/bot?sslmode=verify-full'",
    "answerback move --from 'postgres://bot@db.example:5432/bot?sslmode=verify-full' --to file:data",
  ];
  return withExamples(command, examples).action(async (flags: MoveFlags) => {
    const { settingsFor } = await import("../../arguments/settings-flags.ts");
    const { moveBetween } = await import("../../move/move-between.ts");
    const { placeOfStore } = await import("../../move/place-of-store.ts");
    const { progressOf } = await import("../../output/progress.ts");
    const password = io.env["PGPASSWORD"];
    const source = flags.from ?? (await settingsFor(io, flags)).store.url;
    const from = placeOfStore(source, io.cwd, password);
    const to = placeOfStore(flags.to, io.cwd, password);
    const progress = progressOf(io, "Moving");
    const moved = await moveBetween(from, to, {
      key: io.env["ANSWERBACK_KEY"],
      onProgress: (done, total) => progress.at(done, total),
      signal: io.signal,
    }).finally(() => progress.end());
    if (moved === undefined) {
      io.err("Cancelled; nothing was moved.\n");
      throw new ExitError(EXIT.interrupted);
    }
    const { rows, accounts } = moved;
    const count = (name: string): number => rows[name] ?? 0;
    printRecord(io, flags.json, { from: from.shown, to: to.shown, rows, accounts }, [
      ["from", from.shown],
      ["to", to.shown],
      [
        "store",
        `${count("journal")} event(s), ${count("items")} answer(s), ${count("runs")} run(s)`,
      ],
      ["user state", `${count("state")} value(s)`],
      ["accounts", accounts],
    ]);
    if (flags.json !== true) io.err(whatIsNext(from, to, flags));
  });
}

function whatIsNext(from: StorePlace, to: StorePlace, flags: MoveFlags): string {
  const settings =
    to.kind === "postgres"
      ? [`store: ${to.shown}`, ...(from.kind === "folder" ? [`data: ${from.folder}`] : [])]
      : [`store: ${to.shown}`];
  const start = withSameSettings("answerback run", flags);
  const more =
    to.kind === "postgres"
      ? `If the bot has a database role of its own, put it in place of the role above. Give each machine the same ANSWERBACK_KEY. Then start it, here and on others: ${start}`
      : `Take data: out. Then start it: ${start}`;
  return `
All of it was read back and is the same. What was there is kept, and is not started any more.
Write into the settings:
${settings.map((line) => `  ${line}\n`).join("")}${more}
`;
}
