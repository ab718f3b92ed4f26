import { assumed, type BehaviourRow, documented, stricter } from "../kernel/ledger.ts";

/** Section of the interface that describes an app's settings. */
export const SECTION = "Developer app settings";

export const behaviours: readonly BehaviourRow[] = [
  { behaviour: "apps per project", ...documented("Limits") },
  { behaviour: "callback allowlist", ...documented("Callback URL rules") },
  { behaviour: "at least one authentication method", ...documented(SECTION) },
  {
    behaviour: "the email permission needs terms and privacy URLs",
    ...documented("App permission levels (OAuth 1.0a)"),
  },
  {
    behaviour: "client secrets for web apps and bots only",
    ...documented(SECTION),
  },
  {
    behaviour: "an app in no project cannot call v2",
    ...documented("Authentication", "The body (403 client-forbidden) is the live service's."),
  },
  {
    behaviour: "a change of the permission level voids the OAuth 1.0a tokens issued before",
    ...documented(
      "App permission levels (OAuth 1.0a)",
      "That they answer 401 code 89 from then on is assumed; OAuth 2.0 tokens stay.",
    ),
  },
  {
    behaviour: "a suspended app is refused with 403 (client-forbidden, code 416)",
    ...assumed("The interface shows the tag, not the answers."),
  },
  {
    behaviour: "the portal's access token speaks for the app's owner",
    ...documented(
      "Credential kinds",
      "An app made without owner_id gets a developer account when its first one is made.",
    ),
  },
  {
    behaviour: "delivered posts count towards the monthly post cap of the app's project",
    ...documented(
      "Limits",
      "The amount is not shown: a setting. Each delivery counts; the live service counts a post once a day.",
    ),
  },
  {
    behaviour: "posts that are read, searched or streamed count towards the cap too",
    ...assumed("The live service's; objects in `includes` and version 1.1 do not count."),
  },
  {
    behaviour: "at the cap, reading posts answers 429 (usage-capped) until the month ends",
    ...assumed("The body is the live service's."),
  },
  {
    behaviour: "at the cap, posts are neither delivered nor streamed; other events are",
    ...assumed("The interface does not show it. The feed has such a delivery as post_cap_reached."),
  },
  {
    behaviour: "website, terms, privacy and organization URLs are web addresses",
    ...stricter("The interface names no form."),
  },
];
