import type { Io } from "../io.ts";
import type { SandboxEvent } from "../../sandbox/control/objects.ts";
import { visible } from "../../text/unseen.ts";
import { formatTime } from "./format-time.ts";

/** Returns the handle of a user id; the id itself if the user is unknown. */
export type NameOf = (id: unknown) => string;

/** Formats an event of the sandbox as one line for people. */
export function formatEvent(event: SandboxEvent, nameOf: NameOf, colors: Io["colors"]): string {
  return `${colors.dim(formatTime(event.at))}  ${event.type.padEnd(10)}${visible(describeEvent(event, nameOf))}`;
}

function describeEvent({ type, data }: SandboxEvent, nameOf: NameOf): string {
  switch (type) {
    case "activity": {
      const { kind, by, to, ref } = data;
      const toWhom = to === undefined ? "" : ` -> ${nameOf(to)}`;
      return `${nameOf(by)}${toWhom}  ${text(kind)}${ref === undefined ? "" : ` ${text(ref)}`}`;
    }
    case "delivery":
    case "challenge": {
      const { event, for_user_id: user, attempt, status, ms, outcome } = data;
      const whose = user === undefined || user === null ? "" : ` for ${nameOf(user)}`;
      const again = Number(attempt ?? 1) > 1 ? `, try ${text(attempt)}` : "";
      return `${text(event ?? "crc")}${whose}  ${text(outcome)} (${text(status)}, ${text(ms)} ms${again})`;
    }
    case "request": {
      const { method, path, status, ms, user_id: user } = data;
      const who = user === undefined ? "" : ` by ${nameOf(user)}`;
      return `${text(method)} ${text(path)}  ${text(status)} (${text(ms)} ms)${who}`;
    }
    case "clock":
      return `${text(data["now"])}${data["frozen"] === true ? ", paused" : ""}`;
    case "stream":
      return `${text(data["path"])}  ${text(data["state"])} (${text(data["lines"])} lines)`;
    default:
      return Object.entries(data)
        .map(([name, value]) => `${name}=${text(value)}`)
        .join(" ");
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "-");
}
