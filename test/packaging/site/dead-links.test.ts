import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { deadSiteLinks } from "../../../src/packaging/site/dead-links.ts";

it("names links to missing pages and missing headings, and no others", async () => {
  const folder = await mkdtemp(join(tmpdir(), "answerback-links-"));
  await mkdir(join(folder, "guide"));
  await writeFile(
    join(folder, "index.html"),
    `<h1 id="top">Top</h1>
    <a href="./guide/">1</a> <a href="./guide/index.html#ask">2</a> <a href="#top">3</a> <a href="https://example.com/x">4</a>
    <a href="./guide/gone.html">5</a> <a href="./guide/#gone">6</a>`,
  );
  await writeFile(
    join(folder, "guide/index.html"),
    '<h2 id="ask">Ask</h2><a href="../index.html#top">1</a><a href="#no">2</a>',
  );

  expect([...(await deadSiteLinks(folder))].toSorted()).toEqual([
    "guide/index.html: #no",
    "index.html: ./guide/#gone",
    "index.html: ./guide/gone.html",
  ]);
  await rm(folder, { recursive: true, force: true });
});
