import type { AnswersKept, KeptAnswer } from "../in-mind/answer-counts.ts";
import type { Database } from "./binding.ts";

/** What the items in the file tell of answers. */
export function answersIn(db: Database): AnswersKept {
  const latest = db.prepare<KeptAnswer>(
    "SELECT action, counted_at, heard FROM items WHERE lane = ? ORDER BY id DESC LIMIT ?",
  );
  const discount = db.prepare(
    `UPDATE items SET counted_at = NULL WHERE counted_at IS NOT NULL AND id IN
       (SELECT id FROM items WHERE lane = ? ORDER BY id DESC LIMIT ?)`,
  );
  return {
    latest: (lane, most) => latest.all(lane, most),
    discount: (lane, most) => void discount.run(lane, most),
  };
}
