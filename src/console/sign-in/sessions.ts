import { createHash, createHmac, randomBytes } from "node:crypto";
import type { SessionTokens } from "./session-tokens.ts";
import type { SessionFile, StoredSession } from "./session-file.ts";

/** Role of a session. A reader can only read; an operator can also make changes. */
export type ConsoleRole = "reader" | "operator";

/** The session of one browser at one origin. */
export interface Session {
  readonly id: string;
  readonly role: ConsoleRole;
}

/** A session as the list of sessions shows it. */
export interface ListedSession extends Session {
  /** Host and port of the console's address in the browser. */
  readonly host: string;
  /** The browser's `User-Agent` header. */
  readonly browser: string;
  /** Start of the session, in ISO 8601. */
  readonly since: string;
  /** End of the session, in ISO 8601. */
  readonly until: string;
}

/** Lists and ends sessions. */
export interface SessionRegister {
  /** Returns the open sessions, newest first. */
  list(): readonly ListedSession[];
  /**
   * Ends the session with this id; without an id, ends all sessions.
   *
   * @returns The number of sessions that were ended.
   * @throws {Error} if this can't be stored. The sessions have ended, but may be valid again after a restart; the next
   *   call stores their end.
   */
  end(id?: string): Promise<number>;
}

/** Sessions of a console. The browser sends the session's token; the server stores only its hash. */
export interface Sessions extends SessionRegister {
  begin(role: ConsoleRole, at: SessionPlace): Promise<SessionTokens>;
  /** Returns the session of a token at this host; undefined if the token is unknown or its session has ended. */
  read(token: string | undefined, host: string | undefined): Session | undefined;
  /**
   * Replaces a session by one with the role operator. The session is valid until the new one is stored, because tabs of
   * the browser use it meanwhile.
   *
   * @returns The new credentials; undefined if the session has ended.
   */
  promote(session: Session): Promise<SessionTokens | undefined>;
  /** Returns the HMAC of `nonce`, which proves to a browser that this server is its console, even after the session. */
  prove(id: string, nonce: string): string;
  /** Calls `listener` when the session is ended, replaced, or found expired. @returns Function that unsubscribes. */
  onEnd(session: Session, listener: () => void): () => void;
}

/** Address and browser for which a session is started. */
export type SessionPlace = Pick<StoredSession, "host" | "browser">;

/** Length of a session, in milliseconds: 30 days. */
export const SESSION_MS = 30 * 86_400_000;
/** Maximum number of open sessions. A further session ends the oldest one. */
const MAX_SESSIONS = 100;

/**
 * @param port Port of the console. Sessions of another port stay listed, but requests with them are refused.
 * @param onUnstored Called when a new session could not be stored. It is valid until the process ends.
 */
export function openSessions(
  file: SessionFile,
  port: number,
  now: () => number,
  onUnstored: (error: unknown) => void,
): Sessions {
  return new OpenSessions(file, port, now, onUnstored);
}

class OpenSessions implements Sessions {
  readonly #file: SessionFile;
  readonly #port: number;
  readonly #now: () => number;
  readonly #byHash: Map<string, StoredSession>;
  readonly #listeners = new Map<string, Set<() => void>>();
  /** Sessions that are being replaced. They are still valid, but are stored no longer. */
  readonly #replaced = new Set<StoredSession>();
  readonly #onUnstored: (error: unknown) => void;
  #isStored = true;

  constructor(
    file: SessionFile,
    port: number,
    now: () => number,
    onUnstored: (error: unknown) => void,
  ) {
    this.#file = file;
    this.#port = port;
    this.#now = now;
    this.#onUnstored = onUnstored;
    this.#byHash = new Map(file.sessions.map((session) => [session.hash, session]));
  }

  async begin(role: ConsoleRole, at: SessionPlace): Promise<SessionTokens> {
    const tokens = this.#add(role, at);
    // A person who looks for the cause of a full disk needs the console.
    await this.#save().catch(this.#onUnstored);
    return tokens;
  }

  read(token: string | undefined, host: string | undefined): Session | undefined {
    const session = token === undefined ? undefined : this.#byHash.get(hashOf(token));
    if (session === undefined || session.until <= this.#now()) return undefined;
    if (session.host !== host || session.port !== this.#port) return undefined;
    return { id: session.id, role: session.role };
  }

  async promote({ id }: Session): Promise<SessionTokens | undefined> {
    const session = this.#open().find((one) => one.id === id);
    if (session === undefined) return undefined;
    const tokens = this.#add("operator", session);
    this.#replaced.add(session);
    await this.#save().catch(this.#onUnstored);
    this.#replaced.delete(session);
    if (this.#byHash.has(session.hash)) {
      this.#drop(session);
      return tokens;
    }
    this.#byHash.delete(hashOf(tokens.token));
    await this.#save().catch(this.#onUnstored);
    return undefined;
  }

  prove(id: string, nonce: string): string {
    return createHmac("sha256", this.#keyOf(id)).update(nonce).digest("hex");
  }

  list(): readonly ListedSession[] {
    return this.#open()
      .toReversed()
      .map(({ id, role, host, browser, since, until }) => ({
        id,
        role,
        host,
        browser,
        since: new Date(since).toISOString(),
        until: new Date(until).toISOString(),
      }));
  }

  async end(id?: string): Promise<number> {
    const ended = this.#open().filter((session) => id === undefined || session.id === id);
    for (const session of ended) this.#drop(session);
    // A session whose end could not be stored would be valid again after a restart.
    if (ended.length > 0 || !this.#isStored) await this.#save();
    return ended.length;
  }

  onEnd({ id }: Session, listener: () => void): () => void {
    const all = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, all.add(listener));
    return () => {
      all.delete(listener);
      if (all.size === 0) this.#listeners.delete(id);
    };
  }

  #keyOf(id: string): string {
    return createHmac("sha256", this.#file.secret)
      .update(`proof ${this.#port} ${id}`)
      .digest("hex");
  }

  async #save(): Promise<void> {
    try {
      await this.#file.write([...this.#byHash.values()].filter((one) => !this.#replaced.has(one)));
      this.#isStored = true;
    } catch (error) {
      this.#isStored = false;
      throw error;
    }
  }

  #drop(session: StoredSession): void {
    this.#byHash.delete(session.hash);
    for (const listener of this.#listeners.get(session.id) ?? []) listener();
    this.#listeners.delete(session.id);
  }

  /** Removes expired sessions. @returns The remaining sessions, oldest first. */
  #open(): readonly StoredSession[] {
    for (const session of this.#byHash.values()) {
      if (session.until <= this.#now()) this.#drop(session);
    }
    return [...this.#byHash.values()];
  }

  #add(role: ConsoleRole, { host, browser }: SessionPlace): SessionTokens {
    const [oldest] = this.#open();
    if (oldest !== undefined && this.#byHash.size >= MAX_SESSIONS) this.#drop(oldest);
    const token = randomBytes(32).toString("base64url");
    const hash = hashOf(token);
    const id = randomBytes(6).toString("hex");
    const since = this.#now();
    const until = since + SESSION_MS;
    this.#byHash.set(hash, { id, hash, role, host, port: this.#port, browser, since, until });
    return { token, proof: `${id}.${this.#keyOf(id)}` };
  }
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
