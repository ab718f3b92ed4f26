import pg from "pg";
import { messageOf } from "../../../system/error-message.ts";
import { mayAskForPassword } from "../../../system/postgres-url.ts";
import { StoreError } from "../errors.ts";
import { isBroken, isConflict, storeErrorOf } from "./faults.ts";
import { ScramClient } from "./scram-client.ts";

/** Options of the connections to a database. */
export interface DatabaseOptions {
  /** Maximum number of connections, 2 or more. Default: 10. */
  readonly pool?: number | undefined;
  /** Milliseconds after which the server cancels a statement. Default: 30,000. */
  readonly statementTimeoutMs?: number | undefined;
  /** Maximum milliseconds for opening a connection. Default: 5,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Application name that the server shows for each connection. */
  readonly name?: string | undefined;
  /** Whether the connections are read-only, so that the server refuses all changes. */
  readonly readOnly?: boolean | undefined;
  /** Called when a store is opened, with each risky setting of the server that is not refused. */
  readonly onRisk?: ((risk: ServerRisk) => void) | undefined;
  /** Called with each statement that is sent to the server, for measurements. */
  readonly onStatement?: ((text: string) => void) | undefined;
}

/** Setting of the server or database under which it can lose, damage or refuse data. */
export interface ServerRisk {
  readonly message: string;
  readonly hint: string;
  /** Whether a bot refuses to start with this setting. */
  readonly isRefused: boolean;
}

/** Executor of SQL statements: a transaction, or the database outside transactions. */
export interface Statements {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** Connection that receives notifications, outside the pool. */
export interface ListeningClient {
  close(): Promise<void>;
}

/** Callbacks of {@link PostgresDatabase.listen}. */
export interface ChannelListener {
  readonly onNotification: (channel: string, payload: string | undefined) => void;
  /** Called when the connection has ended. */
  readonly onEnd: () => void;
}

/** Transaction that the server has begun. */
interface Begun {
  /** Id of the transaction, which the server knows even after the connection is lost. */
  readonly number: string;
  /** Time at which the server started. After a failover, another server has another time. */
  readonly server: string;
}

/** Connection pool of one database. */
export class PostgresDatabase implements Statements {
  readonly #pool: pg.Pool;
  readonly #client: pg.ClientConfig & { readonly Client: typeof pg.Client; readonly max: number };
  #closed = false;
  /** Names of prepared statements, by their text. */
  readonly #names = new Map<string, string>();
  readonly #onStatement: DatabaseOptions["onStatement"];

  /** @param url `postgres://…`, as PostgreSQL's own tools read it. */
  constructor(url: string, options: DatabaseOptions = {}) {
    const { pool = 10, statementTimeoutMs = 30_000, connectTimeoutMs = 5_000 } = options;
    this.#onStatement = options.onStatement;
    // PgBouncer refuses timeouts in the startup message, so each session sets them.
    const settings = [SESSION, `SET statement_timeout = ${statementTimeoutMs}`]
      .concat(options.readOnly === true ? [READ_ONLY] : [])
      .join("; ");
    this.#client = {
      Client: mayAskForPassword(url) ? pg.Client : ScramClient,
      max: pool,
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      // An unreachable server cannot report its own timeout, so the client has one as well.
      query_timeout: statementTimeoutMs + connectTimeoutMs,
      keepAlive: true,
      application_name: options.name ?? "answerback",
    };
    this.#pool = new pg.Pool({
      ...this.#client,
      // Notifications need a connection of their own.
      max: Math.max(2, pool - 1),
      verify: (client, done) => void prepareSession(client, settings, done),
      types: {
        getTypeParser: (oid, format) => numbersFor(oid) ?? pg.types.getTypeParser(oid, format),
      },
    });
    // An idle connection that ends is replaced when one is needed, so its error is ignored.
    this.#pool.on("error", () => {});
  }

  /**
   * Runs one statement as a separate transaction.
   *
   * @throws {StoreError} With code `store-io` the statement may have been committed; with other codes it was not.
   */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    for (let tries = 1; ; tries += 1) {
      this.#onStatement?.(text);
      const client = await this.#connect();
      try {
        const { rows } = await client.query(this.#named(text, values));
        client.release();
        return rows;
      } catch (error) {
        client.release(isBroken(error));
        if (!isConflict(error) || tries === MAX_TRIES) throw storeErrorOf(error);
      }
    }
  }

  /**
   * Runs `work` in one transaction. Retries it from the beginning after a conflict with other transactions.
   *
   * If the connection is lost during the commit, the server is asked whether it committed, so that the caller gets the
   * true outcome.
   *
   * @throws {StoreError} Nothing was committed. Only with code `store-io` the outcome may be unknown, if the server
   *   could not be asked.
   */
  async transaction<T>(work: (tx: Statements) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (!isConflict(error) || tries === MAX_TRIES) throw storeErrorOf(error);
      }
    }
  }

  async #attempt<T>(work: (tx: Statements) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let begun: Begun;
    let result: T;
    try {
      begun = await this.#begin(client);
      result = await work({
        query: async <Row>(text: string, values: readonly unknown[] = []) => {
          this.#onStatement?.(text);
          const { rows } = await client.query(this.#named(text, values));
          return rows as readonly Row[];
        },
      });
    } catch (error) {
      await this.#giveUp(client, error);
      throw error;
    }
    try {
      this.#onStatement?.("COMMIT");
      await client.query("COMMIT");
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      if (isBroken(error) && (await this.#wasKept(begun))) return result;
      throw error;
    }
  }

  /**
   * Returns a statement with a name if it has values, so that each connection plans it once. Most statements repeat with
   * the same text. Texts that are composed of many parts vary, so only the first {@link MAX_NAMES} texts get a name.
   */
  #named(text: string, values: readonly unknown[]): pg.QueryConfig {
    if (values.length === 0) return { text };
    const name = this.#names.get(text) ?? this.#newName(text);
    return { ...(name !== undefined && { name }), text, values: [...values] };
  }

  #newName(text: string): string | undefined {
    if (this.#names.size >= MAX_NAMES) return undefined;
    const name = `answerback-${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  async #begin(client: pg.PoolClient): Promise<Begun> {
    this.#onStatement?.(BEGIN);
    const results: unknown = await client.query(BEGIN);
    const result: unknown = Array.isArray(results) ? results[1] : undefined;
    const [row] = (result as pg.QueryResult<Begun> | undefined)?.rows ?? [];
    if (row === undefined) throw new Error("the database server did not begin a transaction");
    return row;
  }

  async #giveUp(client: pg.PoolClient, error: unknown): Promise<void> {
    if (isBroken(error)) {
      client.release(true);
      return;
    }
    try {
      await client.query("ROLLBACK");
      client.release();
    } catch {
      // The server rolls back the transaction when its connection ends.
      client.release(true);
    }
  }

  /**
   * Asks the server whether a transaction was committed.
   *
   * @throws {StoreError} `store-io` if the server can't be asked, was replaced or restarted, or the transaction stays in
   *   progress.
   */
  async #wasKept({ number, server }: Begun): Promise<boolean> {
    for (let polls = 0; polls < MAX_POLLS; polls += 1) {
      const [row] = await this.query<{ status: string | null }>(STATUS, [number, server]);
      if (row?.status === "committed") return true;
      if (row?.status === OTHER_SERVER) break;
      if (row?.status !== "in progress") return false;
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
    throw new StoreError("store-io", "unknown whether the database committed the last change");
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#closed) throw new StoreError("store-closed", "the store is closed");
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw storeErrorOf(error);
    }
  }

  /**
   * Opens a connection that receives the notifications of these channels.
   *
   * @throws {StoreError} also if the maximum number of connections leaves none for notifications.
   */
  async listen(
    channels: readonly string[],
    { onNotification, onEnd }: ChannelListener,
  ): Promise<ListeningClient> {
    const { Client, max, ...config } = this.#client;
    if (max < 3) throw new StoreError("store-io", "no connection is left for notifications");
    const client = new Client(config);
    client.on("error", () => {});
    client.on("notification", ({ channel, payload }) => onNotification(channel, payload));
    client.on("end", onEnd);
    const close = (): Promise<void> => client.end().catch(() => {});
    try {
      await client.connect();
      const texts = channels.map((channel) => `LISTEN ${pg.escapeIdentifier(channel)}`);
      this.#onStatement?.(texts.join("; "));
      await client.query(texts.join("; "));
      return { close };
    } catch (error) {
      void close();
      throw storeErrorOf(error);
    }
  }

  /** Waits until all running statements have ended, then closes the connections. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pool.end();
  }
}

/**
 * Changes the settings of a new connection's session.
 *
 * @param settings Statements that change the settings.
 * @param done Called at the end, with an error if the session's commits would not survive a crash of the server.
 */
async function prepareSession(
  client: pg.PoolClient,
  settings: string,
  done: (error?: Error) => void,
): Promise<void> {
  // A broken connection reports its error to the waiting caller. Without a listener the event would end the process.
  client.on("error", () => {});
  const statements = [settings, COMMITS, "SHOW synchronous_commit"];
  try {
    const results: unknown = await client.query(statements.join("; "));
    const last: unknown = Array.isArray(results) ? results.at(-1) : undefined;
    const [row] = (last as pg.QueryResult<{ synchronous_commit: string }> | undefined)?.rows ?? [];
    done(row === undefined || row.synchronous_commit === "off" ? uncommitted() : undefined);
  } catch (error) {
    done(error instanceof Error ? error : new Error(messageOf(error)));
  }
}

function uncommitted(): StoreError {
  return new StoreError(
    "store-io",
    "the database does not allow synchronous_commit = on for this session, so a crash could lose acknowledged events",
    { hint: "connect to the server itself, or to a pooler that lets sessions change the setting" },
  );
}

/** Statement that changes `synchronous_commit` of a session from `off` to `on`, since a crash would lose commits. */
const COMMITS =
  "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";
/**
 * Forces index access for every statement. Some tables fill and empty within a second, so that the planner's statistics
 * are outdated. The planner would take such tables for small, and read them whole.
 */
const ACCESS = ["seqscan", "hashjoin", "mergejoin", "bitmapscan"]
  .map((way) => `SET enable_${way} = off`)
  .concat("SET jit = off")
  .join("; ");
/** Milliseconds after which the server aborts an idle transaction, which blocks others. Shorter than a lease. */
const IDLE_IN_TRANSACTION_MS = 5_000;
/** Transactions read what was committed while they waited for a lock, whatever isolation the administrator has set. */
const SESSION = `${ACCESS}; SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; SET default_transaction_isolation = 'read committed'`;
const READ_ONLY = "SET default_transaction_read_only = on";
/** Maximum number of attempts of a transaction that conflicts with other transactions. */
const MAX_TRIES = 10;
const MAX_NAMES = 200;
const STARTED_AT = "extract(epoch FROM pg_postmaster_start_time())::text";
const BEGIN = `BEGIN; SELECT pg_current_xact_id()::text AS number, ${STARTED_AT} AS server`;
const OTHER_SERVER = "other server";
/** A standby that took over may have given the number of a transaction that it never received to another one. */
const STATUS = `SELECT CASE WHEN ${STARTED_AT} = $2 THEN pg_xact_status($1::xid8) ELSE '${OTHER_SERVER}' END AS status`;
const MAX_POLLS = 50;
const ASK_AGAIN_MS = 100;

/** Parses `bigint` and `numeric` as numbers: ids and milliseconds are far below 2^53. */
function numbersFor(oid: number): ((text: string) => number) | undefined {
  return oid === 20 || oid === 1700 ? Number : undefined;
}

/** @throws {StoreError} `store-url` if the address can't be parsed. */
export function checkUrl(url: string): void {
  try {
    void new URL(url);
  } catch (error) {
    throw new StoreError("store-url", `store: can't be read as an address: ${messageOf(error)}`, {
      cause: error,
      hint: "write it as postgres://USER@HOST:5432/DATABASE",
    });
  }
}
