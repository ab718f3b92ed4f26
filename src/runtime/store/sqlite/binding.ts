import { createRequire } from "node:module";

/**
 * Open SQLite database, with the functions that the store uses. Backed by `node:sqlite` or the npm package `libsql`.
 */
export interface Database {
  exec(sql: string): void;
  /** `Row` is the type of the statement's result columns, which the caller asserts. */
  prepare<Row>(sql: string): Statement<Row>;
  /** Number of rows that prepared statements have written so far, including those of transactions that were rolled back. */
  readonly written: number;
  close(): void;
}

export interface Statement<Row> {
  /** Runs the statement. Returns the number of changed rows. */
  run(...values: readonly Value[]): number;
  get(...values: readonly Value[]): Row | undefined;
  all(...values: readonly Value[]): Row[];
}

export type Value = string | number | null;

/** Path that opens a database in memory, without a file. Closing the database discards its data. */
export const IN_MEMORY = ":memory:";

/**
 * Opens a file with `node:sqlite` if the running Node has it, otherwise with the npm package `libsql`.
 *
 * Only Node 20 needs libsql. As long as a prepared statement exists, libsql does not close the file at `close`, but
 * when the thread that opened the file ends.
 */
export function openDatabase(path: string): Database {
  return builtIn === undefined ? openLibsql(path) : openBuiltIn(builtIn, path);
}

/** Returns the primary result code of a SQLite error, such as 13 for a full disk; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  if ("rawCode" in error && typeof error.rawCode === "number") return error.rawCode & 0xff;
  return undefined;
}

/** Used part of `node:sqlite`. The types of Node 20 do not include the module. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => {
    exec(sql: string): void;
    close(): void;
    prepare(sql: string): {
      run(...values: readonly Value[]): { changes: number | bigint };
      get(...values: readonly Value[]): unknown;
      all(...values: readonly Value[]): unknown[];
    };
  };
}

const builtIn = loadBuiltIn();

/**
 * Loads `node:sqlite`. Returns undefined in Node 20, and in Node 22.5 to 22.12, which have the module behind a flag.
 */
function loadBuiltIn(): NodeSqlite | undefined {
  const emitWarning = process.emitWarning.bind(process);
  // Node 22 warns that the module is experimental. The operator cannot act on that warning.
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function openBuiltIn({ DatabaseSync }: NodeSqlite, path: string): Database {
  const db = new DatabaseSync(path);
  let written = 0;
  return {
    exec: (sql) => db.exec(sql),
    close: () => db.close(),
    get written() {
      return written;
    },
    prepare: <Row>(sql: string): Statement<Row> => {
      const statement = onFirstUse(() => db.prepare(sql));
      return {
        run: (...values) => {
          const changes = Number(statement().run(...values).changes);
          written += changes;
          return changes;
        },
        get: (...values) => statement().get(...values) as Row | undefined,
        all: (...values) => statement().all(...values) as Row[],
      };
    },
  };
}

function openLibsql(path: string): Database {
  const db = new (loadLibsql())(path);
  let written = 0;
  return {
    exec: (sql) => void db.exec(sql),
    close: () => void db.close(),
    get written() {
      return written;
    },
    prepare: <Row>(sql: string): Statement<Row> => {
      const statement = onFirstUse(() => db.prepare<[readonly Value[]]>(sql));
      return {
        run: (...values) => {
          const { changes } = statement().run(values);
          written += changes;
          return changes;
        },
        get: (...values) => statement().get(values) as Row | undefined,
        all: (...values) => statement().all(values) as Row[],
      };
    },
  };
}

/** Prepares a statement at its first use. Preparing all statements would take 3 ms of processor time at each start. */
function onFirstUse<Prepared>(prepare: () => Prepared): () => Prepared {
  let prepared: Prepared | undefined;
  return () => (prepared ??= prepare());
}

/**
 * Loads libsql without a diagnostic report, which takes 5 ms of processor time in each thread.
 *
 * libsql uses two packages to detect the C library of the system. The first package creates a report. The second
 * package reads `/usr/bin/ldd`, and creates a report only if that file is missing. libsql uses the result of the second
 * package.
 */
function loadLibsql(): typeof import("libsql") {
  const { report } = process;
  const getReport = report.getReport.bind(report);
  let isFirst = true;
  report.getReport = (...error) => {
    const result = isFirst ? {} : getReport(...error);
    isFirst = false;
    return result;
  };
  try {
    return createRequire(import.meta.url)("libsql") as typeof import("libsql");
  } finally {
    report.getReport = getReport;
  }
}
