import type { EventSource } from "../../config/settings.ts";

/**
 * Names the platform's APIs that deliver events to the webhook; undefined for account activity alone and for polling.
 */
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
