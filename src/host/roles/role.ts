import { hostname } from "node:os";
import { randomBytes } from "node:crypto";
import type { EventSource, RoleSetting } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import type { LeasePort } from "../../runtime/store/store.ts";

/** What a process does, beside what all of them do. */
export interface Role {
  readonly name: RoleSetting;
  /** It serves the webhook. */
  readonly takesIn: boolean;
  /** It holds leases: it decides, sends, and may be the leader. */
  readonly answers: boolean;
}

/**
 * The role that the settings name.
 *
 * @throws {UsageError} when a process of that role would leave something undone that nobody else can do.
 */
export function roleOf(
  name: RoleSetting,
  store: Pick<LeasePort, "isShared">,
  source: EventSource,
): Role {
  if (name !== "all" && !store.isShared) {
    throw new UsageError(
      `role: ${name} is for several processes that share a store, and a store in a folder is one process's own`,
      { hint: "set store: postgres://USER@HOST/DATABASE, or leave role: out" },
    );
  }
  if (name === "receiver" && source === "polling") {
    throw new UsageError("role: receiver serves the webhook, and source: polling has none", {
      hint: "start workers alone: answerback run --role worker",
    });
  }
  return { name, takesIn: name !== "worker", answers: name !== "receiver" };
}

/**
 * The name of this process among all that ever work on its store: `host-4711-3fa9c1`.
 *
 * @param given Stands for host and process id.
 */
export function nameOfProcess(given: string | undefined): string {
  const place = given ?? `${hostname().split(".")[0] ?? "host"}-${process.pid}`;
  return `${place}-${randomBytes(3).toString("hex")}`;
}
