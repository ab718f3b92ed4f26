import { hidden, type Sections, shown } from "./statement.ts";

const SELECTION = "data-query/selection.test.ts:";
const LOOKUP = "accounts/lookup.test.ts:";
const RECENT = "search/recent.test.ts:";
const MESSAGES = "messages/messages.test.ts:";

export const DATA: Sections = {
  "What the service does": [
    shown(
      "objects are minimal by default and grow by field parameters and expansions",
      `${SELECTION} carries id, text and the edit history, and nothing else, by default`,
      `${SELECTION} adds the fields that are requested, a counter object as a whole`,
    ),
    shown(
      "a person signs in to an app in three OAuth 1.0a steps",
      "login/twitter-api-v2.test.ts: logs a user in by %s",
    ),
    shown(
      "an app has credentials, levels and a callback allowlist",
      "apps/settings.test.ts: keep every detail of an app",
    ),
    shown(
      "an app registers an HTTPS URL, whose ownership a challenge proves",
      "webhooks/webhooks.test.ts: answers with the configuration once the challenge has passed",
    ),
    shown(
      "activity of subscribed accounts is posted to the webhook, and missed events again",
      "activity/events.test.ts: goes once to each subscribed account involved",
      "activity/delivery.test.ts: delivers the events of its window again, then its completion event",
    ),
    shown(
      "conversions are reported and attribution is told",
      "ads/conversion-event.test.ts: shows the promoted engagement that led to a conversion",
    ),
    hidden("where a name would carry a brand, neutral words stand", "a convention of the text"),
  ],
  "Field-selectable objects": [
    shown(
      "posts are selected by post.fields",
      `${SELECTION} adds the fields that are requested, a counter object as a whole`,
    ),
    shown(
      "users are selected by user.fields",
      `${SELECTION} expands an author with default fields and those of user.fields`,
    ),
    shown(
      "media are selected by media.fields",
      "posts/writing/create.test.ts: carries media that its author uploaded, shown when expanded",
    ),
    shown(
      "polls are selected by poll.fields",
      "polls/polls.test.ts: a post carries a poll, open until its time is over",
    ),
    shown(
      "places are selected by place.fields",
      "places/places.test.ts: a post carries a place, shown when expanded",
    ),
    shown(
      "id and text of a post come by default",
      `${SELECTION} carries id, text and the edit history, and nothing else, by default`,
    ),
    shown(
      "the edit history comes by default for posts from 2022-09-29 on only",
      `posts/rendering/edit-history.test.ts: returns the edit history of posts before 2022-09-29 only on request`,
    ),
    shown(
      "author_id, created_at and public_metrics come when asked for",
      `${SELECTION} adds the fields that are requested, a counter object as a whole`,
    ),
    shown(
      "author_id joins a post to its user in includes",
      `${SELECTION} expands an author with default fields and those of user.fields`,
    ),
    shown(
      "public_metrics counts reposts, replies, likes and quotes",
      `${SELECTION} adds the fields that are requested, a counter object as a whole`,
      "posts/writing/act-on-posts.test.ts: are done once, counted, listed, and undone",
    ),
    shown(
      "a user has id, username, name and description",
      `${LOOKUP} has id, name and username by default`,
      `${LOOKUP} returns its description with entities`,
    ),
    shown(
      "an included user has its defaults and what was asked for",
      `${SELECTION} expands an author with default fields and those of user.fields`,
    ),
    hidden("complete field lists are left open", "nothing is said to be held to"),
  ],
  "Response envelope (v2 data interface)": [
    shown(
      "data holds one object or a list",
      `${LOOKUP} has id, name and username by default`,
      `${LOOKUP} are returned in the requested order, with missing ones in errors`,
    ),
    shown(
      "includes holds expanded objects, users under users",
      `${SELECTION} expands an author with default fields and those of user.fields`,
    ),
    shown(
      "meta.result_count counts listed webhooks",
      "webhooks/webhooks.test.ts: is listed, and the list is empty after it is deleted",
    ),
  ],
  "Data interface and field selection": [
    shown(
      "recent search is GET /2/posts/search/recent",
      `${RECENT} returns ten posts, the newest first, and returns their span`,
    ),
    shown("query is required", `${SELECTION} returns every fault of a query at once`),
    shown(
      "search takes post.fields, user.fields and expansions as comma lists",
      "data-query/twitter-api-v2.test.ts: searches with expansions, page by page",
    ),
    shown(
      "without field parameters a post carries its defaults only",
      `${SELECTION} carries id, text and the edit history, and nothing else, by default`,
    ),
    shown("subfields cannot be selected alone", `${SELECTION} refuses $selection: $why`),
    shown(
      "an object field brings all its subfields",
      `${SELECTION} adds the fields that are requested, a counter object as a whole`,
    ),
    shown(
      "fields of a secondary object need the expansion beside the field parameter",
      `${SELECTION} expands an author with default fields and those of user.fields`,
      `${SELECTION} expands referenced posts and their authors`,
    ),
  ],
  "Direct message endpoints": [
    shown(
      "they need the direct-message level",
      `${MESSAGES} needs the direct-message permission level`,
    ),
    shown(
      "POST to a conversation by its id",
      `${MESSAGES} begins with all joining, and its members write by its id`,
    ),
    shown(
      "POST /2/dm_conversations/ begins a group",
      `${MESSAGES} begins with all joining, and its members write by its id`,
      "kernel/http/responses.test.ts: takes POST /2/dm_conversations/ with the slash that the interface writes",
    ),
    shown(
      "POST with a participant sends to one person",
      `${MESSAGES} answers 201 with the conversation of the two, the lower id first`,
    ),
    shown(
      "GET lists with a person, of a conversation, and of all",
      `${MESSAGES} are listed for both sides, by conversation or all together, newest first`,
    ),
    shown(
      "messages of the with-participant endpoint are webhook events too",
      "activity/events.test.ts: echoes a message the bot sent, with the app that sent it",
    ),
    shown(
      "POST /2/media/upload exists",
      "media/upload.test.ts: takes base64 in JSON",
      "media/upload.test.ts: takes a multipart file",
    ),
    hidden("payloads are left open", "nothing is said to be held to"),
  ],
};
