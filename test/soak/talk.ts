import { answersTo, type Said } from "../crash/script.ts";
import type { SoakRig } from "./rig.ts";
import type { Written } from "./written.ts";

type Draw = (below: number) => number;

/** A post that mentions an account. */
export interface Asked {
  /** Id of the post. */
  readonly id: string;
  readonly account: string;
}

/** A follow of an account. */
export interface Followed {
  readonly person: string;
  readonly account: string;
}

/** Actions of the people so far. */
export interface Talk {
  readonly said: readonly Said[];
  readonly questions: readonly Asked[];
  readonly followed: readonly Followed[];
  /** Number of all actions. */
  readonly count: () => number;
  /** Performs the actions of one step, for accounts that are not revoked. */
  step(revoked: ReadonlySet<string>): Promise<void>;
  /** Real milliseconds from each message to its answer. */
  probe(): Promise<number>;
}

const KINDS = ["one", "one", "one", "two", "late"] as const;
const MAX_PER_STEP = 4;
const PERCENT_ASKS = 40;
const PERCENT_FOLLOWS = 25;

/** Creates people who write, mention and follow at random. */
export function talk(rig: SoakRig, draw: Draw, written: Written): Talk {
  const { control, people, accounts } = rig;
  const said: Said[] = [];
  const questions: Asked[] = [];
  const followed: Followed[] = [];
  const toFollow = people.flatMap((person) => accounts.map(({ id }) => ({ person, account: id })));
  let count = 0;
  const say = async (person: string, account: string, kind: Said["kind"]): Promise<Said> => {
    count += 1;
    const text = `${kind} ${String(count).padStart(6, "0")}`;
    const { id } = await control.act(person, { type: "dm", to: account, text });
    const one = { id, person, account, kind, text };
    said.push(one);
    return one;
  };
  const drawn = <T>(from: readonly T[]): T => {
    const one = from[draw(from.length)];
    if (one === undefined) throw new Error("nothing to draw from");
    return one;
  };
  const follow = async (revoked: ReadonlySet<string>): Promise<void> => {
    const place = toFollow.findIndex(({ account }) => !revoked.has(account));
    const [one] = place < 0 ? [] : toFollow.splice(place, 1);
    if (one === undefined) return;
    await control.act(one.person, { type: "follow", user_id: one.account });
    followed.push(one);
  };
  return {
    said,
    questions,
    followed,
    count: () => said.length + questions.length + followed.length,
    async step(revoked) {
      const there = accounts.filter(({ id }) => !revoked.has(id));
      for (let n = 1 + draw(MAX_PER_STEP); n > 0; n -= 1) {
        await say(drawn(people), drawn(there).id, drawn(KINDS));
      }
      if (draw(100) < PERCENT_ASKS) {
        const { id: account, username } = drawn(there);
        count += 1;
        const text = `@${username} question ${count}`;
        const { id } = await control.act(drawn(people), { type: "post", text });
        questions.push({ id, account });
      }
      if (draw(100) < PERCENT_FOLLOWS) await follow(revoked);
    },
    async probe() {
      const [person = ""] = people;
      const [{ id: account } = { id: "" }] = accounts;
      const startedAt = performance.now();
      const one = await say(person, account, "one");
      const [answer = ""] = answersTo(one);
      while (!(await written.latest(account, person)).includes(answer)) {
        if (performance.now() - startedAt > LONGEST_ANSWER_MS) break;
      }
      return performance.now() - startedAt;
    },
  };
}

/** Maximum latency that is recorded. Whether a later answer arrives is checked at the end. */
const LONGEST_ANSWER_MS = 10_000;
