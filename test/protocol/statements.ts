import { ADVERTISING } from "./statements/advertising.ts";
import { DATA } from "./statements/data.ts";
import { EVENT_SECTIONS } from "./statements/events.ts";
import { LIMITS } from "./statements/limits.ts";
import { LOGIN } from "./statements/login.ts";
import type { Sections } from "./statements/statement.ts";
import { WEBHOOK_SECTIONS } from "./statements/webhooks.ts";

/**
 * All statements of the platform's API documentation that the sandbox implements, by section, with the tests that show
 * them.
 *
 * Includes statements that no request can show, with the reason.
 */
export const STATEMENTS: Sections = {
  ...DATA,
  ...LOGIN,
  ...WEBHOOK_SECTIONS,
  ...EVENT_SECTIONS,
  ...ADVERTISING,
  ...LIMITS,
};

/** Headings of the API documentation whose sections contain statements. */
export const HEADINGS: readonly string[] = [
  "What the service does",
  "Field-selectable objects",
  "Response envelope (v2 data interface)",
  "Webhook configuration",
  "Subscription records",
  "Account activity event data object",
  "App event tag (advertising)",
  "App list (advertising)",
  "Conversion type values (enum)",
  "Conversion event result (response of conversion_event)",
  "Developer app settings",
  "States and transitions",
  "Endpoints",
  "Data interface and field selection",
  "Log-in flow (OAuth 1.0a)",
  "OAuth 2.0 authorization",
  "Direct message endpoints",
  "Webhook management",
  "Consumer-side endpoints that the service calls",
  "Account activity",
  "Advertising measurement",
  "Cursor pagination (designated advertising GET endpoints)",
  "Credential kinds",
  "Authentication per endpoint",
  "App permission levels (OAuth 1.0a)",
  "Callback URL rules",
  "Delivery rules",
  "Event kinds (top-level key of the body)",
  "Replay job status events",
  "Longform posts",
  "Operation to event ties",
  "Webhook and account activity errors",
  "Callback URL errors",
  "Limits",
  "Versioning",
];
