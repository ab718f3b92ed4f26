/** Door: the queries with which rules search for posts. */
export * from "./search/searched-queries.ts";
