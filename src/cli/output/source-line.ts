import type { EventSource } from "../../config/settings.ts";

/** By which of the platform's interfaces events come to a webhook, where that is not account activity alone. */
export function interfacesOf(source: EventSource): string | undefined {
  switch (source) {
    case "activity":
      return "the activity interface";
    case "both":
      return "account activity and the activity interface";
    case "webhook":
    case "polling":
      return undefined;
  }
}
