import { Argument, Command, Option } from "commander";
import { PAGES } from "../../../console/pages.ts";
import { callRuntime } from "../../../runtime/calls.ts";
import type { Answers } from "../../../runtime/vocabulary.ts";
import { UsageError } from "../../../errors.ts";
import { shell } from "../../../text/shell.ts";
import { counted } from "../../../text/counted.ts";
import { type CommonFlags, startHint, withCommonFlags } from "../../arguments/settings-flags.ts";
import { whereabouts } from "../../arguments/whereabouts.ts";
import { NotRunningError } from "../../exit-codes.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { visible } from "../../../text/unseen.ts";

interface OpenFlags extends CommonFlags {
  readonly print?: boolean;
  readonly sessions?: boolean;
  /** Id of the console session to end, or `true` to end all sessions. */
  readonly revoke?: string | true;
}

const EXAMPLES = [
  "answerback open",
  "answerback open traces",
  "answerback open --print",
  "answerback open --revoke",
];

/** `open`: opens the console of the running bot in a browser. */
export function open(io: Io): Command {
  const names = PAGES.map(({ path }) => path.slice(1));
  const command = withCommonFlags(
    new Command("open"),
    "print JSON and open nothing: a link that signs in by itself, or with --sessions one list",
  )
    .description("open the console of the running bot in a browser")
    .addArgument(new Argument("[page]", "page to open (default: conversations)").choices(names))
    .option("--print", "print the address and a code to enter there, and open nothing")
    .option("--sessions", "list the browsers that are signed in")
    .addOption(
      new Option("--revoke [id]", "sign out one browser, or all of them").conflicts([
        "print",
        "sessions",
      ]),
    );
  const after =
    "The code signs one browser in, once and within an hour; the link of --json within a minute.\n" +
    "A browser stays signed in for 30 days, until it is signed out or console.admin_token changes.";
  return withExamples(command, EXAMPLES, after).action(
    async (page: string | undefined, flags: OpenFlags) => {
      refusePage(page, flags);
      const bot = await whereabouts(io, flags);
      const { folder } = bot.store;
      const running = <T>(answer: T | undefined): T => {
        if (answer !== undefined) return answer;
        throw new NotRunningError(`no bot runs with the data folder ${folder}`, {
          hint: startHint(bot),
        });
      };
      if (flags.revoke !== undefined) {
        const ended = await callRuntime(folder, "endConsoleSessions", sessionOf(flags));
        return printEnded(io, running(ended), flags);
      }
      if (flags.sessions === true) {
        return printSessions(io, running(await callRuntime(folder, "consoleSessions", {})), flags);
      }
      const opens = flags.json !== true && flags.print !== true;
      const invited = running(
        await callRuntime(folder, "openConsole", {
          to: `/${page ?? "conversations"}`,
          file: opens,
          code: flags.json !== true,
        }),
      );
      if (invited.url === undefined) {
        throw new UsageError("the bot runs without a console", {
          hint: 'set console.listen to a place such as "127.0.0.1:8081" in the settings, and start it again',
        });
      }
      if (flags.json === true) return io.out(`${JSON.stringify({ url: invited.url })}\n`);
      io.out(consoleLines(invited));
      if (!opens || invited.file === undefined) return;
      const { openBrowser } = await import("../../login/open-browser.ts");
      await openBrowser(invited.file, io.env, new AbortController().signal);
    },
  );
}

/** Refuses a page beside a flag that opens none. */
function refusePage(page: string | undefined, { sessions, revoke }: OpenFlags): void {
  const flag = revoke === undefined ? "--sessions" : "--revoke";
  if (page === undefined || (sessions !== true && revoke === undefined)) return;
  throw new UsageError(`${flag} opens no page, and got "${page}"`, {
    hint: shell`leave out one of them: answerback open ${flag}`,
  });
}

function printSessions(io: Io, sessions: Answers["consoleSessions"], flags: OpenFlags): void {
  if (flags.json === true) return io.out(`${JSON.stringify(sessions)}\n`);
  if (sessions.length === 0) return io.out("no browser is signed in\n");
  io.out(sessions.map((session) => `${lineOf(session)}\n`).join(""));
}

function lineOf({ id, role, host, since, until, browser }: Answers["consoleSessions"][number]) {
  return `${id}  ${role.padEnd(8)}  ${host}  ${since}  until ${until}  ${visible(browser)}`;
}

/** Request to end one session, or all of them. */
function sessionOf({ revoke: id }: OpenFlags): { readonly id?: string } {
  return typeof id === "string" ? { id } : {};
}

function printEnded(io: Io, { ended }: Answers["endConsoleSessions"], flags: OpenFlags): void {
  const { revoke: id, json } = flags;
  if (ended === 0 && typeof id === "string") {
    throw new UsageError(`there is no session ${id}`, {
      hint: "list them with: answerback open --sessions",
    });
  }
  io.out(
    json === true ? `${JSON.stringify({ ended })}\n` : `signed out ${counted(ended, "browser")}\n`,
  );
}

/** Instructions for signing in to the console: an address without a secret, and a code to type there. */
function consoleLines({ page = "", code = "" }: { page?: string; code?: string }): string {
  return `${page}\ncode ${code}\n`;
}
