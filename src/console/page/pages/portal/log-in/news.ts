import type { LogInDone } from "../../../../operations/log-in-tester.ts";

/** Result of a log-in, sent from the tab with the callback page to the tab that started the log-in. */
export interface LogInNews {
  readonly requestToken: string;
  readonly verifier?: string;
  readonly done?: LogInDone;
  /** Reason why the log-in failed; absent if it succeeded. */
  readonly failed?: string;
}

const NAME = "answerback-log-in";

export function tellNews(news: LogInNews): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(news);
  channel.close();
}

/** Calls `listener` with results that other tabs send. @returns Function that unsubscribes. */
export function followNews(listener: (news: LogInNews) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.addEventListener("message", ({ data }: MessageEvent<LogInNews>) => listener(data));
  return () => channel.close();
}
