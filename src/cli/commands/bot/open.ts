import { Argument, Command } from "commander";
import { PAGES } from "../../../console/pages.ts";
import { callRuntime } from "../../../runtime/control/call.ts";
import { UsageError } from "../../../errors.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";
import { whereabouts } from "../../arguments/whereabouts.ts";
import { NotRunningError } from "../../exit-codes.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";

/** `open`: the console of the running bot in a browser. */
export function open(io: Io): Command {
  const names = PAGES.map(({ path }) => path.slice(1));
  const command = withCommonFlags(new Command("open"), "print the link as JSON, and open nothing")
    .description("open the console of the running bot in a browser")
    .addArgument(new Argument("[page]", "page to open").choices(names).default("chat"));
  const examples = ["answerback open", "answerback open traces", "answerback open --json"];
  const after = "The link signs one browser in, once and within a day.";
  return withExamples(command, examples, after).action(async (page: string, flags: CommonFlags) => {
    const { folder } = (await whereabouts(io, flags)).store;
    const made = await callRuntime(folder, "openConsole", {});
    if (made === undefined) {
      throw new NotRunningError(`no bot runs with the data folder ${folder}`, {
        hint: "start one with: answerback dev, or answerback run",
      });
    }
    if (made.url === undefined) {
      throw new UsageError("the bot runs without a console", {
        hint: 'set console.listen to a place such as "127.0.0.1:8081" in the settings, and start it again',
      });
    }
    const url = `${made.url}&to=/${page}`;
    if (flags.json === true) return io.out(`${JSON.stringify({ url })}\n`);
    io.out(`${url}\n`);
    const { openBrowser } = await import("../../login/open-browser.ts");
    await openBrowser(url, io.env, new AbortController().signal);
  });
}
