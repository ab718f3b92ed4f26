import type { Conversations } from "../crash/rig.ts";
import type { Said } from "../crash/script.ts";
import type { Fault } from "../crash/verify.ts";

const PAGE = 1_000;

/** Checks in the journal that each acknowledged message is stored once and has started exactly one run. */
export async function decidedOnce(
  { door, ask }: Pick<Conversations, "door" | "ask">,
  said: readonly Said[],
): Promise<readonly Fault[]> {
  const runs = new Map<string, number[]>();
  for (let before: number | undefined, more = true; more;) {
    const query = { limit: PAGE, ...(before !== undefined && { before }) };
    const rows = await ask("journal", query);
    if (rows === undefined) throw new Error("nobody shows the journal");
    for (const { key, account, state, runs: started } of rows) {
      const name = `${account} ${key}`;
      runs.set(name, [...(runs.get(name) ?? []), state === "done" ? started.length : 0]);
    }
    before = rows.at(-1)?.seq;
    more = rows.length === PAGE;
  }
  return said.flatMap(({ id, account, person, text }): Fault[] => {
    if (!door.acknowledged.has(id)) return [];
    const entryRuns = runs.get(`${account} message:${id}`) ?? [];
    const decided = entryRuns.reduce((total, count) => total + count, 0);
    if (decided === 1 && entryRuns.length === 1) return [];
    const kind = decided === 0 ? "lost" : "doubled";
    return [{ kind, lane: `${account}/${person}`, about: `${text} (decided ${decided} times)` }];
  });
}
