import { Command } from "commander";
import { withGracefulStop } from "../../graceful-stop.ts";
import { withExamples } from "../../help/examples.ts";
import { ExitError, EXIT } from "../../exit-codes.ts";
import { withTarget } from "../../target/target-flags.ts";
import type { Io } from "../../io.ts";
import { CALLBACK_PORT, CALLBACK_URL } from "../../live/portal.ts";
import type { LoginOptions } from "../../login/log-in.ts";
import { positiveSeconds } from "../../arguments/numbers.ts";
import { callbackUrl, port } from "../../arguments/ports.ts";
import { printRecord } from "../../output/print.ts";
import { withCommonFlags, wholeHandle } from "../../arguments/settings-flags.ts";

/** `login`: links a bot account. The account's owner signs in to the platform and approves the app. */
export function login(io: Io): Command {
  const command = withCommonFlags(new Command("login"), "print JSON")
    .description("link a bot account: its owner signs in to the platform and approves the app")
    .option("--pin", "use a PIN that the owner types, for a machine without a browser")
    .option("--no-open", "only print the address, do not open a browser")
    .option(
      "--port <port>",
      "port of the callback on 127.0.0.1; 0 for any free one",
      port,
      CALLBACK_PORT,
    )
    .option(
      "--callback <url>",
      "public URL on the app's allowlist that forwards to that port",
      callbackUrl,
    )
    .option("--username <handle>", "handle to fill in on the platform's page", wholeHandle)
    .option("--wait <seconds>", "time to wait for the approval", positiveSeconds, 600);
  const examples = [
    "answerback login",
    "answerback login --no-open --port 0",
    "answerback login --pin",
  ];
  const after =
    `The app's callback allowlist must contain ${CALLBACK_URL} (or --callback). On the\n` +
    "sandbox it is added automatically, and every user's password is: password";
  return withGracefulStop(withExamples(command, examples, after)).action(
    async (flags: LoginOptions) => {
      const { logIn } = await import("../../login/log-in.ts");
      const linked = await withTarget(io, flags, (target) => logIn(io, target, flags));
      if (linked === undefined) throw new ExitError(EXIT.interrupted);
      printRecord(io, flags.json, linked, [
        ["linked", `@${linked.username}`],
        ["id", linked.id],
        ["may", linked.access_level],
      ]);
      if (flags.json !== true) io.err(`${linked.next}\n`);
    },
  );
}
