import { BlockList, isIP } from "node:net";

/** Where the steps `http` may send requests to. */
export interface AllowedHosts {
  /** Why a request to this address may not be sent; `undefined` when it may. */
  refusal(url: URL): string | undefined;
  /** Whether an address that a host's name stands for may be connected to. */
  isOpen(address: string, port: number): boolean;
}

/**
 * The hosts of the setting `http.allow`.
 *
 * A name without a port stands for the ports of http and https. Addresses of this machine and of private
 * networks are closed, whatever name stands for them, unless the address itself is listed.
 *
 * @param allow `api.example.com`, `127.0.0.1:9999`, `[::1]:9999`, `localhost:9999`.
 */
export function allowedHosts(allow: readonly string[]): AllowedHosts {
  const listed = new Set(allow.map((host) => host.toLowerCase()));
  const isListed = (host: string, port: number) =>
    listed.has(`${host}:${port}`) || ((port === 80 || port === 443) && listed.has(host));
  return {
    refusal(url) {
      if (url.protocol !== "https:" && url.protocol !== "http:") {
        return `${url.protocol} is neither http nor https`;
      }
      const port = portOf(url);
      if (isListed(url.hostname, port)) return undefined;
      const name = port === 80 || port === 443 ? url.hostname : `${url.hostname}:${port}`;
      return `${name} is not in the settings: add it to  http: {allow: ["${name}"]}`;
    },
    isOpen(address, port) {
      const written = isIP(address) === 6 ? `[${address}]` : address;
      if (isListed(written, port)) return true;
      const loopback = CLOSED_LOOPBACK.check(address, family(address));
      return loopback ? isListed("localhost", port) : !CLOSED.check(address, family(address));
    },
  };
}

/** The port that a request to `url` goes to. */
export function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

function family(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

const CLOSED_LOOPBACK = blockList(["127.0.0.0/8", "::1/128"]);

/**
 * Addresses that are not somebody's on the internet. Source: the special-purpose address registries of IANA.
 * An IPv4 address within an IPv6 one is checked as the IPv4 address.
 */
const CLOSED = blockList([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/127",
  "::ffff:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
]);

function blockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", bits] = subnet.split("/");
    list.addSubnet(address, Number(bits), family(address));
  }
  return list;
}
