import * as z from "zod";
import { LONG_POSTS, THIRD_PARTIES } from "../protocol/public-text/posting.ts";

/** Keys of actions with published texts. */
export const publicKeys = {
  /** Way to publish a text over the limit; default by the settings. */
  long: z.enum(LONG_POSTS).exactOptional(),
  /** Other people's mentions (`@handle`) and links that expressions have inserted into the text. */
  brought: z.array(z.string()).readonly().exactOptional(),
  /** Treatment of these mentions and links; default by the settings. */
  thirdParties: z.enum(THIRD_PARTIES).exactOptional(),
};

/** Key of an action that is a further post of a thread. */
export const threadKeys = {
  /** Key of the outbox item of the thread's previous post, to which this one replies. */
  after: z.string().min(1).exactOptional(),
};
