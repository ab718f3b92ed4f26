import { assumed, type BehaviourRow, type Fidelity } from "../kernel/ledger.ts";

/** Source of the endpoints. The interface's own documentation does not mention them. */
export const PUBLISHED: Fidelity = assumed(
  "By the live service's published description, 2.167: paths, bodies, event types, scopes.",
);

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour: "activity interface: private event types are subscribed to by their user only",
    ...assumed(
      "dm.*, chat.*, like.*, mute.* and block.*, by OAuth 1.0a or with the scope: what worked for a published adapter.",
    ),
  },
  {
    behaviour: "activity interface: 3 subscriptions by plan, 5,000 with enterprise",
    ...assumed("Older plans count as pay-per-use; the limit's error is that of account activity."),
  },
  {
    behaviour: "activity interface: several are deleted in the words of the caller's dialect",
    ...assumed("The descriptions differ: 2.166 has one `deleted` for all, 2.167 one for each."),
  },
  {
    behaviour: "activity interface: signature, challenge, retries and order as in account activity",
    ...assumed("The same webhook takes both; the body has all in `data`."),
  },
  {
    behaviour:
      "activity interface: without a direction, what the user does and what is done to them",
    ...assumed("Only mute.* and block.* are said to be the user's own doing."),
  },
  {
    behaviour: "activity interface: post.create for each post of the user but reposts",
    ...assumed("Replies and quotes are told as post.create, too, and each of its own kind."),
  },
  {
    behaviour: "activity interface: a keyword is found in the text of a post, in any case",
    ...assumed("Other event types refuse it; the description says no more than `optional`."),
  },
  {
    behaviour: "activity interface: messages, typing and reading in the shape of account activity",
    ...assumed(
      "By a published adapter's recorded bodies; typing and reading by analogy. People have `data` around them.",
    ),
  },
  {
    behaviour: "activity interface: posts and people with all their public fields",
    ...assumed("Expanded authors, references and media stand in `includes`."),
  },
  {
    behaviour: "activity interface: block.* and mute.* as source and target",
    ...assumed("As follow.*, whose shape is described."),
  },
  {
    behaviour: "activity interface: its stream has all events of the app's subscriptions",
    ...assumed(
      "With a webhook or without; one line each, `start_time` for what the world still has, two streams at a time.",
    ),
  },
  {
    behaviour: "activity interface: chat.*, spaces.*, broadcast.* and news.new never happen",
    ...assumed("Subscriptions to them are taken: the sandbox has no such areas."),
  },
  {
    behaviour: "activity interface: subscriptions stay when their webhook is deleted",
    ...assumed("Their events are on the stream only from then on."),
  },
];
