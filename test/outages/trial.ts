import type { Answers } from "../../src/runtime/control/contract.ts";
import { seeded } from "../support/seeded.ts";
import { when } from "../support/when.ts";
import { type Draw, planOf, SHAPE_NAMES, type ShapeName, sourcesOf } from "./shapes.ts";
import { type OutageSource, OutageWorld } from "./world.ts";

/** An action that the bot should receive as an event. */
interface Done {
  readonly kind: Kind;
  /** Account of the bot that the action is for. */
  readonly account: string;
  /** Time in milliseconds since the epoch, by the platform's clock. */
  readonly at: number;
  /** Text that only this action's event contains, among events of its kind. */
  readonly mark: string;
}

const KINDS = ["messages", "mentions", "follows", "likes", "blocks", "mutes", "deletions"] as const;
type Kind = (typeof KINDS)[number];

/** A violation that the trial has found. */
export interface OutageFault {
  readonly type: "lied" | "lost" | "doubled";
  /** Description of the event, its time, and the ledger's state for that time. */
  readonly about: string;
}

/** Result of a trial. */
export interface TrialOutcome {
  readonly seed: number;
  readonly shape: ShapeName;
  readonly source: OutageSource;
  /** Number of actions; `untold` is the number of those whose events never arrived. */
  readonly done: number;
  readonly untold: number;
  readonly faults: readonly OutageFault[];
}

const MINUTE = 60_000;

/** Minutes of a trial: at most `BEFORE`, then an outage of at most `LONGEST_OUTAGE`, then `AFTER`. */
const BEFORE = 90;
const LONGEST_OUTAGE = 100;
const AFTER = 30;

/** Minutes within which the bot has checked each hour's coverage and replayed all time that can be replayed. */
const SETTLES_WITHIN = 240;

/** Limits after which missing time is a fault: first minutes of the sandbox's clock, then real milliseconds. */
const STUCK_AFTER = 120;
const STUCK_MS = 60_000;

/** States by which the ledger admits that events may be missing. A missing event in such a time is not a lie. */
const TOLD: ReadonlySet<string> = new Set(["unproven", "missing", "too-recent", "lost", "none"]);

const OPEN: ReadonlySet<string> = new Set(["missing", "too-recent"]);

/** Kinds of events that the bot can also read from the platform later. Only those of `lost` time may be missing. */
const READ: ReadonlySet<Kind> = new Set<Kind>(["messages", "mentions"]);

/** Runs a random outage around a bot with two accounts, and checks its ledger afterwards. */
export async function outageTrial(
  seed: number,
  options: { readonly shape?: ShapeName | undefined } = {},
): Promise<TrialOutcome> {
  // Random numbers of neighbouring seeds resemble each other, so the seeds are spread (Knuth's multiplicative
  // hashing).
  const draw = seeded(Math.imul(seed, 2_654_435_761));
  const shape = options.shape ?? pick(SHAPE_NAMES, draw);
  const source = pick(sourcesOf(shape), draw);
  const world = await OutageWorld.open(source);
  try {
    const done = await live(world, shape, draw);
    const stuck = await settle(world);
    const judgement = await judged(world, done);
    return { seed, shape, source, ...judgement, faults: [...stuck, ...judgement.faults] };
  } finally {
    await world.close();
  }
}

/** Performs the planned actions of people during the outage. */
async function live(world: OutageWorld, shape: ShapeName, draw: Draw): Promise<readonly Done[]> {
  const from = 5 + draw(BEFORE);
  const to = from + 3 + draw(LONGEST_OUTAGE);
  const plan = planOf(shape, { from, to, draw });
  const acting = new Acting(world, draw);
  const often = 1 + draw(8);
  await world.control.advance(MINUTE);
  for (let minute = 0; minute < to + AFTER; minute++) {
    for (const step of plan.get(minute) ?? []) await step(world);
    if (draw(often) === 0) await acting.act(pick(KINDS, draw));
    await world.control.advance(MINUTE);
    if (draw(8) === 0) await idle(world);
  }
  return acting.done;
}

/** Waits until the bot has no undecided event and no unsent item. */
async function idle(world: OutageWorld): Promise<void> {
  if (!world.isUp) return;
  await when(async () => {
    const { inbox, items } = (await world.status()).store;
    return inbox + items.pending + items.sending === 0 ? true : undefined;
  });
}

/** Ends the outage, and waits until no missed time is left to catch up. @returns Time that stays missing. */
async function settle(world: OutageWorld): Promise<readonly OutageFault[]> {
  await world.mend();
  await world.startBot();
  // The webhook link retries in real time, and a busy machine gives it little during a minute of the sandbox's
  // clock.
  await when(async () => ((await world.status()).missing.length === 0 ? true : undefined));
  for (let minute = 0; minute < SETTLES_WITHIN; minute += 1) {
    await world.control.advance(MINUTE);
    if (minute % 10 === 0) await idle(world);
  }
  const from = await world.now();
  const openSpans = async (): Promise<readonly OutageFault[]> =>
    (await world.coverage()).accounts.flatMap(({ username, spans }) =>
      spans
        .filter((span) => span.to <= from && OPEN.has(span.state))
        .map((span) => ({ type: "lost", about: `${username}: ${spanText(span)}` }) as const),
    );
  let stuck = await openSpans();
  for (let minute = 0; minute < STUCK_AFTER && stuck.length > 0; minute += 1) {
    await world.control.advance(MINUTE);
    await idle(world);
    stuck = await openSpans();
  }
  // Deliveries in flight when the clock was set back have half a minute of real time to arrive.
  for (const since = performance.now(); stuck.length > 0 && performance.now() - since < STUCK_MS;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await world.control.advance(1_000);
    stuck = await openSpans();
  }
  await idle(world);
  return stuck;
}

function spanText({ from, to, state }: { from: number; to: number; state: string }): string {
  return `${state} from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
}

async function judged(
  world: OutageWorld,
  done: readonly Done[],
): Promise<Pick<TrialOutcome, "done" | "untold" | "faults">> {
  const [journal, { accounts }] = [await world.journal(), await world.coverage()];
  const untold = done.filter((one) => !journal.some((row) => tellsOf(row, one)));
  const faults = untold.flatMap((one): readonly OutageFault[] => {
    const account = accounts.find(({ id }) => id === one.account);
    const state = account?.kinds[one.kind].find(({ to }) => to > one.at)?.state ?? "none";
    const about = `${one.kind} of ${new Date(one.at).toISOString()} for ${account?.username ?? "?"}: ${state}`;
    const lied = TOLD.has(state) ? [] : [{ type: "lied", about } as const];
    const isToBeRead = READ.has(one.kind) && state !== "lost" && state !== "none";
    return isToBeRead ? [...lied, { type: "lost", about }] : lied;
  });
  const answers = new Map<string, number>();
  for (const { sender_id: sender, text = "" } of await world.control.objects("dm_events", 1_000)) {
    if (world.bots.includes(sender)) answers.set(text, (answers.get(text) ?? 0) + 1);
  }
  const doubled = [...answers]
    .filter(([, times]) => times > 1)
    .map(([about]): OutageFault => ({ type: "doubled", about }));
  return { done: done.length, untold: untold.length, faults: [...faults, ...doubled] };
}

function tellsOf(row: Answers["journal"][number], { kind, account, mark }: Done): boolean {
  if (row.account !== account) return false;
  return kind === "deletions" ? row.key === `post_deleted:${mark}` : row.body.includes(mark);
}

/** Performs actions, each by a new person. */
class Acting {
  readonly done: Done[] = [];
  readonly #world: OutageWorld;
  readonly #draw: Draw;
  #people = 0;

  constructor(world: OutageWorld, draw: Draw) {
    this.#world = world;
    this.#draw = draw;
  }

  async act(kind: Kind): Promise<void> {
    const { control, bots } = this.#world;
    const which = this.#draw(bots.length);
    const account = bots[which] ?? "";
    this.#people += 1;
    const person = await control.user(`person${this.#people}`);
    const at = await this.#world.now();
    const note = (mark: string): void => void this.done.push({ kind, account, at, mark });
    const word = `word${this.#people}x`;
    switch (kind) {
      case "messages":
        await control.act(person, { type: "dm", to: account, text: word });
        return note(word);
      case "mentions": {
        const text = `@${which === 0 ? "hello_bot" : "second_bot"} ${word}`;
        await control.act(person, { type: "post", text });
        return note(word);
      }
      case "follows":
        await control.act(person, { type: "follow", user_id: account });
        return note(person);
      case "likes": {
        const { id } = await control.act(account, { type: "post", text: word });
        await control.act(person, { type: "like", post_id: id });
        return note(person);
      }
      case "blocks":
        await control.act(account, { type: "block", user_id: person });
        return note(person);
      case "mutes":
        await control.act(account, { type: "mute", user_id: person });
        return note(person);
      case "deletions": {
        const { id } = await control.act(account, { type: "post", text: word });
        await control.act(account, { type: "delete", post_id: id });
        return note(id);
      }
    }
  }
}

function pick<T>(from: readonly T[], draw: Draw): T {
  const picked = from[draw(from.length)];
  if (picked === undefined) throw new Error("nothing to pick from");
  return picked;
}
