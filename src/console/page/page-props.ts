import type { SessionAnswer } from "../operations/session.ts";

/** Properties of each page. */
export interface PageProps {
  readonly session: SessionAnswer;
}
