import { createHash, createHmac, randomBytes } from "node:crypto";
import type { SessionTokens } from "./session-tokens.ts";
import type { SessionFile, StoredSession } from "./session-file.ts";

/** Rights of a session: a reader looks, an operator also changes things. */
export type ConsoleRole = "reader" | "operator";

/** The session of one browser at one origin. */
export interface Session {
  readonly id: string;
  readonly role: ConsoleRole;
}

/** A session as lists show it. */
export interface ListedSession extends Session {
  /** Host and port of the origin that the session belongs to. */
  readonly host: string;
  /** The browser's `User-Agent`. */
  readonly browser: string;
  /** ISO 8601. */
  readonly since: string;
  /** ISO 8601. */
  readonly until: string;
}

/** Lists sessions and ends them. */
export interface SessionRegister {
  /** Open sessions, newest first. */
  list(): readonly ListedSession[];
  /** Ends one session, or all unless `id` is passed. @returns The number of sessions that were ended. */
  end(id?: string): Promise<number>;
}

/** Sessions of a console. Each has a token that its browser sends; the server stores the token's hash. */
export interface Sessions extends SessionRegister {
  begin(role: ConsoleRole, at: SessionPlace): Promise<SessionTokens>;
  /** The session of a token at this host; undefined for an unknown, ended or expired one. */
  read(token: string | undefined, host: string | undefined): Session | undefined;
  /** Replaces a session by one of an operator. @returns Undefined if the session has ended. */
  promote(session: Session): Promise<SessionTokens | undefined>;
  /** Proves to a browser that this is the console of its session, whether the session is still open or not. */
  prove(id: string, nonce: string): string;
  /** Calls `listener` when the session ends by a person's request. @returns Function that stops listening. */
  onEnd(session: Session, listener: () => void): () => void;
}

/** Origin and browser that a session is begun for. */
export type SessionPlace = Pick<StoredSession, "host" | "browser">;

/** Length of a session, in milliseconds: 30 days. */
export const SESSION_MS = 30 * 86_400_000;
/** The oldest session gives way to one more. */
const MAX_SESSIONS = 100;

/** @param port Port that the console listens on: sessions of another port are listed, and sign nobody in. */
export function openSessions(
  { secret, sessions: stored, write }: SessionFile,
  port: number,
  now: () => number,
): Sessions {
  const keyOf = (id: string): string =>
    createHmac("sha256", secret).update(`proof ${port} ${id}`).digest("hex");
  const byHash = new Map(stored.map((session) => [session.hash, session]));
  const listeners = new Map<string, Set<() => void>>();
  const save = (): Promise<void> => write([...byHash.values()]);
  const drop = (session: StoredSession): void => {
    byHash.delete(session.hash);
    for (const listener of listeners.get(session.id) ?? []) listener();
    listeners.delete(session.id);
  };
  const open = (): readonly StoredSession[] => {
    const all = [...byHash.values()];
    for (const session of all) if (session.until <= now()) drop(session);
    return [...byHash.values()];
  };
  const add = (role: ConsoleRole, { host, browser }: SessionPlace): SessionTokens => {
    const [oldest] = open();
    if (oldest !== undefined && byHash.size >= MAX_SESSIONS) drop(oldest);
    const token = randomBytes(32).toString("base64url");
    const hash = hashOf(token);
    const id = randomBytes(6).toString("hex");
    const since = now();
    byHash.set(hash, { id, hash, role, host, port, browser, since, until: since + SESSION_MS });
    return { token, proof: `${id}.${keyOf(id)}` };
  };
  return {
    async begin(role, at) {
      const tokens = add(role, at);
      await save();
      return tokens;
    },
    read(token, host) {
      const session = token === undefined ? undefined : byHash.get(hashOf(token));
      if (session === undefined || session.until <= now()) return undefined;
      if (session.host !== host || session.port !== port) return undefined;
      return { id: session.id, role: session.role };
    },
    async promote({ id }) {
      const session = open().find((one) => one.id === id);
      if (session === undefined) return undefined;
      drop(session);
      const tokens = add("operator", session);
      await save();
      return tokens;
    },
    prove: (id, nonce) => createHmac("sha256", keyOf(id)).update(nonce).digest("hex"),
    list: () =>
      open()
        .toReversed()
        .map(({ id, role, host, browser, since, until }) => ({
          id,
          role,
          host,
          browser,
          since: new Date(since).toISOString(),
          until: new Date(until).toISOString(),
        })),
    async end(id) {
      const ended = open().filter((session) => id === undefined || session.id === id);
      for (const session of ended) drop(session);
      if (ended.length > 0) await save();
      return ended.length;
    },
    onEnd({ id }, listener) {
      const all = listeners.get(id) ?? new Set();
      listeners.set(id, all.add(listener));
      return () => {
        all.delete(listener);
        if (all.size === 0) listeners.delete(id);
      };
    },
  };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
