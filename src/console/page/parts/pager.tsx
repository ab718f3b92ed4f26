import { setQuery } from "../routing/route.ts";

interface PagerProps {
  /** The shown page has entries below this number; 0 for the newest page. */
  readonly before: number;
  /** The next page has entries below this number; undefined on the last page. */
  readonly next: number | undefined;
}

/** Buttons for older rows, and for the newest ones. */
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
