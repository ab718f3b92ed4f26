import * as z from "zod";

/** Result of reloading the rule files and the bot modules. */
export const reloadAnswer = z.object({
  /** Revision of the rules that are active from now on. */
  revision: z.string(),
  /** Whether the rules differ from the rules that were active before. */
  changed: z.boolean(),
  /** Number of active rules. */
  count: z.number(),
  /** Ids of rules with errors, whose last working version stays active. */
  kept: z.array(z.string()).readonly(),
  /** Problems in the files, one line each. */
  problems: z.array(z.string()).readonly(),
  bots: z.object({
    count: z.number(),
    /** Names of bots whose module failed to load, and whose last working version stays active. */
    kept: z.array(z.string()).readonly(),
    problems: z.array(z.string()).readonly(),
  }),
});
