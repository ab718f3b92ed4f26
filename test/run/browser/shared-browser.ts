import type { BrowserServer } from "playwright-core";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { NothingThere, openDoor } from "../door.ts";
import { findChromium, type Surroundings } from "./find-chromium.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Door that answers with the address of the browser that all tests share. */
    readonly browser: string;
  }
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** One browser at a time, started when it is asked for. */
export interface BrowserSource {
  /**
   * Address of a running browser. One that has crashed is started again.
   *
   * @throws {NothingThere} where there is no Chromium, with how to get one.
   */
  endpoint(): Promise<string>;
  close(): Promise<void>;
}

export function browserSource(surroundings: Surroundings): BrowserSource {
  let program: ReturnType<typeof findChromium> | undefined;
  let running: Promise<BrowserServer> | undefined;
  const start = async (): Promise<BrowserServer> => {
    program ??= findChromium(surroundings);
    const found = await program;
    if (found === undefined) throw new NothingThere(howToGetOne(surroundings));
    const { path, env } = found;
    const server = await chromium.launchServer({
      executablePath: path,
      host: "127.0.0.1",
      headless: true,
      args: FLAGS,
      env: { ...surroundings.env, ...env },
    });
    server.once("close", () => (running = undefined));
    return server;
  };
  return {
    async endpoint() {
      running ??= start();
      try {
        return (await running).wsEndpoint();
      } catch (error) {
        running = undefined;
        throw error;
      }
    },
    async close() {
      const server = await running?.catch(() => undefined);
      await server?.close();
    },
  };
}

function howToGetOne({ env }: Surroundings): string {
  const named = env["CHROMIUM_PATH"] ?? "";
  return named === "" ? "set CHROMIUM_PATH" : `no Chromium starts at CHROMIUM_PATH=${named}`;
}

/** One browser for all tests of a run, started by the first file that needs it: `support/chromium.ts` asks. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!project.isRootProject()) return async () => {};
  const say = (line: string): void => void process.stderr.write(`\n${line}\n`);
  const source = browserSource({ env: process.env, say });
  const door = await openDoor(() => source.endpoint());
  project.provide("browser", door.url);
  return async () => {
    door.close();
    await source.close();
  };
}
