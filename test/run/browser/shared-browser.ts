import type { BrowserServer } from "playwright-core";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { NothingThere, openDoor } from "../door.ts";
import { findChromium, type Surroundings } from "./find-chromium.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** URL of the {@link Door} that returns the address of the browser shared by all tests. */
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

/** Source of the shared browser, which is started at the first request. */
export interface BrowserSource {
  /**
   * Returns the address of a running browser. A browser that has crashed is started again.
   *
   * @throws {NothingThere} if there is no Chromium; the error explains how to get one.
   */
  endpoint(): Promise<string>;
  close(): Promise<void>;
}

export function browserSource(surroundings: Surroundings): BrowserSource {
  let program: ReturnType<typeof findChromium> | undefined;
  let running: Promise<BrowserServer> | undefined;
  const start = async (): Promise<BrowserServer> => {
    program ??= findChromium(surroundings);
    const browserProgram = await program;
    if (browserProgram === undefined) throw new NothingThere(howToGetOne(surroundings));
    const { path, env } = browserProgram;
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

/**
 * Shares one browser among all tests of a run. The browser is started by the first test file that needs it, through
 * `support/chromium.ts`.
 */
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
