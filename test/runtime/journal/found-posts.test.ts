import { describe, expect, it } from "vitest";
import { editedBody, foundBody } from "../../../src/events/kinds/post.ts";
import { activityDeliveries } from "../../../src/events/read/activity-delivery.ts";
import { type TranslatedEvent, translate } from "../../../src/events/translate.ts";
import { objectsAt, wireOf } from "../../../src/events/wire.ts";
import { isAnsweredEdit } from "../../../src/runtime/journal/edits.ts";
import { foundAmong } from "../../../src/runtime/journal/found-posts.ts";
import { ComeAgain } from "../../../src/runtime/source.ts";
import type { JournalQuery, JournalRow } from "../../../src/runtime/store/listings.ts";
import * as wire from "../../support/wire.ts";

const NOTHING = JSON.stringify({ rules: [] });

/** Translates the delivery of a mention, or of the same post found by queries. */
function mention(...queries: readonly string[]): TranslatedEvent {
  const body = wireOf(wire.post({ mentions: ["100"] })) ?? {};
  const [translated] = translate(queries.length === 0 ? body : foundBody(body, queries), 0);
  if (translated === undefined) throw new Error("no event");
  return translated;
}

function rowOf({ event, body }: TranslatedEvent, over: Partial<JournalRow> = {}): JournalRow {
  const { key, accountId: account, lane, kind, at } = event;
  const placed = { seq: 1, partition: 0, arrivedAt: at, source: "webhook" as const };
  const decided = { state: "done" as const, attempts: 0, decision: NOTHING, runs: [] };
  return {
    key,
    account,
    lane,
    kind,
    at,
    body: JSON.stringify(body),
    ...placed,
    ...decided,
    ...over,
  };
}

/** Translates an edit of the mention. */
function edit(): TranslatedEvent {
  const edit_history = { initial_tweet_id: "9001", edit_tweet_ids: ["9001", "9002"] };
  const delivery = wireOf(wire.post({ id: "9002", mentions: ["100"] }));
  const [post] = objectsAt(delivery, "post_create_events");
  const body = { for_user_id: "100", post_create_events: [{ ...post, edit_history }] };
  const [translated] = translate(editedBody(body, "hi", true), 0);
  if (translated === undefined) throw new Error("no event");
  return translated;
}

/** Returns a journal with these entries, of one lane. */
function journalOf(rows: readonly JournalRow[]) {
  const journal = async ({ key, before = Infinity }: JournalQuery) => {
    const matching = rows.filter((row) => (key === undefined ? row.seq < before : row.key === key));
    return matching.toReversed().slice(0, 1);
  };
  return { journal };
}

/** Returns the events that a search adds for a post of which the journal already has `rows`. */
function laterEvents(
  rows: readonly JournalRow[],
  event: TranslatedEvent,
): Promise<readonly TranslatedEvent[]> {
  return foundAmong(journalOf(rows), [event]);
}

describe("a post that a search finds", () => {
  it("first is one event for mention rules and search rules", () => {
    const { event } = mention("acme");

    expect(event.key).toBe(mention().event.key);
    expect(event.triggers).toEqual(["post.mentioned", "post.found"]);
    expect(event).toMatchObject({ foundBy: ["acme"] });
  });

  it("after a delivery on which no rule acted is another event for search rules", async () => {
    const [later, ...others] = await laterEvents([rowOf(mention())], mention("acme"));

    expect(others).toEqual([]);
    expect(later?.event).toMatchObject({
      key: "post_found:9001:1",
      lane: mention().event.lane,
      triggers: ["post.found"],
      foundBy: ["acme"],
    });
  });

  it("later by another query is a numbered event for that query alone", async () => {
    const first = mention("acme");
    const [second] = await laterEvents([rowOf(first)], mention("acme", "shoes"));
    if (second === undefined) throw new Error("no event");
    const [third] = await laterEvents([rowOf(first), rowOf(second)], mention("boots"));

    expect(second.event).toMatchObject({ key: "post_found:9001:1", foundBy: ["shoes"] });
    expect(third?.event).toMatchObject({ key: "post_found:9001:2", foundBy: ["boots"] });
  });

  it.each([
    ["a query that found it before", rowOf(mention("acme"))],
    ["a post that a rule or bot took", rowOf(mention(), { decision: '{"takenBy":"x"}' })],
    ["a post that could not be decided", rowOf(mention(), { state: "dead-lettered" })],
  ])("adds nothing for %s", async (_what, row) => {
    expect(await laterEvents([row], mention("acme"))).toEqual([]);
  });

  it("in a version that was edited since adds nothing", async () => {
    const rows = [rowOf(mention()), rowOf(edit(), { seq: 2, decision: '{"ran":["hours"]}' })];

    expect(await laterEvents(rows, mention("acme"))).toEqual([]);
  });

  it("and that was answered is not answered again after an edit", async () => {
    const [later] = await laterEvents([rowOf(mention())], mention("acme"));
    if (later === undefined) throw new Error("no event");
    const { event } = edit();
    if (event.kind !== "post") throw new Error("no post");
    const isAnswered = (decision: string) =>
      isAnsweredEdit(journalOf([rowOf(mention()), rowOf(later, { seq: 2, decision })]), event);

    expect(await isAnswered(NOTHING)).toBe(false);
    expect(await isAnswered('{"takenBy":"x"}')).toBe(true);
  });

  it("waits until the first event is decided", async () => {
    const open = rowOf(mention(), { state: "open" });

    await expect(laterEvents([open], mention("acme"))).rejects.toThrow(ComeAgain);
  });
});

describe("a quote that was delivered as a mention before", () => {
  /** Translates a delivery of the activity interface whose post refers to no other post. */
  function toldAs(event_type: string): TranslatedEvent {
    const created_at = "2026-01-02T03:04:05.000Z";
    const payload = { id: "9001", author_id: "200", text: "so true, @hello_bot", created_at };
    const body = { data: { event_type, filter: { user_id: "100" }, payload } };
    const deliveries = activityDeliveries(body, { usernameOf: () => "hello_bot" });
    const [translated] = translate(deliveries?.[0], 0);
    if (translated === undefined) throw new Error("no event");
    return translated;
  }
  const [asMention, asQuote] = ["post.mention.create", "post.quote.create"].map(toldAs);
  if (asMention === undefined || asQuote === undefined) throw new Error("no event");

  it("is another event for rules about quotes, once", async () => {
    const [later, ...others] = await laterEvents([rowOf(asMention)], asQuote);
    if (later === undefined) throw new Error("no event");

    expect(others).toEqual([]);
    expect(later.event).toMatchObject({ key: "post_found:9001:1", triggers: ["post.quoted"] });
    expect(await laterEvents([rowOf(asMention), rowOf(later)], asQuote)).toEqual([]);
    expect(await laterEvents([rowOf(asQuote)], asQuote)).toEqual([]);
    expect(await laterEvents([rowOf(asQuote)], asMention)).toEqual([]);
  });

  it("adds nothing if a rule or bot took the mention, and waits until that is decided", async () => {
    const answered = rowOf(asMention, { decision: '{"takenBy":"x"}' });
    expect(await laterEvents([answered], asQuote)).toEqual([]);
    const open = rowOf(asMention, { state: "open" });
    await expect(laterEvents([open], asQuote)).rejects.toThrow(ComeAgain);
  });
});
