import * as z from "zod";

/** What has come of reading the rule files and the bot modules again. */
export const reloadAnswer = z.object({
  /** Of the rules that decide from now on. */
  revision: z.string(),
  /** `false`: they are those from before. */
  changed: z.boolean(),
  count: z.number(),
  /** Ids of rules that are broken now and go on as they were. */
  kept: z.array(z.string()).readonly(),
  /** What is wrong in the files, each as one line. */
  problems: z.array(z.string()).readonly(),
  bots: z.object({
    count: z.number(),
    /** Names of bots whose module can't be loaded now: they go on as they were. */
    kept: z.array(z.string()).readonly(),
    problems: z.array(z.string()).readonly(),
  }),
});
