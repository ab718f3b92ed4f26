import { freemem, totalmem } from "node:os";
import * as z from "zod";
import { packageVersion } from "../../system/package-version.ts";
import { operation } from "./operation.ts";

/** The process that serves the console, and what it runs on. */
export interface SystemAnswer {
  readonly version: string;
  readonly node: string;
  readonly pid: number;
  /** Seconds. */
  readonly upFor: number;
  /** Bytes that the process holds. */
  readonly rss: number;
  /** Bytes of the machine that are free, and all. */
  readonly free: number;
  readonly total: number;
  /** Data folder; absent where only a sandbox runs. */
  readonly folder?: string;
}

/** Versions, memory, and where the data are. */
export const system = operation(z.strictObject({}), ({ runtime }): SystemAnswer => ({
  version: packageVersion(),
  node: process.version,
  pid: process.pid,
  upFor: Math.round(process.uptime()),
  rss: process.memoryUsage.rss(),
  free: freemem(),
  total: totalmem(),
  ...(runtime && { folder: runtime.folder }),
}));
