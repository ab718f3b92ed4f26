import type { Area } from "../server/route.ts";
import { activitySubscriptions } from "../model/activity.ts";
import { routes } from "./routes.ts";
import { assumed } from "../kernel/ledger.ts";

/** The platform's activity interface: subscriptions to event types. The successor of account activity. */
export const activityInterface: Area = {
  name: "activity-interface",
  tables: [activitySubscriptions],
  routes,
  behaviours: [
    {
      behaviour: "activity interface: only the user can subscribe to their private event types",
      ...assumed(
        "dm.*, chat.*, like.*, mute.* and block.*, with OAuth 1.0a or the scope, as a published adapter does it.",
      ),
    },
    {
      behaviour:
        "activity interface: protected posts need the authorization of the subscription's user",
      ...assumed(
        "With only the app's token, an app sees what everyone sees, also in quoted and answered posts.",
      ),
    },
    {
      behaviour: "activity interface: at most 3 subscriptions, 5,000 on the enterprise plan",
      ...assumed("Older plans count as pay-per-use. The limit's error is as in account activity."),
    },
    {
      behaviour: "activity interface: the answer to a deletion of several depends on the dialect",
      ...assumed(
        "API description 2.166 has one `deleted` for all, 2.167 one for each subscription.",
      ),
    },
    {
      behaviour:
        "activity interface: signature, challenge, retries and order as in account activity",
      ...assumed("One webhook can serve both interfaces. The body has everything in `data`."),
    },
    {
      behaviour: "activity interface: without a direction, acts of the user and acts on the user",
      ...assumed(
        "The documentation says only of mute.* and block.* that they are acts of the user.",
      ),
    },
    {
      behaviour: "activity interface: post.create for each post of the user except reposts",
      ...assumed("Replies and quotes give post.create and also the event of their own type."),
    },
    {
      behaviour: "activity interface: `keyword` is searched in a post's text, ignoring case",
      ...assumed(
        "Other event types refuse `keyword`; only news.new needs it. The documentation calls it optional.",
      ),
    },
    {
      behaviour:
        "activity interface: messages, typing and reading have the form of account activity",
      ...assumed(
        "As in bodies that a published adapter recorded; typing and reading by analogy. People are in `data`.",
      ),
    },
    {
      behaviour: "activity interface: posts and people have all their public fields",
      ...assumed("Expanded authors, references and media are in `includes`."),
    },
    {
      behaviour: "activity interface: block.* and mute.* contain source and target",
      ...assumed("As in follow.*, which the documentation describes."),
    },
    {
      behaviour: "activity interface: the stream has all events of the app's subscriptions",
      ...assumed(
        "With or without a webhook; one event a line; `start_time` repeats events of the last day; two streams at a time.",
      ),
    },
    {
      behaviour: "activity interface: chat.*, spaces.*, broadcast.* and news.new never occur",
      ...assumed(
        "Subscriptions to them are accepted. The sandbox has spaces, but sends no events about them; it lacks the others.",
      ),
    },
    {
      behaviour: "activity interface: subscriptions remain when their webhook is deleted",
      ...assumed(
        "From then on, their events are only in the stream. A second one for the same events ends.",
      ),
    },
  ],
};
