import { isIP } from "node:net";
import {
  canonicalAddress,
  isGlobalUnicast,
  privateNetworkOf,
} from "../../system/global-unicast.ts";

/** Allow-list of the hosts to which `http` steps may send requests. */
export interface AllowedHosts {
  /** Returns the reason why a request to `url` is refused; `undefined` if it is allowed. */
  refusal(url: URL): string | undefined;
  /** Whether a connection to `address`, to which a host's name resolves, is allowed. */
  isOpen(address: string, port: number): boolean;
}

/**
 * Creates the allow-list of the setting `http.allow`.
 *
 * A name without a port allows the ports 80 and 443. A listed name may resolve to any address on the public internet.
 * Other addresses, such as this machine's and those of private networks, are allowed only if the address itself is
 * listed, or the private network that contains it; `localhost` lists the loopback addresses. A network only limits the
 * addresses of listed names: it does not list the addresses as hosts of URLs.
 *
 * @param allow Entries such as `api.example.com`, `127.0.0.1:9999`, `[::1]:9999`, `localhost:9999` or `10.0.0.0/8:9999`.
 */
export function allowedHosts(allow: readonly string[]): AllowedHosts {
  const listed = new Set(allow.map(listing));
  const isListed = (host: string, port: number) =>
    listed.has(`${host}:${port}`) || ((port === 80 || port === 443) && listed.has(host));
  const networks = [...listed].flatMap((entry) => {
    const host = entry.replace(PORT, "");
    const network = privateNetworkOf(host.replace(BRACKETS, ""));
    return network === undefined ? [] : [{ host, network }];
  });
  return {
    refusal(url) {
      if (url.protocol !== "https:" && url.protocol !== "http:") {
        return `${url.protocol} is neither http nor https`;
      }
      const port = portOf(url);
      const host = hostKey(url.hostname);
      if (isListed(host, port)) return undefined;
      const name = port === 80 || port === 443 ? host : `${host}:${port}`;
      return `${name} is not in the settings: add it to  http: {allow: ["${name}"]}`;
    },
    isOpen(address, port) {
      const written = canonicalAddress(address);
      if (written === undefined) return false;
      if (isListed(inUrl(written), port) || isGlobalUnicast(written)) return true;
      if (networks.some(({ host, network }) => isListed(host, port) && network.contains(written))) {
        return true;
      }
      return LOOPBACK.test(written) && isListed("localhost", port);
    },
  };
}

/** Returns the port of a request to `url`. */
export function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

/** Pattern of loopback addresses, in the form in which `canonicalAddress` writes them. */
const LOOPBACK = /^(127\.|0:0:0:0:0:0:0:1$)/;

/** Port at the end of an entry, and the brackets around an IPv6 address. */
const [PORT, BRACKETS] = [/:\d+$/, /^\[|\]$/g];

/** Normalises an entry of the setting: lower case, and its host as `hostKey` writes it. */
function listing(entry: string): string {
  const [, host = entry, port = ""] = /^(\[[^\]]*\]|[^:]*)(:\d+)?$/.exec(entry.toLowerCase()) ?? [];
  return hostKey(host) + port;
}

/** Normalises the host of a URL: each address has one written form, and a name has no dot at its end. */
function hostKey(host: string): string {
  const address = canonicalAddress(host.replace(BRACKETS, ""));
  return address === undefined ? host.replace(/\.$/, "") : inUrl(address);
}

function inUrl(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}
