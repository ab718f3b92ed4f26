import pg from "pg";
import { messageOf } from "../../../system/error-message.ts";
import { mayAskForPassword } from "../../../system/postgres-url.ts";
import { StoreError } from "../errors.ts";
import { isBroken, isConflict, storeErrorOf } from "./faults.ts";
import { ScramClient } from "./scram-client.ts";

/** How the database is reached, beyond where it is. */
export interface DatabaseOptions {
  /** Connections at most, 2 or more; 10 unless said. */
  readonly pool?: number | undefined;
  /** Milliseconds after which the server gives a statement up; 30,000 unless said. */
  readonly statementTimeoutMs?: number | undefined;
  /** Milliseconds that a connection may take to be made; 5,000 unless said. */
  readonly connectTimeoutMs?: number | undefined;
  /** Shown by the server among its connections. */
  readonly name?: string | undefined;
  /** Nothing is changed: the server refuses it. */
  readonly readOnly?: boolean | undefined;
  /** Called at the start with each risk of the server's settings that refuses nothing. */
  readonly onRisk?: ((risk: ServerRisk) => void) | undefined;
  /** Called with each statement that goes to the server: for measurements. */
  readonly onStatement?: ((text: string) => void) | undefined;
}

/** A setting of the server under which a crash of its machine can lose or damage what was acknowledged. */
export interface ServerRisk {
  readonly message: string;
  readonly hint: string;
  /** Whether no bot starts on such a server. */
  readonly isRefused: boolean;
}

/** What statements are given to: a transaction, or the database outside of any. */
export interface Statements {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** The connections to one database. */
export class PostgresDatabase implements Statements {
  readonly #pool: pg.Pool;
  #closed = false;
  /** Of statements, by their text. */
  readonly #names = new Map<string, string>();
  readonly #onStatement: DatabaseOptions["onStatement"];

  /** @param url `postgres://…`, as PostgreSQL's own tools read it. */
  constructor(url: string, options: DatabaseOptions = {}) {
    const { pool = 10, statementTimeoutMs = 30_000, connectTimeoutMs = 5_000 } = options;
    this.#onStatement = options.onStatement;
    this.#pool = new pg.Pool({
      Client: mayAskForPassword(url) ? pg.Client : ScramClient,
      connectionString: url,
      max: Math.max(2, pool),
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      // The server may be out of reach, and then says nothing of its own time-out.
      query_timeout: statementTimeoutMs + connectTimeoutMs,
      // Who stands still within a transaction must not hold others up for longer than a lease lasts.
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      keepAlive: true,
      application_name: options.name ?? "answerback",
      verify: (client, done) => void prepareSession(client, options.readOnly === true, done),
      types: {
        getTypeParser: (oid, format) => numbersFor(oid) ?? pg.types.getTypeParser(oid, format),
      },
    });
    // A connection that ends while nobody uses it is made anew when it is needed.
    this.#pool.on("error", () => {});
  }

  /**
   * One statement, in a transaction of its own.
   *
   * @throws {StoreError} after which it may have been kept where the code is `store-io`.
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
        if (!isConflict(error) || tries === MOST_TRIES) throw storeErrorOf(error);
      }
    }
  }

  /**
   * Does `work` in one transaction, and again from its beginning where others were in its way.
   *
   * When the connection is lost while the transaction is being kept, the server is asked whether it was, so that
   * whoever called is told what is so.
   *
   * @throws {StoreError} after which nothing of it is kept; where the code is `store-io` it may be, if the server
   *   could not be asked.
   */
  async transaction<T>(work: (tx: Statements) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (!isConflict(error) || tries === MOST_TRIES) throw storeErrorOf(error);
      }
    }
  }

  async #attempt<T>(work: (tx: Statements) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let number: string;
    let result: T;
    try {
      number = await this.#begin(client);
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
      if (isBroken(error) && (await this.#wasKept(number))) return result;
      throw error;
    }
  }

  /**
   * A statement with values under a name, by which each connection plans it once. What is asked is mostly asked again,
   * in the same words; of what is put together of many parts, so many are named as come first.
   */
  #named(text: string, values: readonly unknown[]): pg.QueryConfig {
    if (values.length === 0) return { text };
    const name = this.#names.get(text) ?? this.#newName(text);
    return { ...(name !== undefined && { name }), text, values: [...values] };
  }

  #newName(text: string): string | undefined {
    if (this.#names.size >= MOST_NAMES) return undefined;
    const name = `answerback-${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /** @returns The number under which the server knows the transaction, also after the connection is lost. */
  async #begin(client: pg.PoolClient): Promise<string> {
    this.#onStatement?.(BEGIN);
    const results: unknown = await client.query(BEGIN);
    const told: unknown = Array.isArray(results) ? results[1] : undefined;
    const [row] = (told as pg.QueryResult<{ number: string }> | undefined)?.rows ?? [];
    if (row === undefined) throw new Error("the server began no transaction");
    return row.number;
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
      // The server rolls back what its connection has left.
      client.release(true);
    }
  }

  /** @throws {StoreError} `store-io` when the server can't be asked. */
  async #wasKept(number: string): Promise<boolean> {
    for (let asked = 0; asked < MOST_ASKED; asked += 1) {
      const [told] = await this.query<{ status: string | null }>(
        "SELECT pg_xact_status($1::xid8) AS status",
        [number],
      );
      if (told?.status === "committed") return true;
      if (told?.status !== "in progress") return false;
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
    throw new StoreError(
      "store-io",
      "it is not known whether the database has kept the last change",
    );
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#closed) throw new StoreError("store-closed", "the store is closed");
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw storeErrorOf(error);
    }
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pool.end();
  }
}

/**
 * Readies a new connection.
 *
 * @param done Called at the end; with an error when its commits would not outlive a crash.
 */
async function prepareSession(
  client: pg.PoolClient,
  readOnly: boolean,
  done: (error?: Error) => void,
): Promise<void> {
  // A connection that breaks reports it to the caller that waits; without a listener it would end the process.
  client.on("error", () => {});
  const statements = [ACCESS, COMMITS, ...(readOnly ? [READ_ONLY] : []), "SHOW synchronous_commit"];
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
    "the database keeps synchronous_commit = off for this session, so a crash loses acknowledged events",
    { hint: "name the server itself, or a pooler that lets sessions change the setting" },
  );
}

/** A crash takes what was committed with `off`, so the session's own setting wins; stricter and local ones stay. */
const COMMITS =
  "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";
/**
 * Every statement finds its rows by an index. Small tables that fill and empty within a second look to the server as if
 * reading them whole were cheaper, by what it counted of them some time ago.
 */
const ACCESS = ["seqscan", "hashjoin", "mergejoin", "bitmapscan"]
  .map((way) => `SET enable_${way} = off`)
  .concat("SET jit = off")
  .join("; ");
const READ_ONLY = "SET default_transaction_read_only = on";
/** The server gives up a transaction that its process has left standing: shorter than a lease lasts. */
const IDLE_IN_TRANSACTION_MS = 5_000;
/** Of a transaction that others are in the way of. */
const MOST_TRIES = 10;
const MOST_NAMES = 200;
const BEGIN = "BEGIN; SELECT pg_current_xact_id()::text AS number";
const MOST_ASKED = 50;
const ASK_AGAIN_MS = 100;

/** `bigint`s are numbers here: ids and milliseconds, far below 2^53. */
function numbersFor(oid: number): ((text: string) => number) | undefined {
  return oid === 20 || oid === 1700 ? Number : undefined;
}

/** What is wrong with an address, in words. */
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
