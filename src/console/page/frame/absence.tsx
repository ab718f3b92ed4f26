import { connection } from "../live/live.ts";
import { duration } from "../parts/duration.ts";
import { Time } from "../parts/time.tsx";

/** Notice that the server is unreachable. After an outage, shows how long the outage lasted. */
export function Absence() {
  const { state, gap } = connection.value;
  if (state === "away") {
    return (
      <p class="notice bad" role="status">
        <strong>Not connected.</strong> The bot's process does not answer. This page continues by
        itself once it does.
      </p>
    );
  }
  if (gap === undefined) return null;
  const what = gap.restarted ? "The bot's process was restarted" : "The connection was lost";
  return (
    <p class="notice" role="status">
      {what} and did not answer for {duration(gap.ms)}, until{" "}
      <Time at={gap.until} clock="machine" />. What happened meanwhile is shown as far as it was
      stored.{" "}
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
