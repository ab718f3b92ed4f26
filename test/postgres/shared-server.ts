import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
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
  // Nobody else on this machine gets the password.
  const path = `/${randomBytes(16).toString("hex")}`;
  const door = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    started ??= startPostgres({ durable: false });
    started.then(
      (server) => response.end(server.url("postgres")),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("the door has no port");
  project.provide("postgres", `http://127.0.0.1:${address.port}${path}`);
  return async () => {
    door.close();
    const server = await started?.catch(() => undefined);
    await server?.stop();
  };
}
