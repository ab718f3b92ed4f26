import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import { when } from "../../support/when.ts";
import { CatchupBench, HOUR, message, MINUTE, minutes, NOON } from "./support/catchup-bench.ts";

/** End of the time without a link while the account is unlinked, in minutes after noon. */
const FOREVER = minutes(Number.MAX_SAFE_INTEGER);

let bench: CatchupBench;
beforeEach(() => {
  bench = new CatchupBench();
});
afterEach(() => bench.close());

/** Returns the messages that have been read back, in order, once the readings have ended. */
async function read(): Promise<readonly string[]> {
  for (let n = 0; n < 4; n++) await bench.pass(1_000);
  return bench.readBack;
}

describe("an account that an operator unlinks, and links again ten minutes later", () => {
  beforeEach(async () => {
    await bench.start();
    await bench.reachable();
    await bench.pass(30 * MINUTE);
    bench.unlink();
    // The link ends the subscription, so deliveries since the last proof are in doubt.
    bench.down(NOON + 10 * MINUTE);
    await bench.reachable(false);
    await bench.covered("lost");
    bench.lists.messages = [
      message("unlinked2", 35),
      message("unlinked1", 30.2),
      message("linked2", 29.9),
      message("linked1", 15),
    ];
  });

  /** Links the account again; the platform delivers its events from ten seconds later on. */
  async function relink(): Promise<void> {
    await bench.pass(10 * MINUTE);
    bench.link();
    bench.up(bench.clock.now() + 10_000);
    await bench.reachable();
  }

  it("has the missed messages of the linked time read, and no others", async () => {
    await relink();
    bench.lists.messages = [message("first", 40.1), ...bench.lists.messages];

    await bench.pass(10_000);
    expect(await read()).toEqual(["linked1", "linked2", "first"]);
  });

  it("has no others read at the next start either", async () => {
    await relink();
    await bench.pass(MINUTE);
    await bench.catchup.stop();
    bench.readBack.length = 0;
    bench.lists.messages = [message("stopped", 43), ...bench.lists.messages];
    bench.clock.advance(2 * MINUTE);
    bench.catchup = bench.opened();
    await bench.catchup.readMissed();

    expect(bench.readBack).toEqual(["linked1", "linked2", "stopped"]);
  });

  it("has no others read if it was linked again while the bot was stopped", async () => {
    await bench.catchup.stop();
    bench.clock.advance(10 * MINUTE);
    bench.isLinked = true;
    bench.catchup = bench.opened();
    await bench.start();
    await bench.reachable();

    expect(await read()).toEqual(["linked1", "linked2"]);
  });

  it("has no others read if it was unlinked while its messages were being read", async () => {
    await relink();
    bench.readBack.length = 0;
    await bench.catchup.stop();
    // The account is unlinked again before the platform has responded.
    let isAsked = false;
    bench.lists.fails = () => {
      if (isAsked) return undefined;
      isAsked = true;
      return "unreachable";
    };
    bench.lists.messages = [
      message("unlinked3", 41.5),
      message("linked3", 40.5),
      ...bench.lists.messages,
    ];
    bench.clock.advance(MINUTE);
    bench.catchup = bench.opened();
    const starting = bench.catchup.readMissed();
    await when(() => isAsked || undefined);
    bench.unlink();
    await when(async () => (await bench.coverage()).at(-1)?.[1] === FOREVER || undefined);
    await when(() => {
      bench.clock.advance(1_000);
      return bench.readBack.length > 0 || undefined;
    });
    await starting;

    expect(bench.readBack).toEqual(["linked1", "linked2", "linked3"]);
  });
});

describe("an account whose deliveries had stopped before it was unlinked", () => {
  it("has the messages read that came until it was unlinked", async () => {
    await bench.start();
    await bench.reachable();
    await bench.pass(30 * MINUTE);
    bench.down(NOON + 20 * MINUTE);
    await bench.reachable(false);
    bench.clock.advance(2 * HOUR);
    bench.unlink();
    await bench.covered("lost");
    bench.lists.messages = [message("unlinked", 155), message("linked", 140)];
    bench.clock.advance(10 * MINUTE);
    bench.link();
    bench.up();
    await bench.reachable();

    expect(await read()).toEqual(["linked"]);
  });
});

describe("an account that is unlinked while the store fails", () => {
  let isFull: boolean;
  beforeEach(async () => {
    isFull = false;
    await bench.cover(-180, -60);
    const coverNow = bench.store.cover.bind(bench.store);
    vi.spyOn(bench.store, "cover").mockImplementation(async (changes) => {
      if (isFull) throw new StoreError("store-full", "the disk is full");
      await coverNow(changes);
    });
  });

  it("is no longer expected to have events once the store works", async () => {
    isFull = true;
    bench.unlink();
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await bench.coverage()).map(([, , state]) => state)).toEqual(["unproven"]);
    isFull = false;
    await vi.advanceTimersByTimeAsync(1_000);

    expect((await bench.coverage()).map(([, , state]) => state)).toEqual(["unproven", "lost"]);
  });

  it("is expected to have events if it was linked again meanwhile", async () => {
    isFull = true;
    bench.unlink();
    await vi.advanceTimersByTimeAsync(3_000);
    bench.isLinked = true;
    isFull = false;
    await vi.advanceTimersByTimeAsync(1_000);

    expect((await bench.coverage()).map(([, , state]) => state)).toEqual(["unproven"]);
  });
});
