import { describe, expect, it } from "vitest";
import {
  bigint,
  changing,
  flag,
  internal,
  json,
  nonzero,
  only,
  optional,
  recordOf,
  rowOf,
  table,
  text,
  without,
} from "../../../../src/runtime/store/tables/columns.ts";

const PARCELS = table(
  "parcels",
  {
    id: bigint,
    sent_at: changing(optional(bigint)),
    is_urgent: changing(flag),
    weight: nonzero,
    contents: json<readonly string[]>(),
    counted_at: internal(optional(bigint)),
  },
  { key: ["id"], own: { shelf: text() } },
);

describe("a described table", () => {
  it("stores a record in a row, and reads the same record", () => {
    const full = { id: 1, sentAt: 5, isUrgent: true, weight: 3, contents: ["a"], countedAt: 7 };
    const bare = { id: 2, contents: [] };

    const rows = [full, bare].map((one) => rowOf(PARCELS, one));
    expect(rows).toEqual([
      { id: 1, sent_at: 5, is_urgent: 1, weight: 3, contents: '["a"]', counted_at: 7 },
      { id: 2, sent_at: null, is_urgent: 0, weight: 0, contents: "[]", counted_at: null },
    ]);
    expect(rows.map((row) => recordOf(PARCELS, row))).toEqual([full, bare]);
  });

  it("omits the columns that the set of columns omits", () => {
    const { names } = PARCELS;

    expect(names).toEqual(["id", "sent_at", "is_urgent", "weight", "contents", "counted_at"]);
    expect(PARCELS.postgres.names).toEqual([...names, "shelf"]);
    expect(PARCELS.changing.names).toEqual(["sent_at", "is_urgent"]);
    expect(PARCELS.updated.names).toEqual(["id", "sent_at", "is_urgent"]);
    expect(PARCELS.fixed.names).toEqual(["id", "weight", "contents", "counted_at"]);
    expect(PARCELS.shown.names).not.toContain("counted_at");
    expect(only(PARCELS, "id").names).toEqual(["id"]);
    expect(without(PARCELS, "id").names).not.toContain("id");
  });
});
