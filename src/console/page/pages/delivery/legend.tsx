import type { CellState } from "./cells.ts";
import { STATE_WORDS } from "./cells.ts";

const SHOWN: readonly CellState[] = [
  "delivered",
  "compared",
  "unproven",
  "missing",
  "replayed",
  "backfilled",
  "lost",
  "too-recent",
  "none",
];

/** Explains the pattern of each coverage state. It also defines the SVG patterns that all strips use. */
export function Legend() {
  return (
    <>
      <svg class="delivery-patterns" aria-hidden="true" focusable="false">
        <defs>
          <pattern id="dl-replayed" width="8" height="8" patternUnits="userSpaceOnUse">
            <rect width="8" height="8" class="a" />
            <path d="M-2 2l4-4M0 8L8 0M6 10l4-4" class="b" />
          </pattern>
          <pattern id="dl-missing" width="8" height="8" patternUnits="userSpaceOnUse">
            <rect width="8" height="8" class="c" />
            <path d="M0 0L8 8M-2 6l4 4M6-2l4 4" class="d" />
          </pattern>
          <pattern id="dl-backfilled" width="8" height="8" patternUnits="userSpaceOnUse">
            <rect width="8" height="8" class="a" />
            <circle cx="4" cy="4" r="2" class="e" />
          </pattern>
          <pattern id="dl-recent" width="8" height="8" patternUnits="userSpaceOnUse">
            <rect width="8" height="8" class="f" />
            <circle cx="4" cy="4" r="1.4" class="g" />
          </pattern>
        </defs>
      </svg>
      <ul class="delivery-legend" aria-label="What the patterns mean">
        {SHOWN.map((state) => (
          <li key={state}>
            <svg viewBox="0 0 24 16" aria-hidden="true" class="delivery-strip">
              <rect width="24" height="16" class={state} />
            </svg>
            {STATE_WORDS[state]}
          </li>
        ))}
      </ul>
    </>
  );
}
