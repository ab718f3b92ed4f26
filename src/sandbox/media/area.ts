import type { Area } from "../server/route.ts";
import { media as mediaTable, mediaContents, uploads } from "../model/media.ts";
import { routes } from "./routes.ts";
import { assumed, stricter } from "../kernel/ledger.ts";

/** Pictures, GIFs and videos that posts and messages contain. */
export const media: Area = {
  name: "media",
  tables: [uploads, mediaTable, mediaContents],
  routes,
  behaviours: [
    {
      behaviour: "the steps of a chunked 1.1 upload answer 202, 204 without a body, and 201",
      ...assumed("As clients of the live service expect; media_id of 1.1 has all its digits."),
    },
    {
      behaviour:
        "GIFs and videos with a category are ready after 3 seconds by the sandbox's clock, other media at once",
      ...assumed(
        "One second pending, two in progress; then failed if the bytes have another type. Without a category, this gives 400.",
      ),
    },
    {
      behaviour: "media can be attached for 24 hours; an upload must be finished within 15 days",
      ...assumed("Numbers published by the live service."),
    },
    {
      behaviour:
        "media can be downloaded as they were uploaded; the sandbox stores the latest 32 MiB",
      ...assumed(
        "They are never decoded: a GIF stays a GIF, and the preview of a video is one grey pixel. Bytes of unknown type count as the type that the client declared.",
      ),
    },
    {
      behaviour: "media can be attached only as their category allows",
      ...stricter(
        "tweet_ categories to posts, dm_ categories to messages; media without a category to both.",
      ),
    },
    {
      behaviour: "media whose type does not match the category are refused",
      ...stricter("The live service may refuse them later, while it processes them."),
    },
  ],
};
