import { branchBlock } from "../../../rules/run.ts";

/** How the runs of branches are named: `rule:<id>#/<label>.parallel.<branch>`, with `@<round>` where it is repeated. */

const BRANCH = "/";

/** The owner of a branch's run, by that of the run that it belongs to. */
export function ownerOfBranch(
  owner: string,
  { path, name, round }: { readonly path: string; readonly name: string; readonly round?: string },
): string {
  const trunk = owner.includes("#") ? owner : `${owner}#`;
  return `${trunk}${BRANCH}${path}.${branchBlock(name)}${round === undefined ? "" : `@${round}`}`;
}

/** The id of the run that the run of a branch belongs to; `undefined`: it is of no branch. */
export function trunkOf(id: string): string | undefined {
  const mark = id.indexOf("#");
  const branch = mark === -1 ? -1 : id.indexOf(BRANCH, mark);
  if (branch === -1) return undefined;
  const trunk = id.slice(0, branch);
  return trunk.endsWith("#") ? trunk.slice(0, -1) : trunk;
}

/** The id of the whole run: of a branch, that of the run which it belongs to. */
export function wholeOf(id: string): string {
  return trunkOf(id) ?? id;
}
