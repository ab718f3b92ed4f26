import type { SessionAnswer } from "../operations/session.ts";

/** What each page gets. */
export interface PageProps {
  readonly session: SessionAnswer;
}
