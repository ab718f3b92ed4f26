import type { Problem } from "../../config/problem.ts";
import type { Settings } from "../../config/settings.ts";
import type { SourceFile } from "../../rules/compile.ts";
import type { RecentLog } from "../../runtime/control/recent-log.ts";
import type { Log } from "../../runtime/log.ts";
import type { SandboxFile } from "../../runtime/platform/sandbox-file.ts";
import type { WatchFolders } from "../../runtime/reload/watch-files.ts";
import type { StoreError } from "../../runtime/store/errors.ts";
import type { StoreOptions } from "../../runtime/store/open.ts";
import type { Store } from "../../runtime/store/store.ts";
import type { SecretMask } from "../../system/secrets/secret-mask.ts";
import type { RuntimeParts } from "../parts.ts";
import type { StartOptions } from "../start.ts";

/** Rule files of a runtime. */
export interface RuleFileOptions {
  /** Reads the rule files as they are now. */
  readonly readRules: () => Promise<readonly SourceFile[]>;
  /** Folder that the paths of rule files start from, absolute. */
  readonly base: string;
  /** Called with what is wrong in the rules; they are logged unless it is given. */
  readonly onProblems?: ((problems: readonly Problem[]) => void) | undefined;
  /** Watches the folders of rule files and bot modules: they are read again when they change. Absent: by `reload` only. */
  readonly watch?: WatchFolders;
}

/** Settings that are read already, and their surroundings. */
export interface SettledOptions extends RuleFileOptions {
  readonly settings: Settings;
  /** Data folder of this machine, absolute: `run.json`, and what belongs to the store where that is in a folder. */
  readonly folder: string;
  /** `ANSWERBACK_KEY` opens the tokens at rest. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Values of `secrets.NAME` in rules, by name; only those that rules use are read. */
  readonly secrets: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Gets to know every secret of this runtime by value. */
  readonly mask?: SecretMask;
  /** Called once the webhook listens, before the platform is asked to call it. */
  readonly onListening?: StartOptions["onListening"];
  /** Nothing is sent: what would be is logged, and taken for done. Whoever says so gives a store of its own. */
  readonly dryRun?: boolean;
  /** How long this process keeps a partition of lanes after it was last heard of, in milliseconds; 15,000 unless given. */
  readonly leaseMs?: number;
  /** Opens the store that the settings name, for a caller that stands between; the engine's own unless given. */
  readonly openStore?: (
    url: string,
    options: Pick<StoreOptions, "onDied" | "onMigrated" | "onWriter" | "postgres">,
  ) => Promise<Store>;
}

/** Parts of a runtime as they were opened from settings. */
export interface OpenedParts extends RuntimeParts {
  readonly died: Promise<StoreError>;
  readonly sandbox: SandboxFile | undefined;
  /** Latest lines of the log; undefined where no console shows them. */
  readonly recent: RecentLog | undefined;
}
