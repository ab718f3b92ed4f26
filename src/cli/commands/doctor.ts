import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { Ended, EXIT } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { plain } from "../output/plain.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

/** `doctor`: everything an answer depends on, looked at one by one. */
export function doctor(io: Io): Command {
  const command = withJson(withSettings(new Command("doctor"))).description(
    "check everything that an answer depends on, and say what mends it",
  );
  const after = "Has the platform challenge the webhook once. Exits with 3 when a check fails.";
  return withExamples(command, ["answerback doctor", "answerback doctor --json"], after).action(
    async (flags: SettingsFlags & JsonFlag) => {
      const { examine } = await import("../doctor/examine.ts");
      const { green, yellow, red, dim } = io.dataColors;
      const paint = { ok: green, warn: yellow, fail: red };
      let failed = 0;
      for await (const finding of examine(io, flags)) {
        if (finding.state === "fail") failed += 1;
        if (flags.json === true) {
          io.out(`${JSON.stringify(finding)}\n`);
          continue;
        }
        const { name, state, told, mend } = finding;
        io.out(`${paint[state](state.padEnd(6))}${name.padEnd(14)}${plain(told)}\n`);
        if (mend !== undefined) io.out(`${dim(`${" ".repeat(20)}mend it: ${plain(mend)}`)}\n`);
      }
      if (failed > 0) throw new Ended(EXIT.found);
    },
  );
}
