import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { compile, type SourceFile } from "../../../rules/compile.ts";
import { startThread } from "../../../system/start-thread.ts";
import type { SideNews } from "./entry-answers.ts";
import { entriesIn, type JournalPage } from "./journal-page.ts";
import { RulesInTime } from "./rules-in-time.ts";

/** A set of rules as plain data, which a thread can receive. */
export interface SideRules {
  readonly files: readonly SourceFile[];
  /** Handles of the accounts, by id. */
  readonly usernames: Readonly<Record<string, string>>;
}

/** A set of rules that processes the journal. */
export interface Side {
  /** Processes the next entries; may be called before earlier pages are done. */
  take(page: JournalPage): Promise<SideNews>;
  /** Ends the replay of the journal. */
  finish(): Promise<SideNews>;
  close(): Promise<void>;
}

/** Message to a side in a thread: the next entries, or `end`. */
export type ToSide = JournalPage | "end";

/** Message from a side in a thread. */
export type FromSide = { readonly news: SideNews } | { readonly error: string };

/** Processes entries in this thread: for a journal so short that a thread would start too late. */
export function sideHere(rules: SideRules): Side {
  const work = workOf(rules);
  return { take: work, finish: () => work("end"), close: async () => {} };
}

/** Returns a function that processes pages through `rules`, one after the other. */
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

/** Processes entries in a separate thread. */
export function sideInThread(rules: SideRules): Side {
  const worker = startThread(new URL("./side-thread", import.meta.url), { workerData: rules });
  const waiting: Waiting[] = [];
  const fail = (error: Error): void => {
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
      waiting.push({ resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(what);
    });
  return { take: ask, finish: () => ask("end"), close: () => ended(worker) };
}

interface Waiting {
  readonly resolve: (news: SideNews) => void;
  readonly reject: (error: Error) => void;
}

async function ended(worker: Worker): Promise<void> {
  const exit = once(worker, "exit");
  worker.removeAllListeners("error");
  await worker.terminate();
  await exit;
}
