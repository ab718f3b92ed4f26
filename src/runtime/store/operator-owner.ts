import { runIdParts } from "./run.ts";

const OWNER = "operator:";

/** Owner of what an operator has sent by hand: `operator:<name>`. No run has it. */
export function operatorOwner(name: string): string {
  return `${OWNER}${name.replaceAll(/[#/%]/g, encodeURIComponent)}`;
}

/** Name of the operator who wrote an item by hand; undefined where a rule or a bot queued it. */
export function operatorOf({ run }: { readonly run: string }): string | undefined {
  const [, owner] = runIdParts(run);
  return owner.startsWith(OWNER) ? decodeURIComponent(owner.slice(OWNER.length)) : undefined;
}
