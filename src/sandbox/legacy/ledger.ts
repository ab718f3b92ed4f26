import { assumed, type BehaviourRow } from "../kernel/ledger.ts";

/** Basis of all routes of version 1.1, for the fidelity ledger. */
export const LEGACY = assumed(
  "The interface says only that a legacy interface exists; follows the live service's 1.1.",
);

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour:
      "any environment name is the app's one environment; its first webhook is the webhook",
    ...LEGACY,
  },
  {
    behaviour: "objects of version 1.1 have the tweet dialect's words, whatever the app's dialect",
    ...assumed("The live service's 1.1 has never known others."),
  },
  {
    behaviour:
      "1.1: in_reply_to_status_id counts where the text mentions its author, or it is one's own",
    ...assumed("So says the live service's reference of statuses/update."),
  },
  {
    behaviour:
      "1.1: handles of the thread are added to a reply with auto_populate_reply_metadata only",
    ...assumed(
      "So says the live service's reference. Without it, those typed at the beginning are the reply's handles.",
    ),
  },
  {
    behaviour: "1.1: text is shortened to 140 characters for longform posts only",
    ...assumed("As in event bodies of the interface; tweet_mode=extended has full_text."),
  },
  {
    behaviour: "1.1: limits of three hours are counted in quarters of an hour",
    ...assumed("300 statuses in a quarter of an hour, where the live service allows 300 in three."),
  },
  {
    behaviour: "1.1: a search takes filter:, exclude:, since: and until: beside today's operators",
    ...assumed("By their names in the reference of the live service's standard search."),
  },
  {
    behaviour: "1.1: pictures of a profile are checked, and not stored",
    ...assumed("Bytes that are no picture get code 44; the address follows from the bytes."),
  },
  {
    behaviour: "1.1: welcome messages are stored, and sent to no one",
    ...assumed("They greet people who open a conversation at their own client."),
  },
  {
    behaviour: "1.1: an endpoint takes the id of a status in its path and as a parameter",
    ...assumed("As clients of different years send it."),
  },
  {
    behaviour:
      "rate_limit_status names v2 endpoints beside those of 1.1, with the method in the family",
    ...assumed("Recorded of the live service: families such as `graphql&POST`."),
  },
];
