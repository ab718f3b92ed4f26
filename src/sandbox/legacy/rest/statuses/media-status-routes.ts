import { userOf } from "../../../auth/caller.ts";
import { storeWhole } from "../../../media/rules.ts";
import type { Route } from "../../../server/route.ts";
import { LEGACY } from "../../ledger.ts";
import { coded } from "../coded-errors.ts";
import { postStatus } from "./status-routes.ts";

/** Route that posts a status together with the bytes of one picture or GIF. */
export const mediaStatusRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/1.1/statuses/update_with_media.json",
    ledger: LEGACY,
    auth: ["oauth1"],
    level: "read-write",
    body: { maxBytes: 24 * 1024 * 1024 },
    limits: { user: 300 },
    handle: (call) => {
      const files = call.body.kind === "multipart" ? call.body.files : [];
      const file = files.find(({ field }) => field === "media[]");
      if (file === undefined) throw coded("missing");
      const { id } = storeWhole(call.sandbox, userOf(call.caller), {}, file.data);
      return postStatus(call, [id]);
    },
  },
];
