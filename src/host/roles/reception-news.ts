import type { Arrival } from "../../runtime/webhook-link/arrivals.ts";
import type { ReceptionNote } from "./colleague.ts";

/** Arrivals and replayed events of a receiver since its previous note: the difference between two notes. */
export interface ReceptionNews {
  readonly arrivals: readonly NotedArrival[];
  /** Number of new events from replays, by account. */
  readonly replayed: ReadonlyMap<string, number>;
  /** Number of replayed events that the journal had already. */
  readonly repeated: number;
}

/** Delivery or challenge, with the greatest possible number of milliseconds between its arrival and the note. */
interface NotedArrival {
  readonly arrival: Arrival;
  readonly agoMs: number;
}

/** Compares a receiver's note with its previous note. From a first note only the latest times are used, no counts. */
export function newsIn(note: ReceptionNote, before: ReceptionNote | undefined): ReceptionNews {
  return {
    arrivals: [...challengesIn(note, before), ...deliveriesIn(note, before)],
    replayed: before === undefined ? new Map() : increases(note.replayed, before.replayed),
    repeated: before === undefined ? 0 : note.known - before.known,
  };
}

function challengesIn(note: ReceptionNote, before: ReceptionNote | undefined): NotedArrival[] {
  const { lastChallengeMs } = note;
  const isSigned = lastChallengeMs !== undefined;
  const answered = { kind: "challenge", answered: true, isFromPlatform: isSigned } as const;
  const latest = { arrival: answered, agoMs: lastChallengeMs ?? 0 };
  if (before === undefined) return isSigned ? [latest] : [];
  const more = (name: "challenges" | "challengesRefused" | "hints"): number =>
    Math.max(0, note[name] - before[name]);
  const refused = more("challengesRefused");
  const fromOthers = refused - more("hints");
  return [
    ...Array.from({ length: more("challenges") }, () => latest),
    ...Array.from({ length: refused }, (_, index): NotedArrival => {
      const isFromPlatform = index >= fromOthers;
      return { arrival: { kind: "challenge", answered: false, isFromPlatform }, agoMs: 0 };
    }),
  ];
}

function deliveriesIn(note: ReceptionNote, before: ReceptionNote | undefined): NotedArrival[] {
  const hasNew = before === undefined || note.deliveries > before.deliveries;
  const delivered = hasNew ? Object.entries(note.accounts) : [];
  const refused = before && increases(note.refused ?? {}, before.refused ?? {});
  return [
    ...delivered.map(([account, agoMs]): NotedArrival => {
      return { arrival: { kind: "delivery", account }, agoMs };
    }),
    ...[...(refused?.keys() ?? [])].map((account): NotedArrival => {
      return { arrival: { kind: "refused", account }, agoMs: 0 };
    }),
  ];
}

/** Returns by how much the counts of `now` exceed those of `before`, without counts that did not grow. */
function increases(
  now: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): ReadonlyMap<string, number> {
  const grown = Object.entries(now).map(([key, n]) => [key, n - (before[key] ?? 0)] as const);
  return new Map(grown.filter(([, more]) => more > 0));
}
