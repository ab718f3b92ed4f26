import type { TestProject } from "vitest/node";
import { openDoor } from "../run/door.ts";
import { startPostgres, type TestPostgres } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Door that answers with the URL of the PostgreSQL server that all tests share. */
    readonly postgres: string;
  }
}

/**
 * Shares one server among all tests of a run, started at the first request: a start takes a second, and most runs need no
 * server. Tests request a database through `databases.ts`.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vitest calls this setup once per project too. Starts nothing then: values of the root reach all projects.
  if (!project.isRootProject()) return async () => {};
  let started: Promise<TestPostgres> | undefined;
  const door = await openDoor(async () => {
    started ??= startPostgres({ durable: false });
    return (await started).url("postgres");
  });
  project.provide("postgres", door.url);
  return async () => {
    door.close();
    const server = await started?.catch(() => undefined);
    await server?.stop();
  };
}
