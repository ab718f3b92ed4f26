import { runIdParts } from "./run.ts";

const OWNER = "operator:";

/** Returns the owner of items that an operator sends by hand: `operator:<name>`. No run has this owner. */
export function operatorOwner(name: string): string {
  return `${OWNER}${name.replaceAll(/[#/%]/g, encodeURIComponent)}`;
}

/** Returns the name of the operator who wrote an item by hand; undefined if a rule or a bot queued it. */
export function operatorOf({ run }: { readonly run: string }): string | undefined {
  const [, owner] = runIdParts(run);
  return owner.startsWith(OWNER) ? decodeURIComponent(owner.slice(OWNER.length)) : undefined;
}
