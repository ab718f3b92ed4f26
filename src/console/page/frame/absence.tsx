import { connection } from "../live/live.ts";
import { duration } from "../parts/duration.ts";
import { Time } from "../parts/time.tsx";

/** Shows that the server is unreachable, and afterwards for how long it was. */
export function Absence() {
  const { state, gap } = connection.value;
  if (state === "away") {
    return (
      <p class="notice bad" role="status">
        <strong>Away.</strong> The bot's process does not answer. This page goes on by itself once
        it does.
      </p>
    );
  }
  if (gap === undefined) return null;
  const what = gap.restarted ? "The bot's process was started again" : "The connection was lost";
  return (
    <p class="notice" role="status">
      {what} and was away for {duration(gap.ms)}, until <Time at={gap.until} clock="machine" />.
      What happened meanwhile is shown as far as it was kept.{" "}
      <button
        type="button"
        class="quiet"
        onClick={() => (connection.value = { state: connection.value.state })}
      >
        Dismiss
      </button>
    </p>
  );
}
