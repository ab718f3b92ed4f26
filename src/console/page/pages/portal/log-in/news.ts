import type { LogInDone } from "../../../../operations/log-in-tester.ts";

/** What the tab that the platform led back to tells the tab that began the log-in. */
export interface LogInNews {
  readonly requestToken: string;
  readonly verifier?: string;
  readonly done?: LogInDone;
  /** Why there is no access token. */
  readonly failed?: string;
}

const NAME = "answerback-log-in";

export function tellNews(news: LogInNews): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(news);
  channel.close();
}

/** Calls `listener` with what other tabs tell. Returns what ends that. */
export function followNews(listener: (news: LogInNews) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.addEventListener("message", ({ data }: MessageEvent<LogInNews>) => listener(data));
  return () => channel.close();
}
