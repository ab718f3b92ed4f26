import { installed } from "../peers.ts";

/** Pinned versions of the libraries that are compared. */
const VERSIONS = { grammy: "1.46.0", "@slack/bolt": "5.1.0", "@octokit/webhooks": "14.2.0" };

/** Folder of the installed libraries, or the reason why they can't be installed. */
export const installPeers = () => installed(VERSIONS);
