import { isIP } from "node:net";
import { isGlobalUnicast } from "./global-unicast.ts";

/**
 * Returns whether a host may be reachable from the public internet: a public IP address, or a name with a dot that is
 * not reserved for local use. The name is not looked up.
 *
 * @param hostname Host of a parsed URL; an IPv6 address is in brackets.
 */
export function isPublicHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(bare) !== 0) return isGlobalUnicast(bare);
  return bare.includes(".") && !/(^|\.)(localhost|local|internal)$/i.test(bare);
}
