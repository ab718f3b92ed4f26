import type { Problem } from "../../config/problem.ts";
import type { Settings } from "../../config/settings.ts";
import type { SourceFile } from "../../rules/compile.ts";
import type { RecentLog } from "../../runtime/control/recent-log.ts";
import type { Log } from "../../runtime/log.ts";
import type { SandboxFile } from "../../runtime/platform/sandbox-file.ts";
import type { WatchFolders } from "../../runtime/reload/watch-files.ts";
import type { WebhookRouter } from "../../runtime/webhook/router.ts";
import type { StoreError } from "../../runtime/store/errors.ts";
import type { StoreOptions } from "../../runtime/store/open.ts";
import type { Store } from "../../runtime/store/store.ts";
import type { SecretMask } from "../../system/secrets/secret-mask.ts";
import type { RuntimeParts } from "../parts.ts";
import type { StartOptions } from "../start.ts";

/** Rule files of a runtime. */
export interface RuleFileOptions {
  /** Reads the current rule files. */
  readonly readRules: () => Promise<readonly SourceFile[]>;
  /** Absolute folder to which the paths of rule files are relative. */
  readonly base: string;
  /** Called with the problems of the rules. Absent: they are logged. */
  readonly onProblems?: ((problems: readonly Problem[]) => void) | undefined;
  /**
   * Watches the folders of rule files and bot modules, to reload changed files. Absent: only `reload` loads them again.
   */
  readonly watch?: WatchFolders;
}

/** Validated settings of a bot, with its folders, environment and hooks. */
export interface SettledOptions extends RuleFileOptions {
  readonly settings: Settings;
  /** Absolute data folder of this machine. It holds `run.json`, and the files of a SQLite store. */
  readonly folder: string;
  /** Environment variables; `ANSWERBACK_KEY` decrypts the stored tokens. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Values of `secrets.NAME` in rules, by name; only the secrets that rules use are read. */
  readonly secrets: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Mask that gets the value of every secret of this runtime. */
  readonly mask?: SecretMask;
  /** Called once the webhook's server listens, before the platform is asked to call the webhook. */
  readonly onListening?: StartOptions["onListening"];
  /** Router of a server of the caller, which listens on `webhook.listen`. Absent: the runtime has its own server. */
  readonly webhook?: WebhookRouter | undefined;
  /** Logs items and counts them as done, without sending them. The caller has to provide a separate store. */
  readonly dryRun?: boolean;
  /** Loading time for which the start waits for a bot module, in milliseconds. Default: 15,000. */
  readonly botPatienceMs?: number;
  /** Time to live of this process's leases on partitions of lanes, in milliseconds. Default: 15,000. */
  readonly leaseMs?: number;
  /**
   * Opens the store that the settings name, for a caller that wraps the store. Default: opens SQLite or PostgreSQL by
   * the URL.
   */
  readonly openStore?: (
    url: string,
    options: Pick<StoreOptions, "onDied" | "onMigrated" | "onWriter" | "postgres">,
  ) => Promise<Store>;
}

/** Parts of a runtime as they were opened from settings. */
export interface OpenedParts extends RuntimeParts {
  /**
   * Reloads the rules, and calls the functions of `onFiles`, when a rule file, a module, or a file that they name or
   * import changes. Does nothing without `watch` in the options.
   */
  readonly watchProject: () => Promise<void>;
  readonly died: Promise<StoreError>;
  readonly sandbox: SandboxFile | undefined;
  /** Latest lines of the log; undefined without a console to show them. */
  readonly recent: RecentLog | undefined;
}
