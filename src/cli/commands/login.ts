import { Command } from "commander";
import { endingItself } from "../ending.ts";
import { withExamples } from "../examples.ts";
import { Ended, EXIT } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { count, seconds } from "../numbers.ts";
import { printRecord } from "../output/print.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

export interface LoginFlags extends SettingsFlags, JsonFlag {
  readonly pin?: boolean;
  readonly open: boolean;
  readonly port: number;
  readonly callback?: string;
  readonly username?: string;
  readonly wait: number;
}

/** Port of the callback; the app's allowlist needs an address that stays the same. */
const CALLBACK_PORT = 8765;

/** `login`: an account's owner signs in at the platform, and the bot may act for it. */
export function login(io: Io): Command {
  const command = withJson(withSettings(new Command("login")), "as JSON")
    .description("link an account: its owner signs in at the platform and approves")
    .option("--pin", "for a machine without a browser: the owner types a PIN in")
    .option("--no-open", "print the address, open no browser")
    .option(
      "--port <port>",
      "of the callback on 127.0.0.1; 0 takes a free one",
      count,
      CALLBACK_PORT,
    )
    .option(
      "--callback <url>",
      "public address that leads to that port, where the allowlist has one",
    )
    .option("--username <handle>", "filled in at the platform's page")
    .option("--wait <seconds>", "how long to wait for the owner", seconds, 600);
  const examples = [
    "answerback login",
    "answerback login --no-open --port 0",
    "answerback login --pin",
  ];
  const after =
    `The app's callback allowlist must hold http://127.0.0.1:${CALLBACK_PORT}/callback (or --callback). On the\n` +
    "sandbox it is added by itself, and everybody's password is: password";
  return endingItself(withExamples(command, examples, after)).action(async (flags: LoginFlags) => {
    const { onTarget } = await import("../target/target.ts");
    const { logIn } = await import("../login/log-in.ts");
    const linked = await onTarget(io, flags, (target) => logIn(io, target, flags));
    if (linked === undefined) throw new Ended(EXIT.interrupted);
    printRecord(io, flags.json, linked, [
      ["linked", `@${linked.username}`],
      ["id", linked.id],
      ["may", linked.access_level],
    ]);
    if (flags.json !== true) io.err(`${linked.next}\n`);
  });
}
