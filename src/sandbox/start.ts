import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { makeFolder } from "../system/files/created-folder.ts";
import { AREAS } from "./areas.ts";
import { Nonces } from "./auth/nonces.ts";
import { ControlClient } from "./control/client.ts";
import { freshToken, keptToken } from "./control/kept-token.ts";
import { Platform } from "./kernel/platform.ts";
import { Router } from "./server/router.ts";
import { HighWaterFile } from "./kernel/world/high-water-file.ts";
import { BodyReader } from "./server/read-body.ts";
import { startServer } from "./server/server.ts";
import type { SettingsPatch } from "./kernel/settings.ts";
import { WorldKeeper } from "./kernel/world/world-keeper.ts";

/** Options for starting a sandbox; all are optional. */
export interface SandboxOptions {
  /** Port to listen on; 0, the default, lets the system choose a free port. */
  readonly port?: number;
  /** Address to listen on; loopback by default. */
  readonly host?: string;
  /**
   * Seed that makes the world's secrets, access tokens and other random values reproducible; with a frozen clock, ids
   * and times, too.
   */
  readonly seed?: string;
  /**
   * File in which the world (all data of the sandbox) is saved. A missing folder is created. Without a file, the world
   * is in memory only.
   *
   * Three more files are stored beside it: a journal of the changes since the last save, the high-water mark of the
   * ids, and the control token.
   */
  readonly state?: string;
  /** Bearer token of the control interface; by default random, and with `state` the same at each start. */
  readonly controlToken?: string;
  readonly settings?: SettingsPatch;
  readonly clock?: {
    /** Returns machine time in milliseconds since the Unix epoch; by default `Date.now`. */
    readonly machine?: () => number;
    /** Start time of the sandbox's clock, in milliseconds since the Unix epoch. */
    readonly now?: number;
    readonly frozen?: boolean;
  };
}

/** A running sandbox. */
export interface RunningSandbox {
  /** Base URL of the platform's interface, called `{base_url}` in the platform's documentation. */
  readonly url: string;
  /** Base URL of the advertising interface, called `{ads_base_url}` in the platform's documentation. */
  readonly adsUrl: string;
  readonly control: ControlClient;
  /** Empties the world, and optionally sets another seed. */
  reset(seed?: string): Promise<void>;
  /** Saves the world if it has a file, and releases all resources. */
  close(): Promise<void>;
}

/**
 * Starts the platform on this machine.
 *
 * @throws {Error} if the port is in use or the state file is not a saved world.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  if (options.state !== undefined) makeFolder(dirname(options.state));
  const highWaterFile =
    options.state === undefined ? undefined : new HighWaterFile(`${options.state}.mark`);
  const platform = new Platform({
    areas: AREAS,
    seed: options.seed,
    settings: options.settings,
    machine: options.clock?.machine ?? Date.now,
    highWaterMark: highWaterFile?.read() ?? "0",
    storeHighWaterMark: (next) => highWaterFile?.write(next),
  });
  const { clock } = platform.time;
  clock.set(options.clock?.now ?? clock.now(), options.clock?.frozen ?? false);
  const keeper = options.state === undefined ? undefined : new WorldKeeper(platform, options.state);
  await keeper?.load();
  if (keeper !== undefined) platform.keepIn(keeper);
  const controlToken = options.controlToken ?? (await tokenFor(options.state));
  const server = await startServer(
    {
      sandbox: platform,
      router: new Router(AREAS.flatMap((area) => area.routes)),
      controlToken,
      nonces: new Nonces(clock.machine),
      bodies: new BodyReader(),
    },
    options.port ?? 0,
    options.host ?? "127.0.0.1",
  );
  platform.world.baseUrl = originOf(server.address());
  platform.scheduleAll();
  const control = new ControlClient(`${platform.baseUrl}/_sandbox`, controlToken);
  return {
    url: platform.baseUrl,
    adsUrl: `${platform.baseUrl}/ads`,
    control,
    async reset(seed) {
      await control.reset(seed);
    },
    async close() {
      platform.time.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await platform.time.idle();
      await keeper?.close();
      await platform.webhookSender.close();
    },
  };
}

function tokenFor(state: string | undefined): string | Promise<string> {
  return state === undefined ? freshToken() : keptToken(`${state}.token`);
}

/** Returns the line that `answerback sandbox --json` prints once it is ready, without its line end. */
export function readyLine(sandbox: RunningSandbox): string {
  return JSON.stringify({
    event: "ready",
    base_url: sandbox.url,
    ads_base_url: sandbox.adsUrl,
    control_url: sandbox.control.url,
    control_token: sandbox.control.token,
  });
}

function originOf(address: string | AddressInfo | null): string {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
