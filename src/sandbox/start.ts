import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { AREAS } from "./areas.ts";
import { Nonces } from "./auth/nonces.ts";
import { ControlClient } from "./control/client.ts";
import { Keeper } from "./kernel/keeper.ts";
import { Platform } from "./kernel/platform.ts";
import { Router } from "./kernel/router.ts";
import { MarkFile } from "./kernel/mark-file.ts";
import { listen } from "./kernel/server.ts";
import type { SettingsPatch } from "./kernel/settings.ts";

/** How to start a sandbox; every part may be left out. */
export interface SandboxOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Address to listen on; loopback unless said. */
  readonly host?: string;
  /** Makes secrets, tokens and draws reproducible, and ids and times too with a frozen clock. */
  readonly seed?: string;
  /** File that keeps the world, its folder made where it is missing; in memory only without it. */
  readonly state?: string;
  /** Bearer token of the control interface; drawn at random unless given. */
  readonly controlToken?: string;
  readonly settings?: SettingsPatch;
  readonly clock?: {
    /** Machine time in milliseconds since the Unix epoch; `Date.now` unless given. */
    readonly machine?: () => number;
    /** Where the sandbox's clock starts, in milliseconds since the Unix epoch. */
    readonly now?: number;
    readonly frozen?: boolean;
  };
}

/** A sandbox that listens. */
export interface RunningSandbox {
  /** `{base_url}` of the interface. */
  readonly url: string;
  /** `{ads_base_url}` of the interface. */
  readonly adsUrl: string;
  readonly control: ControlClient;
  /** Back to an empty world, optionally of another seed. */
  reset(seed?: string): Promise<void>;
  /** Saves, where a file keeps the world, and lets go of everything. */
  close(): Promise<void>;
}

/**
 * Starts the platform on this machine.
 *
 * @throws {Error} where the port is taken or the state file is not a saved world.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  if (options.state !== undefined) mkdirSync(dirname(options.state), { recursive: true });
  const mark = options.state === undefined ? undefined : new MarkFile(`${options.state}.mark`);
  const platform = new Platform({
    areas: AREAS,
    seed: options.seed,
    settings: options.settings,
    machine: options.clock?.machine ?? Date.now,
    mark: mark?.read() ?? "0",
    reserve: (next) => mark?.write(next),
  });
  const { clock } = platform.time;
  clock.place(options.clock?.now ?? clock.now(), options.clock?.frozen ?? false);
  const keeper = options.state === undefined ? undefined : new Keeper(platform, options.state);
  await keeper?.load();
  const controlToken = options.controlToken ?? randomBytes(24).toString("hex");
  const server = await listen(
    {
      sandbox: platform,
      router: new Router(AREAS.flatMap((area) => area.routes)),
      controlToken,
      nonces: new Nonces(clock.machine),
    },
    options.port ?? 0,
    options.host ?? "127.0.0.1",
  );
  platform.baseUrl = originOf(server.address());
  platform.arm();
  const control = new ControlClient(`${platform.baseUrl}/_sandbox`, controlToken);
  return {
    url: platform.baseUrl,
    adsUrl: `${platform.baseUrl}/ads`,
    control,
    async reset(seed) {
      await control.post("/reset", seed === undefined ? {} : { seed });
    },
    async close() {
      platform.time.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await platform.time.idle();
      await keeper?.save();
      await platform.outlet.close();
    },
  };
}

/** The line that `answerback sandbox --json` prints once it is ready, without the line's end. */
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
