import type { Area } from "../server/route.ts";
import { bookmarkFolders, bookmarks } from "../model/bookmarks.ts";
import { likes, posts as postTable } from "../model/posts.ts";
import { bookmarkRoutes } from "./bookmark-routes.ts";
import { postLookupRoutes } from "./reading/lookup-routes.ts";
import { timelineRoutes } from "./reading/timeline-routes.ts";
import { writeRoutes } from "./writing/routes.ts";
import { assumed, documented, stricter } from "../kernel/ledger.ts";

/** Posts, replies, quotes, reposts, likes and bookmarks. */
export const posts: Area = {
  name: "posts",
  tables: [postTable, likes, bookmarks, bookmarkFolders],
  routes: [...postLookupRoutes, ...timelineRoutes, ...writeRoutes, ...bookmarkRoutes],
  behaviours: [
    {
      behaviour: "a post has id and text by default, and edit_history_post_ids since 2022-09-29",
      ...documented("Field-selectable objects"),
    },
    {
      behaviour: "an expansion adds its id field to the object, such as author_id",
      ...assumed("As on the live service, an expansion also requests the field."),
    },
    {
      behaviour: "fields that are not top-level fields, and repeated fields, are refused",
      ...stricter(
        "The documentation says that subfields can't be selected; 400 as on the live service.",
      ),
    },
    {
      behaviour: "in texts of posts and messages, & < > are escaped and links are short URLs",
      ...assumed(
        "As in recorded bodies of the live service (t.co). Posts with pictures or a quote have a link at the end.",
      ),
    },
    {
      behaviour: "a reply begins with up to 50 handles of its thread, the answered author first",
      ...assumed(
        "As on the live service: set when the post is created, and not counted for length or duplicates.",
      ),
    },
    {
      behaviour: "exclude_reply_user_ids removes handles from a reply, except the answered author",
      ...assumed("The live service documents the field. An id of the answered author is ignored."),
    },
    {
      behaviour:
        "only the enterprise plan may answer or quote posts that neither mention nor quote the account",
      ...assumed(
        "As announced by the live service in February 2026. One's own posts are excepted.",
      ),
    },
    {
      behaviour: "only the enterprise plan may publish posts with several cashtags",
      ...assumed("As in recorded answers of the live service since 2026. Repetitions count, too."),
    },
    {
      behaviour: "deleting a post deletes its reposts, and users' numbers of likes leave it out",
      ...assumed("As on the live service. The deleted reposts have no delete events."),
    },
    {
      behaviour: "display_text_range leaves out the handles of the thread and links to media",
      ...assumed("Offsets count code points, as in recorded bodies of the live service."),
    },
    {
      behaviour:
        "the same text twice within a day is refused, for replies if both answer the same post",
      ...assumed(
        "As on the live service, the answer is 403. Only the author's latest 50 posts are compared.",
      ),
    },
    {
      behaviour:
        "posts over 280 characters are longform: a shortened text, the whole text in note_post",
      ...documented(
        "Longform posts",
        "Documented for events; the data interface shortens at 280 characters, as the live service does.",
      ),
    },
    {
      behaviour: "a post can be edited five times within an hour",
      ...assumed("The live service documents 30 minutes in one place, an hour in another."),
    },
    {
      behaviour: "an edit keeps everything that the request does not name",
      ...assumed(
        "Media, a quoted post and a card replace each other. An edit with a reply or a poll is refused with 400.",
      ),
    },
    {
      behaviour: "deleting one version of an edited post deletes all of them",
      ...assumed("As described by the live service. Each version has a delete event of its own."),
    },
    {
      behaviour: "bookmarks need OAuth 2.0, are visible to their owner, and counted in the post",
      ...assumed("As described by the live service."),
    },
    {
      behaviour: "only the author sees private metrics; others get a problem in `errors`",
      ...assumed("As on the live service; counts of views and clicks are 0."),
    },
    {
      behaviour: "a timeline refuses an `end_time` that is not after `start_time`",
      ...assumed("As in searches, in the same words."),
    },
    {
      behaviour: "only timelines and searches have newest_id and oldest_id in `meta`",
      ...assumed("As documented by the live service, other lists, such as likes, have neither."),
    },
    {
      behaviour: "the language of a post is derived from its script",
      ...assumed("Text in Latin letters counts as English."),
    },
  ],
};
