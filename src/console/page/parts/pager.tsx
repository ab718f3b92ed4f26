import { setQuery } from "../routing/route.ts";

interface PagerProps {
  /** Number before which the shown page begins; 0 for the newest. */
  readonly before: number;
  /** Number before which the next page begins; absent on the last page. */
  readonly next: number | undefined;
}

/** Buttons that lead to older rows, and back to the newest. */
export function Pager({ before, next }: PagerProps) {
  return (
    <div class="row end">
      {before > 0 && (
        <button type="button" onClick={() => setQuery("before", undefined)}>
          Newest
        </button>
      )}
      {next !== undefined && (
        <button type="button" onClick={() => setQuery("before", String(next))}>
          Older
        </button>
      )}
    </div>
  );
}
