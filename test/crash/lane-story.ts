import type { Conversations } from "./rig.ts";

const SHOWN = 40;

/**
 * Describes a message for a person to read: its rows in journal and outbox, its posts on the platform, its log lines.
 */
export async function laneStory(
  rig: Conversations,
  lane: string,
  about: string,
): Promise<readonly string[]> {
  const number = /\d{6}/u.exec(about)?.[0] ?? about;
  const [account = "", person = ""] = lane.split("/");
  const journal = (await rig.ask("journal", { lane, limit: 1_000 })) ?? [];
  const items = (await rig.ask("outbox", { lane, limit: 1_000 })) ?? [];
  const rows = journal.filter(({ body }) => body.includes(number)).toReversed();
  const seqs = new Set(rows.map(({ seq }) => seq));
  const own = items.filter(({ seq, key }) => seqs.has(seq) || key === about).toReversed();
  const there = await rig.written(account, person);
  const logged = rig
    .log()
    .split("\n")
    .filter(
      (line) =>
        line.includes(number) ||
        rows.some(({ key }) => line.includes(`"${key}"`)) ||
        own.some(({ id }) => line.includes(`"item":${id},`)),
    );
  return [
    ...rows.map(
      ({ seq, key, state, runs, decision = "" }) =>
        `journal ${seq} ${key} ${state}; runs ${runs.map(({ owner, status }) => `${owner} ${status}`).join(", ")}; ${decision}`,
    ),
    ...own.map(
      ({ id, status, attempts, platformId, reason, action }) =>
        `item ${id} ${status} attempts ${attempts} as ${platformId ?? "-"}: ${reason ?? ""} ${JSON.stringify(action)}`,
    ),
    ...there.flatMap((text, place) =>
      text.includes(number) ? [`platform #${place}: ${text}`] : [],
    ),
    ...logged.slice(-SHOWN).map((line) => `log ${line}`),
  ];
}
