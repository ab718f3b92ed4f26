import { freemem, totalmem } from "node:os";
import * as z from "zod";
import type { DocsText } from "../../docs/page.ts";
import { readDocs } from "../../docs/read-docs.ts";
import { packageVersion } from "../../system/package-version.ts";
import { operation } from "./operation.ts";

/** Facts about the process that serves the console, and about its machine. */
export interface SystemAnswer {
  readonly version: string;
  readonly node: string;
  readonly pid: number;
  /** Uptime of the process, in seconds. */
  readonly upFor: number;
  /** Resident memory of the process, in bytes. */
  readonly rss: number;
  /** Free memory of the machine in bytes; `total` is all its memory. */
  readonly free: number;
  readonly total: number;
  /** Data folder of the bot. Absent: only a sandbox runs. */
  readonly folder?: string;
}

/** Returns versions, memory use and the data folder. */
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

/** Returns the documentation of the installed package: its pages as Markdown, and the files to which they link. */
export const documentation = operation(z.strictObject({}), (): Promise<readonly DocsText[]> =>
  readDocs(),
);
