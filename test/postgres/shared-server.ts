import type { TestProject } from "vitest/node";
import { openDoor } from "../run/door.ts";
import { startPostgres, type TestPostgres } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** URL of a local endpoint that returns the URL of the PostgreSQL server that all tests share. */
    readonly postgres: string;
  }
}

/**
 * Shares one PostgreSQL server among all tests of a test run. The server is started at the first request, because a
 * start takes a second and most test runs need no server. Tests request a database through `databases.ts`.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vitest also calls this setup for each project. These calls start nothing, because projects get the values of the
  // root.
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
