import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endsAt, type OpeningHours } from "../../../../src/hours/opening-hours.ts";
import { readOpen } from "../../../../src/hours/read-hours.ts";
import { openLog } from "../../../../src/runtime/log.ts";
import { changeItem } from "../../../../src/runtime/outbox/change-item.ts";
import { type HeldAnswers, heldAnswers } from "../../../../src/runtime/outbox/held.ts";
import type { Store } from "../../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../../support/hand-clock.ts";
import { heldLeases } from "../../../support/held-leases.ts";
import { when } from "../../../support/when.ts";
import { afterQuietHours } from "../../../../src/runtime/runs/restraints/quiet-hours.ts";
import { item } from "../../store/builders.ts";
import type { Place } from "../../store/contract.ts";
import { folderPlace } from "../../store/place.ts";
import { type Life, liveOn, type Said } from "../lives.ts";

const RULES = `version: 1
rules:
  - id: later
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: remind}}]
    actions: [{delay: 3h}, {reply_dm: A reminder.}, {reply_dm: And another.}]
  - id: size
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions: [{ask: {text: "Which size?", within: 12h, on_timeout: [stop: none]}}, {delay: 5m}, {reply_dm: Done.}]
  - id: fallback
    fallback: true
    triggers: [dm.received]
    actions: [{reply_dm: "Sorry?"}]
`;
const HOUR = 60 * 60_000;
const EVENING = Date.parse("2026-03-02T21:00:00+01:00");
const NIGHT: OpeningHours = {
  zone: "Europe/Berlin",
  open: readOpen("22:00-07:00") ?? [],
  closed: [],
};

let place: Place;
let store: Store;
let clock: HandClock;
let life: Life;
let held: HeldAnswers;
let platform: Said[];
let notices: string[];

beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
  clock = handClock(EVENING);
  platform = [];
  notices = [];
  const restraints = { quietHoursOf: () => NIGHT };
  life = await liveOn({ store, clock, rules: RULES, platform, restraints });
  const leases = heldLeases(await store.lease("me", 60_000));
  const log = openLog({ level: "silent" });
  const change = changeItem({ name: "me", store, clock, log, events: { publish: () => {} } });
  const onHeld = async ({ reason }: { readonly reason: string }) => void notices.push(reason);
  const holders = () => leases.held().map((lease) => ({ worker: "me", lease }));
  held = heldAnswers({ store, change, clock, log, leases, holders, onHeld, wake: () => {} });
});
afterEach(async () => {
  await held.stop();
  await life.end();
  await store.close();
  await place.remove();
});

const texts = (): string[] => platform.map(({ text }) => text);
const said = (count: number) =>
  when(async () => {
    await life.sends();
    return texts().length >= count ? texts() : undefined;
  });
const heldItems = () =>
  when(async () => {
    await life.sends();
    const items = await store.items({ status: "held", limit: 9 });
    return items.length > 0 ? items : undefined;
  });
/** Waits until the newest event's run has the status `waiting`. */
const waits = () =>
  when(async () => {
    const [row] = await store.journal({ limit: 1 });
    return row?.runs[0]?.status === "waiting" || undefined;
  });
const goOn = (ms: number): void => {
  clock.advance(ms);
  life.wake();
};

describe("in quiet hours", () => {
  it("people who have not written for an hour get messages in the morning", async () => {
    await life.hears("1", "200", "remind me");
    await waits();
    goOn(3 * HOUR);
    expect(await heldItems()).toMatchObject([
      {
        action: { text: "A reminder." },
        reason: "quiet hours",
        notBefore: Date.parse("2026-03-03T07:00:00+01:00"),
      },
    ]);
    expect(texts()).toEqual([]);
    expect(await held.list()).toEqual([]);

    goOn(7 * HOUR);
    expect(await said(2)).toEqual(["A reminder.", "And another."]);
    expect(notices).toEqual([]);
  });

  it("people who write are answered, also before messages that wait for the morning", async () => {
    await life.hears("1", "200", "remind me");
    await waits();
    goOn(3 * HOUR);
    await heldItems();
    await life.hears("2", "200", "are you awake?");

    expect(await said(1)).toEqual(["Sorry?"]);
  });

  it("a conversation continues as long as the person does", async () => {
    await life.hears("1", "200", "order");
    expect(await said(1)).toEqual(["Which size?"]);
    goOn(3 * HOUR);
    await life.hears("2", "200", "large");
    await when(async () => {
      const [row] = await store.journal({ limit: 1 });
      return row?.state === "done" ? row : undefined;
    });
    goOn(6 * 60_000);

    expect(await said(2)).toEqual(["Which size?", "Done."]);
  });
});

describe("the end of quiet hours", () => {
  it.each([
    ["22:00-07:00", "2026-03-02T23:30:00+01:00", "2026-03-03T07:00:00+01:00"],
    ["22:00-07:00", "2026-03-28T23:30:00+01:00", "2026-03-29T07:00:00+02:00"],
    ["sat,sun 00:00-24:00", "2026-03-07T12:00:00+01:00", "2026-03-09T00:00:00+01:00"],
    ["08:00-09:00", "2026-03-07T12:00:00+01:00", "2026-03-07T12:00:00+01:00"],
    ["00:00-24:00", "2026-03-02T00:00:00+01:00", "2026-03-10T00:00:00+01:00"],
  ])("%s at %s: %s", (times, at, end) => {
    const hours = { ...NIGHT, open: readOpen(times) ?? [] };
    expect(new Date(endsAt(hours, Date.parse(at))).toISOString()).toBe(new Date(end).toISOString());
  });
});

describe("an answer in quiet hours", () => {
  const at = (time: string) => Date.parse(`2026-03-02T${time}+01:00`);

  it.each([
    { now: "23:00:00", heardAgo: HOUR, waits: false, why: "the person wrote an hour ago" },
    { now: "23:00:00", heardAgo: HOUR + 1, waits: true, why: "it is longer than an hour" },
    { now: "23:00:00", heardAgo: undefined, waits: true, why: "the person has not written" },
    { now: "21:59:59.999", heardAgo: undefined, waits: false, why: "they have not begun" },
    { now: "22:00:00", heardAgo: undefined, waits: true, why: "they begin" },
    { now: "06:59:59.999", heardAgo: undefined, waits: true, why: "they have not ended" },
    { now: "07:00:00", heardAgo: undefined, waits: false, why: "they have ended" },
  ])("waits: $waits, at $now, since $why", ({ now: time, heardAgo, waits }) => {
    const now = at(time);
    const queued = item({
      notBefore: 0,
      ...(heardAgo !== undefined && { heardAt: now - heardAgo }),
    });
    const { holdReason, notBefore } = afterQuietHours(queued, NIGHT, now);

    expect({ holdReason, isLater: notBefore > now }).toEqual({
      holdReason: waits ? "quiet hours" : undefined,
      isLater: waits,
    });
  });

  it("that is for later waits if that time is in them, and expires as much later", () => {
    const now = at("21:00:00");
    const [night, evening] = [now + 2 * HOUR, now + HOUR / 2];
    const queued = (notBefore: number) =>
      afterQuietHours(item({ notBefore, expiresAt: notBefore + HOUR }), NIGHT, now);
    const morning = Date.parse("2026-03-03T07:00:00+01:00");

    expect(queued(night)).toMatchObject({ notBefore: morning, expiresAt: morning + HOUR });
    expect(queued(evening)).toMatchObject({ notBefore: evening, expiresAt: evening + HOUR });
  });
});
