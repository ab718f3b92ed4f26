import { branchBlock } from "../../../rules/run.ts";

/** Names of branch runs: `rule:<id>#/<label>.parallel.<branch>`, with `@<round>` if the step is repeated. */

const BRANCH = "/";

/** Returns the owner of a branch's run, derived from the owner of the run that the branch belongs to. */
export function ownerOfBranch(
  owner: string,
  { path, name, round }: { readonly path: string; readonly name: string; readonly round?: string },
): string {
  const trunk = owner.includes("#") ? owner : `${owner}#`;
  return `${trunk}${BRANCH}${path}.${branchBlock(name)}${round === undefined ? "" : `@${round}`}`;
}

/** Returns the id of the run that a branch belongs to; `undefined` for a run that is no branch. */
export function trunkOf(id: string): string | undefined {
  const mark = id.indexOf("#");
  const branch = mark === -1 ? -1 : id.indexOf(BRANCH, mark);
  if (branch === -1) return undefined;
  const trunk = id.slice(0, branch);
  return trunk.endsWith("#") ? trunk.slice(0, -1) : trunk;
}

/** Returns the id of the run that a branch belongs to; for a run that is no branch, its own id. */
export function wholeOf(id: string): string {
  return trunkOf(id) ?? id;
}
