import type { Area } from "../server/route.ts";
import { accessTokens, apps as appTable, projects, userTokens } from "../model/apps.ts";
import { postUsage } from "../model/post-usage.ts";
import { routes, SECTION } from "./routes.ts";
import { assumed, documented, stricter } from "../kernel/ledger.ts";

/** Developer apps: projects, apps, credentials, the grants of users, and usage of posts. */
export const apps: Area = {
  name: "apps",
  tables: [projects, appTable, accessTokens, userTokens, postUsage],
  routes,
  behaviours: [
    { behaviour: "maximum number of apps in a project", ...documented("Limits") },
    {
      behaviour: "callback URLs must be in an allowlist",
      ...documented("Callback URL rules"),
    },
    { behaviour: "an app has at least one authentication method", ...documented(SECTION) },
    {
      behaviour: "the permission to read email addresses needs terms and privacy URLs",
      ...documented("App permission levels (OAuth 1.0a)"),
    },
    {
      behaviour: "only web apps and bots have client secrets",
      ...documented(SECTION),
    },
    {
      behaviour: "an app in no project cannot call v2",
      ...documented(
        "Authentication",
        "The answer (403 client-forbidden) is as on the live service.",
      ),
    },
    {
      behaviour: "a change of the permission level invalidates existing OAuth 1.0a tokens",
      ...documented(
        "App permission levels (OAuth 1.0a)",
        "It is assumed that they give 401 with code 89. OAuth 2.0 tokens remain valid.",
      ),
    },
    {
      behaviour: "every answer to an authenticated request has the header x-access-level",
      ...documented(
        "App permission levels (OAuth 1.0a)",
        "It is assumed that the bearer token has the level read, and OAuth 2.0 the level of its scopes.",
      ),
    },
    {
      behaviour: "a suspended app is refused with 403 (client-forbidden, code 416)",
      ...assumed("The documentation shows the label of such an app, not the answers."),
    },
    {
      behaviour: "the access token in the portal belongs to the app's owner",
      ...documented(
        "Credential kinds",
        "An app created without owner_id gets a developer account with its first access token.",
      ),
    },
    {
      behaviour: "delivered posts count towards the monthly post cap of the app's project",
      ...documented(
        "Limits",
        "The cap is a setting, because it is not documented. Each delivery counts; on the live service, a post once a day.",
      ),
    },
    {
      behaviour: "posts that are read, found by search or streamed count towards the cap, too",
      ...assumed("As on the live service. Objects in `includes` and version 1.1 do not count."),
    },
    {
      behaviour: "at the cap, reading posts answers 429 (usage-capped) until the month ends",
      ...assumed("The body is as on the live service."),
    },
    {
      behaviour: "at the cap, posts are neither delivered nor streamed; other events are",
      ...assumed("Not documented. The event feed shows such a delivery as post_cap_reached."),
    },
    {
      behaviour: "website, terms, privacy and organization URLs must be web addresses",
      ...stricter("The documentation names no format."),
    },
  ],
};
