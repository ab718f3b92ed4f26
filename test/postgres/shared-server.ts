import type { TestProject } from "vitest/node";
import { openDoor } from "../run/door.ts";
import { startPostgres, type TestPostgres } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Asked for, it answers with the url of the PostgreSQL server that all tests share. */
    readonly postgres: string;
  }
}

/**
 * One server for all tests of a run, started when the first of them asks for it: it takes a second, and most runs need
 * none. Tests ask by `databases.ts`.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // It is set up for each project as well, and what the root provides is provided to all.
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
