// @module-tag small-volume
import { afterEach, expect, it } from "vitest";
import { type FullDisk, smallVolume } from "../../support/full-disk.ts";
import { runChild } from "./child.ts";
import { folderPlace } from "./place.ts";

const VOLUME_BYTES = 4 * 1024 * 1024;

let place: Awaited<ReturnType<typeof folderPlace>>;
let disk: FullDisk | undefined;
afterEach(async () => {
  disk?.close();
  await place.remove();
});

it("accepts data on a small volume that fits into the store but not into its write-ahead log", async () => {
  place = await folderPlace();
  disk = await smallVolume(place.folder, VOLUME_BYTES);

  const child = runChild("churn", place.folder, String(VOLUME_BYTES));
  const printed = await child.ended;
  expect(printed.trim().split("\n").at(-1)).toMatch(
    /^kept [1-9]\d*, refused 0, written [5-9]\d* times the volume$/,
  );
});
