import { assumed, type BehaviourRow, stricter } from "../kernel/ledger.ts";

/** Note about endpoints that only the live service publishes. */
export const PUBLISHED = "The interface names media upload only; as the live service publishes it.";

/** Note about endpoints of version 1.1. */
export const COMMAND_FORM = "The command form that clients of the 1.1 interface send.";

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour: "a chunked upload of 1.1 answers 202, then 204 without a body, then 201",
    ...assumed("As the live service's clients expect it; 1.1's media_id keeps all its digits."),
  },
  {
    behaviour:
      "GIFs and videos with a category are ready after 3 seconds of the sandbox's clock, other media at once",
    ...assumed(
      "One second pending, two in progress; failed where the bytes are of another kind. Without a category, a failure is 400.",
    ),
  },
  {
    behaviour: "a finished medium can be attached for 24 hours, an upload finished within 15 days",
    ...assumed("Published numbers of the live service."),
  },
  {
    behaviour: "bytes are measured and thrown away, never decoded or served",
    ...assumed("Bytes that are no known picture are taken as what they were declared to be."),
  },
  {
    behaviour: "a medium is attached only where its category says",
    ...stricter(
      "tweet_ categories to posts, dm_ categories to messages; media without a category to both.",
    ),
  },
  {
    behaviour: "a media type that does not fit the category is refused",
    ...stricter("The live service may find out later, while processing."),
  },
];
