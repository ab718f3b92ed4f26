import { randomBytes } from "node:crypto";
import type { ConsoleKeys } from "./console-keys.ts";

/** What who is signed in may do: look, or change things, too. */
export type ConsoleRole = "reader" | "operator";

/** Who is signed in: one browser. */
export interface Session {
  readonly id: string;
  readonly role: ConsoleRole;
}

/** Signs browsers in: by a link that works once, then by a cookie. */
export interface Sessions {
  /** A token that can be exchanged for a session, once and within a day. */
  link(role: ConsoleRole): string;
  /** The cookie's text for a link's token; undefined for one that was used, has ended or was made up. */
  exchange(token: string): Promise<string | undefined>;
  /** The cookie's text for a browser that may do more from now on. */
  promoted(session: Session): string;
  /** The session of a cookie's text; undefined where there is none any more. */
  read(cookie: string | undefined): Session | undefined;
  /** What a session's page sends with every command, besides the cookie: pages of others don't know it. */
  commandToken(session: Session): string;
}

const DAY_MS = 86_400_000;
const LINK_MS = DAY_MS;
/** How long a cookie holds, in milliseconds. */
export const SESSION_MS = 30 * DAY_MS;

/** Sessions that live in sealed cookies: nothing is kept of them here. */
export function openSessions(keys: ConsoleKeys, now: () => number): Sessions {
  const read = (kind: string, sealed: string): Session | undefined => {
    const [what, role, id = "", until = ""] = keys.open(sealed)?.split(".") ?? [];
    if (what !== kind || (role !== "reader" && role !== "operator")) return undefined;
    return now() < Number(until) ? { id, role } : undefined;
  };
  const cookie = (role: ConsoleRole): string =>
    keys.seal(["session", role, freshId(), now() + SESSION_MS].join("."));
  return {
    link: (role) => keys.seal(["link", role, freshId(), now() + LINK_MS].join(".")),
    async exchange(token) {
      const link = read("link", token);
      if (link === undefined || !(await keys.use(link.id, now() + LINK_MS))) return undefined;
      return cookie(link.role);
    },
    promoted: () => cookie("operator"),
    read: (sealed) => (sealed === undefined ? undefined : read("session", sealed)),
    commandToken: ({ id, role }) => keys.seal(`command.${role}.${id}`).split(".").at(-1) ?? "",
  };
}

function freshId(): string {
  return randomBytes(12).toString("base64url");
}
