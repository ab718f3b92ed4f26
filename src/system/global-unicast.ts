import { BlockList, isIPv4, isIPv6 } from "node:net";

type Family = "ipv4" | "ipv6";

/**
 * Returns whether an address belongs to one host of the public internet: global unicast, and not set aside for a
 * special purpose. Source: IANA's special-purpose address registries for IPv4 and IPv6.
 *
 * If an IPv6 address contains an IPv4 address, the IPv4 address decides.
 *
 * @param address In any written form; an address with a zone (`fe80::1%eth0`) is never global.
 */
export function isGlobalUnicast(address: string): boolean {
  if (isIPv4(address)) return isReachable("ipv4", address);
  const groups = ipv6Groups(address);
  if (groups === undefined) return false;
  const carried = carriedIpv4(groups);
  return carried === undefined ? isReachable("ipv6", address) : isReachable("ipv4", carried);
}

/**
 * Returns the canonical form of an address, for comparisons; `undefined` for other text and for an address with a zone.
 * An IPv4-mapped address (`::ffff:10.0.0.1`) is returned as the IPv4 address, because a connection would go there.
 */
export function canonicalAddress(address: string): string | undefined {
  if (isIPv4(address)) return address;
  const groups = ipv6Groups(address);
  if (groups === undefined) return undefined;
  const isMapped = prefixOf(groups) === MAPPED;
  return isMapped ? carriedIpv4(groups) : groups.map((group) => group.toString(16)).join(":");
}

/** Consecutive addresses that have the same first bits. */
interface Network {
  /** @param address In the form of `canonicalAddress`. */
  contains(address: string): boolean;
}

/** Parses a network such as `10.0.0.0/8` or `fd00::/8`; returns `undefined` for other text. */
export function networkOf(text: string): Network | undefined {
  const [, address = "", bits] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const family = familyOf(address);
  if (family === undefined || Number(bits) > (family === "ipv4" ? 32 : 128)) return undefined;
  const list = blockList(family, [text]);
  return { contains: (other) => familyOf(other) === family && list.check(other, family) };
}

/** Parses a network like `networkOf`; returns `undefined` if some of its addresses are outside {@link PRIVATE}. */
export function privateNetworkOf(text: string): Network | undefined {
  const [address = "", bits] = text.split("/");
  const isPrivate = PRIVATE.some(
    (range) =>
      networkOf(range)?.contains(address) === true && Number(bits) >= Number(range.split("/")[1]),
  );
  return isPrivate ? networkOf(text) : undefined;
}

/** Addresses that organisations assign themselves. Sources: RFC 1918, RFC 6598, RFC 4193. */
const PRIVATE = ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"];

function familyOf(address: string): Family | undefined {
  if (isIPv4(address)) return "ipv4";
  return canonicalAddress(address) === undefined ? undefined : "ipv6";
}

/** First six groups of IPv6 addresses that end in an IPv4 address: IPv4-mapped, IPv4-compatible, NAT64. */
const MAPPED = "0:0:0:0:0:ffff";
const CARRYING: ReadonlySet<string> = new Set([MAPPED, "0:0:0:0:0:0", "64:ff9b:0:0:0:0"]);
/** First group of 6to4 addresses (`2002::/16`), whose next 32 bits are an IPv4 address. */
const SIX_TO_FOUR = 0x2002;

function carriedIpv4(groups: readonly number[]): string | undefined {
  const start = CARRYING.has(prefixOf(groups)) ? 6 : groups[0] === SIX_TO_FOUR ? 1 : undefined;
  if (start === undefined) return undefined;
  const halves = groups.slice(start, start + 2);
  return halves.flatMap((half) => [half >> 8, half & 0xff]).join(".");
}

function prefixOf(groups: readonly number[]): string {
  return groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(":");
}

/** Returns the eight groups of an IPv6 address. The URL parser brings it into one form, and refuses a zone. */
function ipv6Groups(address: string): readonly number[] | undefined {
  if (!isIPv6(address)) return undefined;
  const written = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (written === undefined) return undefined;
  const [before = [], after] = written.split("::").map(hexGroups);
  if (after === undefined) return before;
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function hexGroups(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

function isReachable(family: Family, address: string): boolean {
  const { unicast, closed, reachable } = RANGES[family];
  if (reachable.check(address, family)) return true;
  return unicast.check(address, family) && !closed.check(address, family);
}

/**
 * Creates a block list for one family of addresses. In a list for both, `::ffff:0:0/96` would match each IPv4 address
 * too.
 */
function blockList(family: Family, subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", bits] = subnet.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const RANGES = {
  ipv4: {
    unicast: blockList("ipv4", ["0.0.0.0/0"]),
    closed: blockList("ipv4", [
      "0.0.0.0/8", // this network
      "10.0.0.0/8", // private
      "100.64.0.0/10", // shared by customers of a carrier
      "127.0.0.0/8", // loopback
      "169.254.0.0/16", // link-local
      "172.16.0.0/12", // private
      "192.0.0.0/24", // protocol assignments
      "192.0.2.0/24", // documentation
      "192.88.99.0/24", // 6to4 relays, deprecated
      "192.168.0.0/16", // private
      "198.18.0.0/15", // benchmarking
      "198.51.100.0/24", // documentation
      "203.0.113.0/24", // documentation
      "224.0.0.0/4", // multicast
      "240.0.0.0/4", // reserved, and the broadcast address
    ]),
    reachable: blockList("ipv4", [
      "192.0.0.9/32", // port control, anycast
      "192.0.0.10/32", // traversal by relays, anycast
    ]),
  },
  ipv6: {
    unicast: blockList("ipv6", ["2000::/3"]),
    closed: blockList("ipv6", [
      "2001::/23", // protocol assignments, Teredo, benchmarking, the old ORCHID
      "2001:db8::/32", // documentation
      "3fff::/20", // documentation
    ]),
    reachable: blockList("ipv6", [
      "2001:1::1/128", // port control, anycast
      "2001:1::2/128", // traversal by relays, anycast
      "2001:1::3/128", // service registration, anycast
      "2001:3::/32", // multicast tunnels
      "2001:4:112::/48", // AS112
      "2001:20::/28", // ORCHIDv2
      "2001:30::/28", // remote identification of drones
    ]),
  },
} as const;
