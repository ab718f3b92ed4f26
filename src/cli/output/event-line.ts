import type { Io } from "../io.ts";
import type { SandboxEvent } from "../target/sandbox-events.ts";
import { plain } from "./plain.ts";
import { shownTime } from "./time.ts";

/** Gives the handle of a user id, or the id where nobody is known by it. */
export type NameOf = (id: unknown) => string;

/** Something that happened in the sandbox, as one line for people. */
export function shownEvent(event: SandboxEvent, nameOf: NameOf, colors: Io["colors"]): string {
  return `${colors.dim(shownTime(event.at))}  ${event.type.padEnd(10)}${plain(wordsOf(event, nameOf))}`;
}

function wordsOf({ type, data }: SandboxEvent, nameOf: NameOf): string {
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
    default:
      return Object.entries(data)
        .map(([name, value]) => `${name}=${text(value)}`)
        .join(" ");
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "-");
}
