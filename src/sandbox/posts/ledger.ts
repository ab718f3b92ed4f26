import { assumed, type BehaviourRow, documented, stricter } from "../kernel/ledger.ts";

/** Basis of endpoints that only the live service's API description contains. */
export const DESCRIBED = assumed(
  "The interface shows the objects but not this endpoint; it follows the live service's description.",
);

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour: "a post has id and text by default, and edit_history_post_ids since 2022-09-29",
    ...documented("Field-selectable objects"),
  },
  {
    behaviour: "an expansion shows the field it joins by, such as author_id",
    ...assumed("Naming the expansion counts as asking for the field, as on the live service."),
  },
  {
    behaviour: "a field that is not a top-level field, or is given twice, is refused",
    ...stricter(
      "The interface says that subfields cannot be selected; the answer is the live service's 400.",
    ),
  },
  {
    behaviour: "texts of posts and messages have & < > escaped, and links as short addresses",
    ...assumed(
      "Recorded bodies of the live service do. Pictures and quoted posts have a link at the end; t.co as there.",
    ),
  },
  {
    behaviour:
      "a reply begins with the handles of its thread, 50 at most; the author answered first",
    ...assumed(
      "As on the live service: fixed when the post is created, and not counted for length or duplicates.",
    ),
  },
  {
    behaviour: "exclude_reply_user_ids takes handles out of a reply, but not the author answered",
    ...assumed(
      "The live service lists the field; the author answered is left in without an error.",
    ),
  },
  {
    behaviour: "display_text_range leaves out the handles of the thread and links to media",
    ...assumed("Offsets count code points, as in recorded bodies of the live service."),
  },
  {
    behaviour: "the same text twice within a day is refused",
    ...assumed("The live service answers 403."),
  },
  {
    behaviour: "posts over 280 characters are longform: a shortened text, the whole in note_post",
    ...documented(
      "Longform posts",
      "Shown for events; the data interface cuts at 280 characters, as the live service.",
    ),
  },
  {
    behaviour: "a post can be edited five times within an hour",
    ...assumed("The live service says 30 minutes in one place, an hour in another."),
  },
  {
    behaviour: "deleting one version of an edited post deletes all of them",
    ...assumed("As described by the live service. Each version has a delete event of its own."),
  },
  {
    behaviour: "bookmarks are kept by OAuth 2.0 only, listed to oneself, and counted in the post",
    ...assumed("As described by the live service."),
  },
  {
    behaviour: "private metrics are for the author; others get a problem in `errors`",
    ...assumed("As the live service; counts of views and clicks are 0."),
  },
  {
    behaviour: "newest_id and oldest_id are in the meta of timelines and searches only",
    ...assumed("Lists of quotes, likes and reposts have none, as described by the live service."),
  },
  {
    behaviour: "the language of a post is judged by its script",
    ...assumed("Latin letters count as English."),
  },
];
