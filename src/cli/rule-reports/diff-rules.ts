import { resolve } from "node:path";
import type { CommonFlags } from "../arguments/settings-flags.ts";
import { NotRunningError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { counted } from "../../text/counted.ts";
import { type Stored, withStored } from "../target/stored.ts";
import { projectRules, rulesInstead } from "../project-rules.ts";
import { ruleOrBotOf } from "../../runtime/records.ts";
import { trunkOf } from "../../runtime/runs.ts";

type Change = "changed" | "new" | "gone";

/**
 * Shows which rules of another folder differ from those of the settings, and how many open runs would keep using the
 * current rules.
 *
 * @throws {ConfigError} if the folder's rules contain a mistake.
 */
export async function diffRules(
  io: Io,
  flags: CommonFlags & { readonly rules: string },
): Promise<void> {
  const now = await projectRules(io, flags);
  const other = await rulesInstead(io, resolve(io.cwd, flags.rules), flags);
  const changes = [...new Set([...now.byId.keys(), ...other.byId.keys()])].flatMap((id) => {
    const [before, after] = [now.byId.get(id), other.byId.get(id)];
    if (before?.revision === after?.revision) return [];
    const change: Change = before === undefined ? "new" : after === undefined ? "gone" : "changed";
    return [{ rule: id, change, from: before?.revision, to: after?.revision }];
  });
  const replacedRules = new Set(
    changes.flatMap(({ change, rule }) => (change === "new" ? [] : [rule])),
  );
  const open = await openRunsOf(io, flags, replacedRules);
  if (flags.json === true) {
    for (const one of changes) io.out(`${JSON.stringify({ type: "rule", ...one })}\n`);
    io.out(`${JSON.stringify({ type: "summary", openRuns: open })}\n`);
    return;
  }
  const { yellow, green, red } = io.dataColors;
  const paint = { changed: yellow, new: green, gone: red };
  for (const { rule, change } of changes) io.out(`${paint[change](change.padEnd(8))}${rule}\n`);
  const count = (of: Change): number => changes.filter(({ change }) => change === of).length;
  const runs =
    open === undefined ? "" : `, ${counted(open, "open run")} of them keep to the rules of now`;
  io.out(`${count("changed")} changed, ${count("new")} new, ${count("gone")} gone${runs}\n`);
}

/**
 * Maximum number of journal entries to search for open runs. Only very long conversations have open runs in older
 * entries.
 */
const LOOK_BACK = 10_000;
const PAGE = 1_000;

/** Number of open runs of the rules with these ids; undefined if there is no store. */
async function openRunsOf(
  io: Io,
  flags: CommonFlags,
  rules: ReadonlySet<string>,
): Promise<number | undefined> {
  try {
    return await withStored(io, flags, (stored) => countOpen(stored, rules));
  } catch (error) {
    if (error instanceof NotRunningError) return undefined;
    throw error;
  }
}

async function countOpen(stored: Stored, rules: ReadonlySet<string>): Promise<number> {
  let open = 0;
  let before: number | undefined;
  for (let seen = 0; seen < LOOK_BACK; seen += PAGE) {
    const rows = await stored.journal({ limit: PAGE, ...(before !== undefined && { before }) });
    const runs = rows.flatMap((row) => row.runs);
    open += runs.filter(
      ({ id, owner, status }) =>
        trunkOf(id) === undefined &&
        rules.has(ruleOrBotOf(owner).replace(/^rule:/, "")) &&
        (status === "ready" || status === "waiting"),
    ).length;
    before = rows.at(-1)?.seq;
    if (rows.length < PAGE || before === undefined) break;
  }
  return open;
}
