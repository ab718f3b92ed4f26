import type { Answers } from "../../src/runtime/control/contract.ts";
import { answersTo, type Said } from "../crash/script.ts";
import { replyTo, WELCOME } from "./script.ts";
import type { SoakRig } from "./rig.ts";
import type { Talk } from "./talk.ts";
import type { Written } from "./written.ts";

/** A fault found at the end, about one message, post or follow. */
export interface SoakFault {
  readonly kind: "lost" | "doubled";
  readonly about: string;
  /** State of the event on the platform and in the bot. */
  readonly story: readonly string[];
}

/** Comparison of the answers with the rules. */
export interface SoakFindings {
  readonly answered: number;
  readonly faults: readonly SoakFault[];
}

/**
 * Compares the platform's answers with people's actions: each answer that an action calls for must exist exactly once.
 */
export async function findings(
  { said, questions, followed }: Talk,
  written: Written,
  rig: SoakRig,
): Promise<SoakFindings> {
  const faults: SoakFault[] = [];
  let answered = 0;
  const compare = async (
    { about, account, key }: Compared,
    wanted: readonly string[],
    there: readonly string[],
  ): Promise<void> => {
    const times = wanted.map((text) => there.filter((one) => one === text).length);
    const kinds: SoakFault["kind"][] = [];
    if (times.every((count) => count > 0)) answered += 1;
    else kinds.push("lost");
    if (times.some((count) => count > 1)) kinds.push("doubled");
    if (kinds.length === 0) return;
    const story = await storyOf(rig, account, key);
    for (const kind of kinds) faults.push({ kind, about, story });
  };
  const lanes = lanesOf([...said, ...followed]);
  for (const { account, person } of lanes.values()) {
    const there = await written.messages(account, person);
    const isHere = (one: { account: string; person: string }): boolean =>
      one.account === account && one.person === person;
    const texts = there.filter(({ by }) => by === account).map(({ text }) => text);
    for (const one of said.filter(isHere)) {
      const isKnown = there.some(({ id }) => id === one.id);
      const about = `${aboutOf(one)}${isKnown ? "" : ", which the platform has forgotten"}`;
      await compare({ about, account, key: `message:${one.id}` }, answersTo(one), texts);
    }
    if (!followed.some(isHere)) continue;
    const about = `follow by ${person} of ${account}`;
    await compare({ about, account, key: `follow:${person}` }, [WELCOME], texts);
  }
  for (const account of new Set(questions.map((one) => one.account))) {
    const there = (await written.posts(account)).flatMap((text) => /heard \d+/u.exec(text) ?? []);
    for (const { id } of questions.filter((one) => one.account === account)) {
      const about = { about: `post ${id}`, account, key: `post:${id}` };
      await compare(about, [replyTo(id)], there);
    }
  }
  return { answered, faults };
}

interface Compared {
  readonly about: string;
  readonly account: string;
  /** Key of the event in the journal, or the beginning of this key. */
  readonly key: string;
}

/** Describes an event for a person to read: its rows in the journal and the outbox. */
async function storyOf(rig: SoakRig, account: string, key: string): Promise<readonly string[]> {
  const rows = (await rig.ask("journal", { account, key, limit: 1_000 })) ?? [];
  const items: Answers["outbox"][number][] = [];
  for (const { seq } of rows) {
    items.push(...((await rig.ask("outbox", { seq, limit: 1_000 })) ?? []));
  }
  if (rows.length === 0) return ["not in the journal"];
  return [
    ...rows.map(
      ({ seq, source, state, arrivedAt, runs, decision }) =>
        `journal ${seq} by ${source} at ${new Date(arrivedAt).toISOString()} ${state}; runs ${runs.map(({ owner, status }) => `${owner} ${status}`).join(", ")}; ${decision ?? ""}`,
    ),
    ...items.map(
      ({ id, status, attempts, platformId, reason }) =>
        `item ${id} ${status} attempts ${attempts} as ${platformId ?? "-"}: ${reason ?? ""}`,
    ),
  ];
}

function aboutOf({ id, person, account, text }: Said): string {
  return `message ${id} “${text}” of ${person} to ${account}`;
}

function lanesOf(all: readonly { readonly account: string; readonly person: string }[]) {
  return new Map(all.map((one) => [`${one.account}/${one.person}`, one]));
}
