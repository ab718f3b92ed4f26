import { setQuery } from "../routing/route.ts";

interface PagerProps {
  /** Number below which the shown entries are; 0 for the page with the newest entries. */
  readonly before: number;
  /** Number below which the entries of the next, older page are; undefined on the last page. */
  readonly next: number | undefined;
}

/** Buttons that move to older rows, and back to the newest rows. */
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
