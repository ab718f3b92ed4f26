import { isIP } from "node:net";
import { isGlobalUnicast } from "../../system/global-unicast.ts";

const MAX_CHARACTERS = 200;

/** Why `url` is not accepted as a webhook, or `undefined` where it is. */
export function webhookUrlFault(url: unknown): string | undefined {
  if (typeof url !== "string" || url === "") return "The body needs a `url` string.";
  if (url.length > MAX_CHARACTERS) return `The URL is longer than ${MAX_CHARACTERS} characters.`;
  if (!URL.canParse(url)) return "The URL is not well formed.";
  const { protocol, hostname, username, hash } = new URL(url);
  if (protocol !== "https:") return "The URL must use https.";
  if (/^https:\/\/[^/?#]*:\d*(?=[/?#]|$)/i.test(url)) return "The URL must not name a port.";
  if (username !== "") return "The URL must not hold credentials.";
  if (hash !== "") return "The URL must not hold a fragment.";
  return isPublic(hostname) ? undefined : `The host ${hostname} is not publicly reachable.`;
}

function isPublic(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0) return isGlobalUnicast(bare);
  return bare.includes(".") && !/(^|\.)(localhost|local|internal)$/i.test(bare);
}
