import type {
  Escalation,
  EscalationQuery,
  NewEscalation,
  Silence,
} from "../../../src/runtime/store/escalation.ts";

/** Escalations to people. An open escalation can silence the bot in a conversation or an account. */
export class ModelEscalations {
  #all: readonly Escalation[] = [];
  #lastId = 0;

  add(one: NewEscalation): void {
    if (this.#all.some(({ key }) => key === one.key)) return;
    this.#all = [...this.#all, { ...one, id: (this.#lastId += 1) }];
  }

  /** Returns the silences that open escalations cause for a lane; the time of a silence may be over. */
  silences(lane: string): readonly Silence[] {
    const scopes = [lane, lane.slice(0, lane.indexOf("/"))];
    return this.#all.flatMap(({ id, run, silences, resolvedAt }) => {
      if (silences === undefined || !scopes.includes(silences.scope)) return [];
      if (resolvedAt !== undefined) return [];
      const { until } = silences;
      return [{ id, run, ...(until !== undefined && { until }) }];
    });
  }

  list({
    id,
    open,
    queue,
    account,
    person,
    before,
    limit,
  }: EscalationQuery): readonly Escalation[] {
    return this.#all
      .filter(
        (one) =>
          (id === undefined || one.id === id) &&
          (open === undefined || open === (one.resolvedAt === undefined)) &&
          (queue === undefined || one.queue === queue) &&
          (account === undefined || one.account === account) &&
          (person === undefined || namesOf(one).includes(person.toLowerCase())) &&
          (before === undefined || one.id < before),
      )
      .toReversed()
      .slice(0, limit);
  }

  resolve(id: number, at: number) {
    const current = this.#all.find((one) => one.id === id);
    if (current === undefined) return undefined;
    const changed = current.resolvedAt === undefined;
    const escalation = changed ? { ...current, resolvedAt: at } : current;
    this.#all = this.#all.map((one) => (one === current ? escalation : one));
    return { changed, escalation };
  }

  /** Deletes resolved escalations whose entry is gone. */
  prune(isStored: (seq: number) => boolean): void {
    this.#all = this.#all.filter(
      ({ seq, resolvedAt }) => resolvedAt === undefined || isStored(seq),
    );
  }

  openByQueue(): Readonly<Record<string, number>> {
    const open: Record<string, number> = {};
    for (const { queue, resolvedAt } of this.#all) {
      if (resolvedAt === undefined) open[queue] = (open[queue] ?? 0) + 1;
    }
    return open;
  }
}

function namesOf({ lane, account, username }: Escalation): readonly string[] {
  const handle = username?.toLowerCase();
  return [lane.slice(account.length + 1), ...(handle === undefined ? [] : [handle, `@${handle}`])];
}
