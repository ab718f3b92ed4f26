import { Chip } from "../../../parts/chip.tsx";
import type { LogInNews } from "./news.ts";

/** States in a sentence whether a log-in succeeded, or why it failed. */
export function Outcome({ news: { done, failed } }: { readonly news: LogInNews }) {
  if (done === undefined) {
    return (
      <p class="notice bad" role="status">
        <strong>No access token:</strong> {failed}.
      </p>
    );
  }
  return (
    <p class="notice" role="status">
      <Chip tone="good">logged in</Chip> <strong>@{done.username}</strong> (user {done.userId}) gave
      the app an access token that ends in <span class="mono">{done.hint}</span>.
    </p>
  );
}
