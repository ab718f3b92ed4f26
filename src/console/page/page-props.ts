import type { SessionAnswer } from "../operations/session.ts";

/** Properties that every page gets. */
export interface PageProps {
  readonly session: SessionAnswer;
}
