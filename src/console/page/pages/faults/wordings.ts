import type { FaultSpec } from "../../../../sandbox/control/objects.ts";

/** What a fault does, as `status 503 on request /2/*`. */
export function whatOf({ match, fault }: Pick<FaultSpec, "match" | "fault">): string {
  const { type, ...values } = fault;
  const { direction, ...narrower } = match;
  const shown = [type, ...pairs(values), "on", direction, ...pairs(narrower)];
  return shown.join(" ");
}

/** When it happens, in words. */
export function whenOf(when: FaultSpec["when"]): string {
  if (when === undefined) return "next time";
  if ("next" in when) return when.next === 1 ? "next time" : `next ${when.next} times`;
  if ("every" in when) return when.every === 1 ? "every time" : `every ${when.every}th time`;
  if ("probability" in when) return `with probability ${when.probability}`;
  return "until" in when ? `until ${when.until.slice(0, 16).replace("T", " ")} UTC` : "every time";
}

/** The command that adds it. */
export function commandOf({ match, fault, when }: FaultSpec): string {
  const { direction, ...narrower } = match;
  const { type, n, ...values } = fault;
  const flags = Object.entries({ on: direction, ...narrower, ...values, ...when }).flatMap(
    ([name, value]) => {
      if (value === undefined) return [];
      return value === true ? [`--${name}`] : [`--${name} ${quoted(String(value))}`];
    },
  );
  if (n !== undefined) flags.push(`-n ${n}`);
  return `answerback fault add ${type} ${flags.join(" ")}`;
}

/** The request that adds it; the sandbox's file has the token. */
export function curlOf(spec: FaultSpec, baseUrl: string): string {
  return [
    `curl -X POST ${baseUrl}/_sandbox/faults`,
    `-H "authorization: Bearer $SANDBOX_CONTROL_TOKEN"`,
    `-H "content-type: application/json"`,
    `-d ${quoted(JSON.stringify(spec))}`,
  ].join(" \\\n  ");
}

function quoted(text: string): string {
  return /^[\w@./:+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function pairs(values: object): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [name === "status" || name === "path" ? `${value}` : `${name} ${value}`],
  );
}
