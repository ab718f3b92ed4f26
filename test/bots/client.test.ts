import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLog } from "../../src/runtime/log.ts";
import { type Lab, type LabPerson, startLab } from "../../src/testing/index.ts";

const file = fileURLToPath(new URL("../fixtures/bots/asker.ts", import.meta.url));

let lab: Lab;
let ana: LabPerson;
let logged = "";
const destination = new Writable({
  write(chunk, _encoding, done) {
    logged += String(chunk);
    done();
  },
});

beforeAll(async () => {
  const log = openLog({ level: "info", destination });
  lab = await startLab({ settings: { bots: [file] }, environment: {}, log });
  ana = await lab.person("ana");
});
afterAll(() => lab.stop());

describe("ctx.client", () => {
  it("looks up as the account, with the fields that were asked for", async () => {
    expect(await ana.says("/who")).toEqual(["ana follows 0"]);
  });

  it("goes through the pages of a list", async () => {
    expect((await ana.says("/heard")).join()).toMatch(/\/who, ana follows 0, \/heard$/);
  });

  it("throws the client's own errors, with their class, status and code", async () => {
    expect(await ana.says("/missing")).toEqual(["PlatformError 404 true platform-refused"]);
  });

  it("remembers what a look-up gave: the handler that is run again sees what it saw", async () => {
    expect(await ana.says("/before")).toEqual([]);
    await ana.posts("something new");
    await lab.restart({ kill: true });

    expect(await lab.advance("1m")).toMatchObject([{ text: "0 then 1" }]);
  });

  it("refuses outside a step what changes something, at its place and with what to write", async () => {
    expect(await ana.says("/outside")).toEqual([]);

    expect(await lab.replies()).toEqual([]);
    expect(logged).toContain("POST /2/posts changes something");
    expect(logged).toMatch(/wrap it in ctx\.step\(.*use ctx\.reply, ctx\.post or ctx\.send/);
    expect(logged).toMatch(/bots\/asker\.ts:30:\d+/);
  });

  it("changes something within a step, once though the handler is run again", async () => {
    await ana.says("/inside");
    await lab.restart({ kill: true });

    expect(await lab.advance("1m")).toMatchObject([{ text: "made once as a post" }]);
  });

  it("keeps what the platform refused with its step: the same class and status after a restart", async () => {
    await ana.says("/refused");
    await lab.restart({ kill: true });

    expect(await lab.advance("1m")).toMatchObject([{ text: "refused with 404" }]);
  });

  it("ends with the signal that it was given", async () => {
    expect(await ana.says("/stopped")).toEqual(["stopped by the caller"]);
  });
});
