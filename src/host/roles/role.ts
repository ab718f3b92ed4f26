import { hostname } from "node:os";
import { randomBytes } from "node:crypto";
import type { EventSource, RoleSetting } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import type { LeasePort } from "../../runtime/store/store.ts";

/** Role of a process: the work that it does in addition to the work of every process. */
export interface Role {
  readonly name: RoleSetting;
  /** Whether the process serves the webhook. */
  readonly takesIn: boolean;
  /** Whether the process holds leases: such a process decides, sends, and may lead. */
  readonly answers: boolean;
}

/**
 * Returns the role that the settings name.
 *
 * @throws {UsageError} when the role does not suit the store or the source of events.
 */
export function roleOf(
  name: RoleSetting,
  store: Pick<LeasePort, "isShared">,
  source: EventSource,
): Role {
  if (name !== "all" && !store.isShared) {
    throw new UsageError(
      `role: ${name} needs a store that several processes share, and a store in a folder belongs to one process`,
      { hint: "set store: postgres://USER@HOST/DATABASE, or leave role: out" },
    );
  }
  if (name === "receiver" && source === "polling") {
    throw new UsageError("role: receiver serves the webhook, but source: polling has no webhook", {
      hint: "start workers alone: answerback run --role worker",
    });
  }
  return { name, takesIn: name !== "worker", answers: name !== "receiver" };
}

/**
 * Returns a name for this process that is unique among all processes that ever use its store: `host-4711-3fa9c1`.
 *
 * @param name Replaces host and process id.
 */
export function nameOfProcess(name: string | undefined): string {
  const place = name ?? `${hostname().split(".")[0] ?? "host"}-${process.pid}`;
  return `${place}-${randomBytes(3).toString("hex")}`;
}
