import { answersTo, type Said } from "../crash/script.ts";
import { replyTo, WELCOME } from "./script.ts";
import type { Talk } from "./talk.ts";
import type { Written } from "./written.ts";

/** What is wrong in the end, about one message, post or follow. */
export interface SoakFault {
  readonly kind: "lost" | "doubled";
  readonly about: string;
}

/** What people got, compared with what the rules call for. */
export interface SoakFindings {
  readonly answered: number;
  readonly faults: readonly SoakFault[];
}

/** Compares what is on the platform with what people said, asked and followed: each is to be answered once. */
export async function findings(
  { said, asked, followed }: Talk,
  written: Written,
): Promise<SoakFindings> {
  const faults: SoakFault[] = [];
  let answered = 0;
  const compare = (about: string, wanted: readonly string[], there: readonly string[]): void => {
    const times = wanted.map((text) => there.filter((one) => one === text).length);
    if (times.every((count) => count > 0)) answered += 1;
    else faults.push({ kind: "lost", about });
    if (times.some((count) => count > 1)) faults.push({ kind: "doubled", about });
  };
  const lanes = lanesOf([...said, ...followed]);
  for (const { account, person } of lanes.values()) {
    const there = await written.messages(account, person);
    const isHere = (one: { account: string; person: string }): boolean =>
      one.account === account && one.person === person;
    for (const one of said.filter(isHere)) compare(aboutOf(one), answersTo(one), there);
    if (followed.some(isHere)) compare(`follow by ${person} of ${account}`, [WELCOME], there);
  }
  for (const account of new Set(asked.map((one) => one.account))) {
    const there = (await written.posts(account)).flatMap((text) => /heard \d+/u.exec(text) ?? []);
    for (const { id } of asked.filter((one) => one.account === account)) {
      compare(`post ${id}`, [replyTo(id)], there);
    }
  }
  return { answered, faults };
}

function aboutOf({ id, person, account, text }: Said): string {
  return `message ${id} “${text}” of ${person} to ${account}`;
}

function lanesOf(all: readonly { readonly account: string; readonly person: string }[]) {
  return new Map(all.map((one) => [`${one.account}/${one.person}`, one]));
}
