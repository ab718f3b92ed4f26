import { expect, it } from "vitest";
import { type DraftLine, OpenStream } from "../../../../src/sandbox/kernel/delivery/open-stream.ts";
import { Platform } from "../../../../src/sandbox/kernel/platform.ts";

/** A stream whose caller reads only as far as `read` allows. */
function streamTo(read: () => Promise<void>) {
  const written: string[] = [];
  const closed: string[] = [];
  const platform = new Platform({
    areas: [],
    machine: () => 1_800_000_000_000,
    highWaterMark: "0",
    storeHighWaterMark: () => undefined,
  });
  const stream = new OpenStream(
    platform,
    { kind: "test", path: "/stream", appId: "1", onOffer: () => undefined },
    {
      write: async (text) => {
        written.push(text);
        await read();
      },
      close: (how) => void closed.push(how),
    },
  );
  return { platform, stream, written, closed };
}

const line = (value: unknown): DraftLine => ({ text: JSON.stringify(value), about: {} });

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("sends lines in order, and joins lines that arrive during a write", async () => {
  const { stream, written, closed } = streamTo(async () => undefined);
  for (const n of [1, 2, 3]) stream.send(line({ n }));
  stream.end();
  await turn();

  expect(written).toEqual(['{"n":1}\r\n', '{"n":2}\r\n{"n":3}\r\n']);
  expect(closed).toEqual(["end"]);
});

it.each(["end", "cut", "disconnect"] as const)(
  "sends nothing more after a stall, not even when it ends by %s",
  async (how) => {
    const { platform, stream, written, closed } = streamTo(async () => undefined);
    stream.send(line("before"));
    await turn();
    stream.stall();
    stream.sendPast([line("past")]);
    stream.send(line("held back"));
    await turn();
    stream.endBy(how);
    await turn();

    expect(written).toEqual(['"before"\r\n']);
    expect(closed).toEqual([how === "cut" ? "cut" : "end"]);
    expect(platform.streams.all()).toEqual([]);
  },
);

it("loses the lines that a stall still holds back at the end", async () => {
  const { platform, stream, written, closed } = streamTo(async () => undefined);
  stream.stall(1_000);
  stream.send(line("held back"));
  stream.end();
  await turn();
  await platform.time.move({ advance: 1_000 });
  await turn();

  expect([written, closed]).toEqual([[], ["end"]]);
});

it.each([
  { stalls: [1_000, undefined], ends: undefined, why: "an endless one lasts to the end" },
  { stalls: [undefined, 1_000], ends: undefined, why: "in either order" },
  { stalls: [1_000, 3_000], ends: 3_000, why: "the longer one comes last" },
  { stalls: [3_000, 1_000], ends: 3_000, why: "the longer one comes first" },
  { stalls: [2_000, 2_000], ends: 2_000, why: "both end at the same time" },
])("is held back by the longest of its stalls $stalls: $why", async ({ stalls, ends }) => {
  const { platform, stream, written } = streamTo(async () => undefined);
  for (const ms of stalls) stream.stall(ms);
  stream.send(line("held back"));
  const last = ends ?? 3_600_000;
  await platform.time.move({ advance: last - 1 });
  await turn();
  expect(written).toEqual([]);

  await platform.time.move({ advance: 1 });
  await turn();
  expect(written).toEqual(ends === undefined ? [] : ['"held back"\r\n']);
});

it("stalls again after a stall has ended", async () => {
  const { platform, stream, written } = streamTo(async () => undefined);
  for (const text of ["first", "second"]) {
    stream.stall(1_000);
    stream.send(line(text));
    await turn();
    expect(written).not.toContain(`"${text}"\r\n`);
    await platform.time.move({ advance: 1_000 });
    await turn();
    expect(written).toContain(`"${text}"\r\n`);
  }
});

it("counts each line that it sends, also the repetitions of a duplicated one", async () => {
  const { platform, stream, written } = streamTo(async () => undefined);
  platform.faults.add({
    match: { direction: "stream" },
    fault: { type: "duplicate", n: 3 },
    when: { next: 1 },
  });
  stream.send(line(1));
  stream.send(line(2));
  await turn();

  expect(written.join("")).toBe("1\r\n1\r\n1\r\n2\r\n");
  expect(stream.state()).toMatchObject({ lines: 4 });
});

it("sends a line at once that comes just as the previous write ends", async () => {
  for (let wait = 0; wait < 20; wait += 1) {
    const { stream, written } = streamTo(async () => undefined);
    stream.send(line(1));
    for (let n = 0; n < wait; n += 1) await Promise.resolve();
    stream.send(line(2));
    await turn();

    expect(written.join("")).toBe("1\r\n2\r\n");
  }
});

it("ends the connection when more than 16 MiB wait for a client that does not read", async () => {
  const never = new Promise<void>(() => undefined);
  const { platform, stream, closed } = streamTo(() => never);
  const text = "w".repeat(1024 * 1024);
  for (let n = 0; n < 16; n += 1) stream.send(line(text));
  await turn();
  expect([closed, platform.streams.all()]).toEqual([[], [stream]]);
  for (let n = 0; n < 17; n += 1) stream.send(line(text));

  expect([closed, platform.streams.all()]).toEqual([["cut"], []]);
  expect(platform.feed.after(0).at(-1)?.data).toMatchObject({ state: "slow-reader" });
});

it("sends the backfill before new lines, as fast as the client reads", async () => {
  let letThrough: () => void = () => undefined;
  const { stream, written, closed } = streamTo(
    () =>
      new Promise((resolve) => {
        letThrough = resolve;
      }),
  );
  let produced = 0;
  function* past(): Generator<DraftLine> {
    for (; produced < 20; produced += 1) yield line("w".repeat(1024 * 1024));
    for (; produced < 100; produced += 1) yield line(produced);
  }
  stream.sendPast(past());
  stream.send(line("new"));
  await turn();
  expect([produced, written.length]).toEqual([63, 1]);
  stream.end();
  for (let n = 0; closed.length === 0; n += 1) {
    letThrough();
    await turn();
  }

  expect(produced).toBe(100);
  expect(written.join("").split("\r\n").slice(-3)).toEqual(["99", '"new"', ""]);
});

it("sends nothing that is not stored, and ends the connection", async () => {
  const { platform, stream, written, closed } = streamTo(async () => undefined);
  const full = (): Promise<void> => Promise.reject(new Error("the disk is full"));
  platform.keepIn({ persist: full, valuesChanged: () => undefined });
  stream.send(line({ n: 1 }));
  await turn();

  expect([written, closed]).toEqual([[], ["cut"]]);
});
