import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { openLog } from "../../src/runtime/log.ts";
import { type Lab, type LabPerson, startLab } from "../../src/testing/index.ts";

/** A GIF of one pixel. */
const GIF = Buffer.from("R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=", "base64");

const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/bots/${name}`, import.meta.url));

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
  lab = await startLab({
    settings: { bots: [fixture("asker.ts"), fixture("asks-late.ts")] },
    environment: {},
    log,
  });
  ana = await lab.person("ana");
});
afterAll(() => lab.stop());

describe("ctx.client", () => {
  it("makes look-ups as the account, with the requested fields", async () => {
    expect(await ana.says("/who")).toEqual(["ana follows 0"]);
  });

  it("iterates over the pages of a list", async () => {
    const dora = await lab.person("dora");
    await dora.says("/who");

    expect(await dora.says("/heard")).toEqual(["/who, dora follows 0, /heard"]);
  });

  it("throws the client's own errors, with their class, status and code", async () => {
    expect(await ana.says("/missing")).toEqual(["PlatformError 404 true platform-refused"]);
  });

  it("refuses a change outside a step, with its place and the correction", async () => {
    expect(await ana.says("/outside")).toEqual([]);

    expect(await lab.replies()).toEqual([]);
    expect(logged).toContain("POST /2/posts changes something");
    expect(logged).toMatch(/wrap it in ctx\.step\(.*use ctx\.reply, ctx\.post or ctx\.send/);
    expect(logged).toMatch(/bots\/asker\.ts:30:\d+/);
  });

  it("records its results for a handler that runs again in another process", async () => {
    const [ben, cleo] = [await lab.person("ben"), await lab.person("cleo")];
    expect(await ana.says("/before")).toEqual([]);
    await ben.says("/inside");
    await cleo.says("/refused");
    await ana.posts("something new");
    await lab.restart({ kill: true });

    const answers = await lab.advance("1m");
    expect(answers.map(({ text = "" }) => text).toSorted((a, b) => a.localeCompare(b))).toEqual([
      // a look-up that runs again returns its recorded result; the next look-up returns the current state
      "0 then 1",
      // a recorded change is not made a second time
      "made once as a post",
      // a recorded refusal of the platform throws the same error again
      "refused with 404",
    ]);
  });

  it("works in another module: the handler runs again, and sends everything once", async () => {
    expect(await ana.says("/name")).toEqual(["one moment", "ana, 1 runs later"]);
    expect(await ana.says("/name")).toEqual(["one moment", "ana, 0 runs later"]);
  });

  it("downloads the picture of a message", async () => {
    const { control, url } = lab.sandbox;
    const app = await control.app();
    const tokens = await control.tokens(ana.id, app.app_id);
    const client = createClient({
      baseUrl: url,
      credentials: {
        type: "oauth1",
        consumerKey: app.consumer_key,
        consumerSecret: app.consumer_secret,
        accessToken: tokens.access_token,
        accessTokenSecret: tokens.access_token_secret,
      },
    });
    const picture = { media: GIF, mediaType: "image/gif", category: "dm_image" } as const;
    const { id } = await client.media.upload(picture);
    await client.dms.send({ participantId: lab.bot.id, text: "/picture", mediaId: id });

    const answers = await lab.replies();
    expect(answers.map(({ text }) => text)).toEqual([`image/gif of ${GIF.length} bytes`]);
    await client.close();
  });

  it("ends with the signal that was passed", async () => {
    expect(await ana.says("/stopped")).toEqual(["stopped by the caller"]);
  });
});
