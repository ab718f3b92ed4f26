import { withSameSettings } from "../../output/same-settings.ts";
import { Command } from "commander";
import { withExamples } from "../../help/examples.ts";
import { ExitError, EXIT } from "../../exit-codes.ts";
import type { Finding } from "../../doctor/finding.ts";
import { CALLBACK_URL } from "../../live/portal.ts";
import type { Io } from "../../io.ts";
import { visible } from "../../../text/unseen.ts";
import { wrap } from "../../output/wrap.ts";
import { address, callbackUrl } from "../../arguments/ports.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";
import type { Listen } from "../../../config/settings.ts";

interface DoctorFlags extends CommonFlags {
  readonly live?: boolean;
  readonly callback: string;
  readonly connectTo?: Listen;
}

/** `doctor`: checks everything that the bot depends on. */
export function doctor(io: Io): Command {
  const command = withCommonFlags(new Command("doctor"))
    .description("check everything the bot depends on, and show how to fix what fails")
    .option("--callback <url>", "live: the callback that login uses", callbackUrl, CALLBACK_URL)
    .option(
      "--connect-to <host:port>",
      "live: connect to this host instead of the one that the public address resolves to",
      address,
    );
  const after = `The platform challenges the webhook once. Exits with 3 if a check fails.

With --live it goes the way to the live platform step by step: answerback doctor --live
While the bot does not run it answers the challenge in its place, and it
registers the webhook where the platform has none.`;
  return withExamples(command, ["answerback doctor", "answerback doctor --json"], after).action(
    async (flags: DoctorFlags) => {
      let failed = 0;
      const tell = (finding: Finding): void => {
        if (finding.state === "fail") failed += 1;
        const { fix } = finding;
        const shownFinding =
          fix === undefined ? finding : { ...finding, fix: withSameSettings(fix, flags) };
        io.out(
          flags.json === true
            ? `${JSON.stringify(jsonFinding(shownFinding))}\n`
            : lines(io, shownFinding),
        );
      };
      const { jsonFinding } = await import("../../doctor/finding.ts");
      if (flags.live === true) {
        const { runLiveChecks } = await import("../../doctor/live/run-live-checks.ts");
        await runLiveChecks(io, flags, tell);
      } else {
        const { runChecks } = await import("../../doctor/run-checks.ts");
        for await (const finding of runChecks(io, flags)) tell(finding);
      }
      if (failed > 0) throw new ExitError(EXIT.problems);
    },
  );
}

const MESSAGE_AT = 20;
const DETAIL_AT = 6;

function lines(io: Io, { name, state, message, fix, details = [] }: Finding): string {
  const { green, yellow, red, dim } = io.dataColors;
  const paint = { ok: green, warn: yellow, fail: red };
  const head = `${paint[state](state.padEnd(6))}${name.padEnd(14)}`;
  return [
    head + fitted(io, message, MESSAGE_AT, MESSAGE_AT),
    ...details.map((line) => dim(" ".repeat(DETAIL_AT) + fitted(io, line, DETAIL_AT, 18))),
    ...(fix === undefined
      ? []
      : [dim(`${" ".repeat(MESSAGE_AT)}${fitted(io, `fix: ${fix}`, MESSAGE_AT, 25)}`)]),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/**
 * Wraps a text that begins at column `from` to the terminal's width. A `fix:` with a command to paste stays on one
 * line.
 */
function fitted({ width }: Io, text: string, from: number, further: number): string {
  const shown = visible(text);
  if (width === undefined || /^fix: (answerback|chmod) /.test(shown)) return shown;
  return wrap(shown, width - Math.max(from, further)).join(`\n${" ".repeat(further)}`);
}
