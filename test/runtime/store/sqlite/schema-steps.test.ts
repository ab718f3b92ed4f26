import { describe, expect, it } from "vitest";
import { IN_MEMORY, openDatabase } from "../../../../src/runtime/store/sqlite/binding.ts";
import { shapeOf } from "../../../../src/runtime/store/sqlite/file/shape.ts";
import { SHAPES, STEPS } from "../../../../src/runtime/store/sqlite/schema-steps.ts";
import { contentHash } from "../../../../src/system/content-hash.ts";

/** Hashes of all released migration steps. Add a hash with each new step. Never change an existing hash. */
const RELEASED = [
  "8y3bujNt7j2pUg3cDGtgG_s3XorGhph68zJNHX5HiIU",
  "ywmWBNpr_sL6uLGUcfj5VZl8CucHr-7TDm7Bxds5BQc",
  "9uAAdkY1blNmPVJ2JPb2F15_eU24547-fb7Fz-gBqj0",
  "bthLa0dvaCOkjdtXdOEHUxaKPrhaG_yynellPbX78wo",
  "VwBf2lmchJRSAu3Raxhte3JaVm8oBDY-tup8AQiTuvg",
  "Nr95vSKZn1An96hKF1pl7NbQVIfMFMA4R1_e05CNWpA",
  "Yd1WACYj_TGWAI8zdFGVr7OuI_4cZXeHlshiWZUe30g",
  "GAFnD72idQVnel-N2LldPny2uxkGOd2Ut6bbgi9uU94",
  "zf3jGjBUO3606pA9JuA0TBwXixIzsGaeJ77OqBAKS_8",
];

describe("a step to newer tables of SQLite", () => {
  it("never changes after its release: a change is a new step at the end", () => {
    expect(STEPS.map((step) => contentHash(step))).toEqual(RELEASED);
  });

  it("creates the tables of its version", () => {
    const db = openDatabase(IN_MEMORY);
    const shapes = [shapeOf(db)];
    for (const step of STEPS) {
      db.exec(step);
      shapes.push(shapeOf(db));
    }
    db.close();

    expect(shapes).toEqual(SHAPES);
  });
});
