import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { pageAssets } from "../../src/console/assets/page-assets.ts";

/**
 * Files that are loaded when needed: the editor of rule files, the counter of public texts, and the pages Ads, Docs,
 * Faults and Portal.
 */
const LATER = /^(?:editor|length|ads|docs|faults|portal)-/;
const MAX_BYTES = 60 * 1024;

it("the page is built from source, has under 60 KB without the parts loaded later, and loads nothing from elsewhere", async () => {
  const assets = [...(await pageAssets()).values()];
  const own = assets.filter(({ name }) => !LATER.test(name));
  const weight = own.reduce((sum, { body }) => sum + gzipSync(body).length, 0);

  expect(own.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["main.js", "live.js", "style.css"]),
  );
  expect(assets.length - own.length).toBe(6);
  expect(weight).toBeLessThan(MAX_BYTES);
  for (const { name, body } of own) {
    const text = Buffer.from(body).toString("utf8");
    expect(text.match(/(?:import|from|url)\s*\(?["'](?!\.\/)[^"']*\/\//g), name).toBeNull();
  }
});
