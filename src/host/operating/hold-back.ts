import { laneOf } from "../../events/lane.ts";
import type { Clock } from "../../runtime/clock/clock.ts";
import type { DecidePort } from "../../runtime/store/store.ts";
import { shell } from "../../text/shell.ts";
import type { ServedAccounts } from "../../runtime/accounts/served-accounts.ts";
import type { Answers, CheckedRequests } from "../../runtime/control/contract.ts";
import type { RuntimeStatus } from "../../runtime/control/status-schema.ts";
import type { EscalationOperations } from "../../runtime/control/handlers.ts";
import type { HeldByHand, HeldLane } from "../../runtime/outbox/held-by-hand.ts";
import { type UsernameFinder, personOf } from "../answering/held-alarm.ts";
import type { Pausing } from "../answering/pausing.ts";
import { isNamed } from "../../text/handle.ts";

/** Pauses and held answers, and the operations with which an operator ends them. */
export interface HoldBack {
  pause(request: CheckedRequests["pause"]): Promise<Answers["pause"]>;
  resume(request: CheckedRequests["resume"]): Promise<Answers["resume"]>;
  paused(): RuntimeStatus["paused"];
  /** Returns the accounts in which an escalation silences all conversations; no field if there are none. */
  silenced(): Promise<Silenced>;
  /** Returns the held answers by person; only the first 1,000 items are read. */
  held(): Promise<RuntimeStatus["held"]>;
}

export interface HoldBackNeeds {
  readonly pausing: Pausing;
  readonly held: HeldByHand;
  readonly accounts: Pick<ServedAccounts, "list">;
  readonly escalations: EscalationOperations;
  readonly usernameOf: UsernameFinder;
  readonly store: Pick<DecidePort, "silences">;
  readonly clock: Pick<Clock, "now">;
}

type Silenced = Pick<RuntimeStatus, "silenced">;

/** Maximum number of held items that a status reads, because a status is requested often. */
const MAX_SHOWN = 1_000;

/** Returns the operations on pauses and held answers. Requests name accounts and persons by handle or user id. */
export function holdBack(needs: HoldBackNeeds): HoldBack {
  const { pausing, accounts } = needs;
  const paused = (): RuntimeStatus["paused"] => shownPauses(needs);
  const held = async (most?: number): Promise<RuntimeStatus["held"]> => {
    const lanes = (await needs.held.list(most)).slice(0, most);
    return Promise.all(lanes.map(async (lane) => heldOf(lane, await needs.usernameOf(lane))));
  };
  /** Returns the user id of an account, or a refusal if no such account is linked. */
  const idOf = (account: string): string | Refusal =>
    accounts.list().find((one) => isNamed(one, account))?.id ?? notLinked(account);
  /** Returns the user id of an account to resume. An account that is not linked any more has to be named by its id. */
  const idToResume = async (account: string): Promise<string | Refusal> => {
    const linked = idOf(account);
    if (typeof linked === "string") return linked;
    const all = [...pausing.list(), ...(await held())].flatMap((one) => one.account ?? []);
    const unlinked = all.filter((id) => accounts.list().every((one) => one.id !== id));
    const [example] = unlinked;
    const named = unlinked.find((id) => isNamed({ id, username: id }, account));
    if (named !== undefined || example === undefined) return named ?? linked;
    const command = shell`answerback resume --account ${example}`;
    const hint = `${linked.hint}; name an account that was unlinked by its user id: ${command}`;
    return { ...linked, hint };
  };

  return {
    paused,
    silenced: () => silencedAccounts(needs),
    held: () => held(MAX_SHOWN),
    async pause({ account }) {
      const id = account === undefined ? undefined : idOf(account);
      if (typeof id === "object") return id;
      return { done: true, changed: await pausing.pause(id), paused: paused() };
    },
    async resume({ account, person, drop }) {
      if (drop && person === undefined) return NO_PERSON;
      const id = account === undefined ? undefined : await idToResume(account);
      if (typeof id === "object") return id;
      if (person !== undefined) {
        const all = (await held()).filter((one) => id === undefined || one.account === id);
        const released = await releaseHeld(needs, all, { account: id, person, drop });
        if ("reason" in released) return released;
        const silenced = await silencedAccounts(needs, id);
        return { done: true, paused: paused(), ...released, ...silenced };
      }
      const everybody = pausing.list().some((pause) => pause.account === undefined);
      if (id !== undefined && everybody) {
        const reason = "all accounts are paused, not this one alone";
        return { done: false, reason, hint: "resume all of them: answerback resume" };
      }
      const changed = await pausing.resume(id);
      const silenced = await silencedAccounts(needs, id);
      return { done: true, changed, paused: paused(), items: 0, ...silenced };
    },
  };
}

const NO_PERSON: Refusal = {
  done: false,
  reason: "drop discards the held answers to one person, and no person is named",
  hint: "name the person: answerback resume --person ana --drop",
};

function notLinked(account: string): Refusal {
  const hint = "list them with: answerback status";
  return { done: false, reason: `no account ${account} is linked`, hint };
}

function shownPauses({
  pausing,
  accounts,
}: Pick<HoldBackNeeds, "pausing" | "accounts">): RuntimeStatus["paused"] {
  return pausing.list().map(({ account, since }) => {
    const linkedAccount = accounts.list().find(({ id }) => id === account);
    return {
      ...(account === undefined ? {} : { account }),
      ...(linkedAccount === undefined ? {} : { username: linkedAccount.username }),
      since: new Date(since).toISOString(),
    };
  });
}

/** Returns the silences of whole accounts. @param only User id of the only account to read; absent: all accounts. */
async function silencedAccounts(
  { accounts, store, clock }: Pick<HoldBackNeeds, "accounts" | "store" | "clock">,
  only?: string,
): Promise<Silenced> {
  const now = clock.now();
  const chosen = accounts.list().filter(({ id }) => only === undefined || id === only);
  const silenced = await Promise.all(
    chosen.map(async ({ id: account, username }) => {
      // The lane of no person has only the silences of the whole account.
      const silences = await store.silences(laneOf(account, ""));
      return silences
        .filter(({ until = Infinity }) => until > now)
        .map(({ id: escalation, until }) => ({
          account,
          username,
          escalation,
          ...(until !== undefined && { until: new Date(until).toISOString() }),
        }));
    }),
  );
  return silenced.flat().length === 0 ? {} : { silenced: silenced.flat() };
}

interface ReleaseOrder {
  readonly account: string | undefined;
  /** Handle or user id. */
  readonly person: string;
  readonly drop: boolean;
}

/** Releases those of the held answers in `all` that are for one person, and resolves the person's hand-overs. */
async function releaseHeld(
  { held, escalations: desk }: Pick<HoldBackNeeds, "held" | "escalations">,
  all: RuntimeStatus["held"],
  { account, person, drop }: ReleaseOrder,
) {
  const lanes = all.filter(({ person: id, username }) => isNamed({ id, username }, person));
  const open = drop ? [] : await openHandOvers(desk, person, account);
  const people = [...lanes, ...open].map(({ lane }) => personOf(lane));
  // An id is the person with this id, even if it is also the handle of another person.
  const meant = people.includes(person) ? [person] : people;
  const ambiguous = severalPeople(person, meant);
  if (ambiguous !== undefined) return ambiguous;
  const isMeant = ({ lane }: Pick<HeldLane, "lane">) => meant.includes(personOf(lane));
  let items = 0;
  for (const { lane } of lanes.filter(isMeant)) {
    items += await held.release(lane, drop ? "dropped" : "sent");
  }
  const ended = await giveBack(desk, open.filter(isMeant));
  const escalations = ended.length > 0 ? { escalations: ended } : {};
  return { changed: items + ended.length > 0, items, ...escalations };
}

/** Maximum number of open hand-overs that are read for one person. */
const MAX_OPEN = 1_000;

/** Returns the open hand-overs that silence rules and bots for a person. */
async function openHandOvers(
  desk: EscalationOperations,
  person: string,
  account: string | undefined,
): Promise<Answers["escalations"]> {
  const query = { person, state: "open" as const, limit: MAX_OPEN };
  const open = await desk.list(account === undefined ? query : { ...query, account });
  return open.filter(({ silences, lane }) => silences?.scope === lane);
}

/** Refuses a handle that has passed from one person to another. @param people User ids that had the handle. */
function severalPeople(meant: string, people: readonly string[]): Refusal | undefined {
  const [first = "", ...others] = new Set(people);
  if (others.length === 0) return undefined;
  return {
    done: false,
    reason: `several people have had the handle ${meant}: ${[first, ...others].join(", ")}`,
    hint: `name one by user id: ${shell`answerback resume --person ${first}`}`,
  };
}

/** Resolves hand-overs. @returns Ids of the hand-overs that were open. */
async function giveBack(
  desk: EscalationOperations,
  open: Answers["escalations"],
): Promise<readonly number[]> {
  const ended: number[] = [];
  for (const { id } of open) {
    const resolved = await desk.resolve(id);
    if (resolved.done && resolved.changed) ended.push(id);
  }
  return ended;
}

type Refusal = Extract<Answers["pause"], { done: false }>;

function heldOf(held: HeldLane, username: string | undefined): RuntimeStatus["held"][number] {
  const { account, lane, items, since, reason } = held;
  return {
    account,
    person: personOf(lane),
    ...(username === undefined ? {} : { username }),
    lane,
    items,
    since: new Date(since).toISOString(),
    reason,
  };
}
