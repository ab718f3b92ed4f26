import type { Area } from "../server/route.ts";
import { media as mediaTable, mediaContents, uploads } from "../model/media.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Pictures, GIFs and videos that posts and messages contain. */
export const media: Area = {
  name: "media",
  tables: [uploads, mediaTable, mediaContents],
  routes,
  behaviours,
};
