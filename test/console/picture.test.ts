// @module-tag browser
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { imageSize } from "image-size";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** File with the picture of the page Conversations, which README.md shows. `npm run -s generate:picture` writes it. */
const PICTURE = join(ROOT, "config/guide/conversations.webp");
const MAX_BYTES = 150_000;
const MIN_WIDTH = 1_200;

/** Messages in the order in which people write them: minutes after the previous one, person, text. */
const TALK = [
  [0, "tomas", "Where is my order?"],
  [9, "lena", "Do you sell hats?"],
  [3, "lena", "Or scarves?"],
  [11, "jonas", "I'd like to talk to a human, please"],
  [6, "sofia", "Hi! Do you ship to Norway?"],
  [1, "sofia", "And how much is the shipping?"],
  [2, "sofia", "Great, thank you!"],
] as const;
const PEOPLE = ["tomas", "lena", "jonas", "sofia"] as const;

let rig: ConsoleRig;
beforeAll(async () => {
  const rules = await readFile(join(ROOT, "examples/faq/config/rules/faq.yaml"), "utf8");
  rig = await openConsoleRig({ rules: { "faq.yaml": rules } });
});
afterAll(() => rig.close());

it("README's picture shows the current page Conversations", async () => {
  const { control } = rig.sandbox;
  await control.freezeClock(true);
  // A Monday within the opening hours of the shop, which is in Berlin.
  await control.setClock("2027-03-01T09:30:00Z");
  const ids = new Map<string, string>();
  for (const name of PEOPLE) {
    ids.set(name, await control.user(name, { name: name[0]?.toUpperCase() + name.slice(1) }));
  }
  for (const [minutes, name, text] of TALK) {
    await control.advance(minutes * 60_000);
    await control.act(ids.get(name) ?? "", { type: "dm", to: rig.file.bot.id, text });
    await rig.quiet();
  }
  const page = await rig.open(`/conversations/${rig.file.bot.id}/${ids.get("sofia")}`);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1280, height: 840 });
  const thread = page.getByRole("region", { name: "Conversation", exact: true });
  await thread.getByText("it takes three to five days").waitFor();
  await thread.getByText("Shipping is 4.90 €").waitFor();
  await thread.getByText("You're welcome, Sofia!").waitFor();
  for (const name of PEOPLE) await page.getByRole("link", { name: `@${name}` }).waitFor();
  await page.getByRole("link", { name: "@lena" }).getByText("unanswered").waitFor();
  if (process.env["GENERATE"] === "1") {
    await writeFile(PICTURE, await asWebp(page.context(), await page.screenshot()));
  }
  await page.close();

  const picture = await readFile(PICTURE);
  expect(picture.length).toBeLessThan(MAX_BYTES);
  expect(imageSize(picture).width).toBeGreaterThanOrEqual(MIN_WIDTH);
});

/** Encodes the picture as WebP without loss, which takes two thirds of the bytes. */
async function asWebp(context: BrowserContext, png: Buffer): Promise<Buffer> {
  const page = await context.newPage();
  const encoded = await page.evaluate<string>(`(async () => {
    const picture = new Image();
    picture.src = "data:image/png;base64,${png.toString("base64")}";
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.width, picture.height];
    canvas.getContext("2d").drawImage(picture, 0, 0);
    return canvas.toDataURL("image/webp", 0.45);
  })()`);
  await page.close();
  return Buffer.from(encoded.split(",")[1] ?? "", "base64");
}
