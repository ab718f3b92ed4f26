import type { Item } from "./store/store.ts";

/** What the runtime tells those who watch it. Nothing depends on being heard. */
export interface Notices {
  /** Events came in: how many were new, how many were known already. */
  appended: (count: number, duplicates: number) => void;
  /** An item was settled, or its outcome is unknown. */
  item: (item: Item) => void;
}
