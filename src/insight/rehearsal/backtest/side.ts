import { compile, type SourceFile } from "../../../rules/compile.ts";
import { startThread } from "../../../system/start-thread.ts";
import type { SideNews } from "./entry-answers.ts";
import { entriesIn, type JournalPage } from "./journal-page.ts";
import { RulesInTime } from "./rules-in-time.ts";

/** A set of rules as plain data, which can be posted to a worker thread. */
export interface SideRules {
  readonly files: readonly SourceFile[];
  /** Handles of the bot accounts, by user id. */
  readonly usernames: Readonly<Record<string, string>>;
}

/** A set of rules in a backtest, which processes the journal. */
export interface Side {
  /** Processes the next entries. May be called again before the promise of an earlier page has resolved. */
  take(page: JournalPage): Promise<SideNews>;
  /** Ends the replay of the journal: the timers of waiting runs fall due. */
  finish(): Promise<SideNews>;
  close(): Promise<void>;
}

/** Message to the worker thread of a set of rules: the next entries, or `end`. */
export type ToSide = JournalPage | "end";

/** Message from the worker thread of a set of rules. */
export type FromSide = { readonly news: SideNews } | { readonly error: string };

/** Processes entries in the current thread. For short journals, this is faster than starting a worker thread. */
export function sideHere(rules: SideRules): Side {
  const work = workOf(rules);
  return { take: work, finish: () => work("end"), close: async () => {} };
}

/** Returns a function that runs pages of entries through `rules`, one page after the other. */
export function workOf({ files, usernames }: SideRules): (next: ToSide) => Promise<SideNews> {
  const { ruleset } = compile(files);
  const rules = new RulesInTime({ ruleset, usernameOf: (account) => usernames[account] ?? "" });
  let turn: Promise<unknown> = Promise.resolve();
  return (page) => {
    const done = turn.then(() => put(page, rules));
    turn = done.catch(() => {});
    return done;
  };
}

async function put(page: ToSide, rules: RulesInTime): Promise<SideNews> {
  if (page === "end") await rules.finish();
  else for (const entry of entriesIn(page)) await rules.take(entry);
  return rules.news();
}

/** Processes entries in a new worker thread. */
export function sideInThread(rules: SideRules): Side {
  const worker = startThread(new URL("./side-thread", import.meta.url), { workerData: rules });
  const waiting: Waiting[] = [];
  let death: Error | undefined;
  const fail = (error: Error): void => {
    death ??= error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on("message", (answer: FromSide) => {
    const next = waiting.shift();
    if ("error" in answer) next?.reject(new Error(answer.error));
    else next?.resolve(answer.news);
  });
  worker.on("error", fail);
  worker.on("exit", () => fail(new Error("the thread of a backtest has ended")));
  const ask = (what: ToSide): Promise<SideNews> =>
    new Promise((resolve, reject) => {
      if (death !== undefined) return reject(death);
      waiting.push({ resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(what);
    });
  return {
    take: ask,
    finish: () => ask("end"),
    close: async () => void (await worker.terminate()),
  };
}

interface Waiting {
  readonly resolve: (news: SideNews) => void;
  readonly reject: (error: Error) => void;
}
