import { installed } from "../peers.ts";

/** The libraries beside which the receiver is measured, pinned. */
const VERSIONS = { grammy: "1.46.0", "@slack/bolt": "5.1.0", "@octokit/webhooks": "14.2.0" };

/** The folder that they are in, or why they could not be had. */
export const installPeers = () => installed(VERSIONS);
