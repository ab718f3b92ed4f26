import type { FaultSpec } from "../../../sandbox/control/objects.ts";
import { shell, shellWord } from "../../../text/shell.ts";

/** Returns the `answerback` command that adds a fault. */
export function faultCommand({ match, fault, when }: FaultSpec): string {
  const { direction, ...narrower } = match;
  const { type, n, ...values } = fault;
  const flags = Object.entries({ on: direction, ...narrower, ...values, ...when }).flatMap(
    ([name, value]) => {
      if (value === undefined) return [];
      return value === true ? [`--${name}`] : [`--${name} ${shellWord(String(value))}`];
    },
  );
  if (n !== undefined) flags.push(shell`-n ${n}`);
  return `${shell`answerback fault add ${type}`} ${flags.join(" ")}`;
}

/** Returns a curl command for a request to the control interface. The command reads the token from the sandbox file. */
export function controlCurl(url: string, body: unknown, method = "POST"): string {
  const data = [
    `-H "content-type: application/json"`,
    `-d ${shellWord(JSON.stringify(body ?? null))}`,
  ];
  return [
    shell`curl -X ${method} ${url}`,
    `-H "authorization: Bearer $SANDBOX_CONTROL_TOKEN"`,
    ...(body === undefined ? [] : data),
  ].join(" \\\n  ");
}
