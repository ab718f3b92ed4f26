import * as z from "zod";
import { LONG_POSTS, THIRD_PARTIES } from "../protocol/public-text/posting.ts";

/** Keys of actions whose texts are published. */
export const publicKeys = {
  /** Way to publish a text over the limit; that of the settings unless given. */
  long: z.enum(LONG_POSTS).exactOptional(),
  /** Mentions (`@handle`) and links that expressions brought into the text from other people. */
  brought: z.array(z.string()).readonly().exactOptional(),
  /** What happens to these; as the settings say unless given. */
  thirdParties: z.enum(THIRD_PARTIES).exactOptional(),
};

/** Key of an action that is a further post of a thread. */
export const threadKeys = {
  /** Key of the outbox item whose post it answers: the post before it in its thread. */
  after: z.string().min(1).exactOptional(),
};
