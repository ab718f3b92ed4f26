import type { Draws } from "./time/draws.ts";

/** Action of a person that the bot has to answer. */
export interface Act {
  /** Milliseconds of the simulation. */
  readonly at: number;
  readonly person: string;
  readonly kind: ActKind;
  /** Number that distinguishes the action from others of its kind. */
  readonly n: number;
}

/** Kinds of actions, named for the rule that answers each. */
export type ActKind =
  | "ask"
  | "hours"
  | "twice"
  | "later"
  | "both"
  | "thanks"
  | "news"
  | "mention"
  | "welcome"
  /** An operator answers the person by hand, and repeats the request until it is accepted. */
  | "hand";

/** Actions of the people in the simulation of one seed. */
export interface Script {
  readonly acts: readonly Act[];
  /** People who accept no messages. */
  readonly refusing: ReadonlySet<string>;
}

const KINDS: readonly [ActKind, ...ActKind[]] = [
  "ask",
  "ask",
  "hours",
  "hours",
  "twice",
  "later",
  "both",
  "thanks",
  "news",
  "mention",
  "welcome",
  "hand",
];

/** Draws the actions of people: 3 to 9, half of them within 40 ms of the one before. */
export function scriptOf(draws: Draws, until: number): Script {
  const people = Array.from({ length: 1 + draws.below(4) }, (_, n) => String(201 + n));
  const refusing = new Set(people.filter(() => draws.chance(0.08)));
  const count = 3 + draws.below(7);
  let at = 0;
  const acts = Array.from({ length: count }, (_, n): Act => {
    at = draws.chance(0.5) ? at + draws.between(0, 40) : draws.between(0, until);
    const person = people[draws.below(people.length)] ?? "201";
    return { at, person, kind: draws.oneOf(KINDS), n: n + 1 };
  });
  return { acts: acts.sort((a, b) => a.at - b.at), refusing };
}

/** Text that a person must get, and the number of copies. */
export interface Wanted {
  /** Description, such as `message 201: Welcome.` */
  readonly what: string;
  readonly person: string;
  /** Number of copies for each action. */
  readonly times: number;
  /** Whether the text is sent once in total, however many actions cause it. */
  readonly once: boolean;
}

/** Returns the texts that the rules must send after an action. Implements the rules a second time, for comparison. */
export function wantedFor(act: Act, postId: string): readonly Wanted[] {
  const { kind, person, n } = act;
  const message = (text: string, times = 1, once = false): Wanted => ({
    what: `message ${person}: ${text}`,
    person,
    times,
    once,
  });
  const other = (what: string, once = false): Wanted => ({ what, person, times: 1, once });
  switch (kind) {
    case "ask":
      return [message(`Answer to ask ${n}`)];
    case "hours":
      return [message("We are open.")];
    case "twice":
      return [message(`Again: twice ${n}`, 2)];
    case "later":
      return [message(`Looking into later ${n}`), message(`Done: later ${n}`)];
    case "both":
      return [
        message(`First of both ${n}`),
        message(`Second of both ${n}`),
        message(`All of both ${n}`),
      ];
    case "thanks":
      return [message("You are welcome.", 1, true)];
    case "news":
      return [{ what: "message to anybody: You are the first.", person, times: 1, once: true }];
    case "mention":
      return [other(`like ${postId}`), other(`post ${postId}: Hello, hi ${n}`)];
    case "welcome":
      return [other(`follow ${person}`, true), message("Welcome.", 1, true)];
    case "hand":
      return [message(`By hand ${n}`)];
  }
}
