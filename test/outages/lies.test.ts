import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { when } from "../support/when.ts";
import { type OutageSource, OutageWorld } from "./world.ts";

const MINUTE = 60_000;
type Kind = "messages" | "follows" | "likes";

let world: OutageWorld;
let people = 0;
beforeEach(() => {
  people = 0;
});
afterEach(() => world.close());

const minutes = async (count: number): Promise<void> => {
  for (let minute = 0; minute < count; minute += 1) await world.control.advance(MINUTE);
};

const person = (): Promise<string> => {
  people += 1;
  return world.control.user(`person${people}`);
};
const bot = (): string => world.bots[0] ?? "";

/** Lets a new person like a post of the bot, follow it, or write to it. Returns the time and the person. */
async function happens(kind: Kind): Promise<{ readonly at: number; readonly by: string }> {
  const by = await person();
  const at = await world.now();
  if (kind === "messages") await world.control.act(by, { type: "dm", to: bot(), text: `by ${by}` });
  else if (kind === "follows") await world.control.act(by, { type: "follow", user_id: bot() });
  else {
    const { id } = await world.control.act(bot(), { type: "post", text: `for ${by}` });
    await world.control.act(by, { type: "like", post_id: id });
  }
  return { at, by };
}

/** Returns the state that the coverage ledger has for a kind of event at a time. */
async function stateOf(kind: Kind, at: number): Promise<string | undefined> {
  const account = (await world.coverage()).accounts.find(({ id }) => id === bot());
  return account?.kinds[kind].find(({ to }) => to > at)?.state;
}

const came = async (by: string): Promise<boolean> =>
  (await world.journal()).some(({ body, kind }) => kind !== "post" && body.includes(by));

/** Advances the clock until the bot has received the person's action. */
const comesAtLast = (by: string) =>
  when(async () => {
    await world.control.advance(MINUTE);
    return (await came(by)) ? true : undefined;
  });

/** Moves the clock on until no time is missing any more. */
const isSettled = () =>
  when(async () => {
    await world.control.advance(MINUTE);
    const { accounts } = await world.coverage();
    const isOpen = accounts.some(({ spans }) => spans.some(({ state }) => state === "missing"));
    return isOpen ? undefined : true;
  });

const TOLD_OR_READ = ["unproven", "missing", "compared", "backfilled"];
const UNPROVEN = ["unproven", "missing", "too-recent"];

const opened = async (source: OutageSource = "webhook"): Promise<void> => {
  world = await OutageWorld.open(source);
  await minutes(2);
};

describe("the ledger", () => {
  it("does not treat an empty reading as proof that an earlier like arrived", async () => {
    await opened();
    await minutes(15);
    await world.cut();
    const like = await happens("likes");
    await minutes(25);
    const message = await happens("messages");
    await minutes(5);
    expect(UNPROVEN).toContain(await stateOf("likes", like.at));
    await world.mend();

    await comesAtLast(message.by);
    await comesAtLast(like.by);
    await isSettled();
    expect(await stateOf("likes", like.at)).toBe("replayed");
  });

  it("calls no time between two findings of one outage delivered", async () => {
    await opened();
    await world.cut();
    const first = await happens("messages");
    await comesAtLast(first.by);
    const follow = await happens("follows");
    await minutes(12);
    const second = await happens("messages");
    await comesAtLast(second.by);
    expect(UNPROVEN).toContain(await stateOf("follows", follow.at));
    await world.mend();

    await comesAtLast(follow.by);
    await isSettled();
    expect(await stateOf("follows", follow.at)).toBe("replayed");
  });

  it("has a follow delivered again of an outage in which nothing else happened", async () => {
    await opened();
    await world.cut();
    const follow = await happens("follows");
    await minutes(20);
    await world.mend();
    await minutes(5);
    expect(await came(follow.by)).toBe(false);
    expect(await stateOf("follows", follow.at)).toBe("unproven");

    await comesAtLast(follow.by);
  });

  it("has missing likes delivered again even if nothing else is missing", async () => {
    await opened();
    await world.control.post("/faults", {
      match: { direction: "delivery", event: "favorite_events" },
      fault: { type: "status", status: 500 },
      when: { always: true },
    });
    const like = await happens("likes");
    for (let round = 0; round < 6; round += 1) {
      await minutes(3);
      await happens("messages");
    }
    await world.control.call("DELETE", "/faults");
    expect(await came(like.by)).toBe(false);
    expect(await stateOf("likes", like.at)).toBe("unproven");

    await comesAtLast(like.by);
  });

  it("still marks follows as unproven if the platform has no replay", async () => {
    await opened("activity");
    await world.cut();
    const follow = await happens("follows");
    await minutes(20);
    await world.mend();
    await minutes(120);

    expect(await came(follow.by)).toBe(false);
    expect(await stateOf("follows", follow.at)).toBe("unproven");
  });

  it.each([
    { what: "webhook was deleted", away: true, lose: () => world.removeWebhooks() },
    { what: "webhook was deleted under it", away: false, lose: () => world.removeWebhooks() },
    { what: "subscription was removed", away: true, lose: () => world.unsubscribe(bot()) },
    {
      what: "subscription was removed under it",
      away: false,
      lose: () => world.unsubscribe(bot()),
    },
  ])(
    "does not call time replayed by a younger subscription: a bot whose $what",
    async ({ away, lose }) => {
      await opened();
      await minutes(5);
      if (away) await world.stopBot();
      // Without replays, a running bot can't recover the lost events at once.
      await world.control.post("/faults", {
        match: { direction: "request", method: "POST", path: "/2/*webhooks*" },
        fault: { type: "status", status: 503 },
        when: { always: true },
      });
      await lose();
      const follow = await happens("follows");
      const message = await happens("messages");
      await minutes(40);
      await world.control.call("DELETE", "/faults");
      if (away) await world.startBot();

      await comesAtLast(message.by);
      await minutes(15);
      await isSettled();
      expect(await came(follow.by)).toBe(false);
      expect(await stateOf("follows", follow.at)).toBe("lost");
      expect(await stateOf("messages", message.at)).toBe("backfilled");
    },
  );

  it("calls time delivered of which a replay brought nothing that was not there", async () => {
    await opened();
    const follow = await happens("follows");
    await minutes(75);
    await when(async () => {
      await world.control.advance(1_000);
      return (await stateOf("follows", follow.at)) === "delivered" ? true : undefined;
    });

    expect(await came(follow.by)).toBe(true);
    expect(await stateOf("follows", (await world.now()) - MINUTE)).toBe("unproven");
  });

  it.each(["activity", "webhook"] as const)(
    "compares time before a restart, too, of which no replay tells: by %s",
    async (source) => {
      await opened(source);
      await world.cut();
      const message = await happens("messages");
      await minutes(4);
      await world.stopBot();
      // The bot must not treat time before this removal as covered by a later replay.
      await world.removeWebhooks();
      await world.mend();
      await world.startBot();

      await comesAtLast(message.by);
      expect(TOLD_OR_READ).toContain(await stateOf("messages", message.at));
    },
  );
});
