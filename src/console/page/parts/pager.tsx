import { setQuery } from "../routing/route.ts";

interface PagerProps {
  /** Entry number below which the shown page starts; 0 for the newest page. */
  readonly before: number;
  /** Entry number below which the next page starts; absent on the last page. */
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
